"""The wheel holds every module and data file on disk, and nothing else."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("sim", "kernels", "profiles")
SHIPPED = {".py", ".toml", ".csv", ".j2", ".js", ".css", ".po", ".mo"}


def shipped(folder: str) -> set[str]:
    """Names in the wheel that the files under a folder should get."""
    return {
        f"estoc/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / folder).rglob("*")
        if path.suffix in SHIPPED or path.name == "py.typed"
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    # Built from a copy: setuptools leaves build/lib behind and would ship deleted modules from it.
    copy = tmp_path_factory.mktemp("wheel") / "estoc"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder)
    command = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "."]
    subprocess.run([sys.executable, "-I", "-m", "pip", *command], cwd=copy, check=True)
    (path,) = (copy / "dist").glob("estoc-*.whl")
    return zipfile.ZipFile(path)


def test_wheel_holds_the_files_on_disk(wheel: zipfile.ZipFile) -> None:
    inside = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert inside == set().union(*map(shipped, FOLDERS))


def test_wheel_has_the_licence_and_the_command(wheel: zipfile.ZipFile) -> None:
    info = {name.split("/", 1)[1]: name for name in wheel.namelist() if ".dist-info/" in name}
    assert "licenses/LICENSE" in info
    assert "estoc = estoc.sim.start:main" in wheel.read(info["entry_points.txt"]).decode()
