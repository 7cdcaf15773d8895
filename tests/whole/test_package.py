"""Habits that hold for the whole tree: imports, names, docstrings, what may be written down."""

import ast
import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType

import pytest

from estoc.sim.audit.fighters import Part
from estoc.sim.base.libraries import program_files

ROOT = Path(__file__).parents[2]
FOLDERS = ("sim", "kernels", "profiles")
TOP_LEVEL = {
    *("pyproject.toml", "README.md", "sim", "kernels", "profiles", "scripts", "tests", "notebooks"),
    *("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "constraints.txt", "BENCHMARKS.md"),
}
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
MODULES = sorted(
    ".".join(("estoc", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for path in SOURCES
    if path.stem != "__main__"
)
KERNELS = sorted((ROOT / "kernels").rglob("*.py"))
HEAVY = {"numba", "pandas", "matplotlib", "scipy"}

# What only one machine or one network knows. The brackets keep this file from matching itself.
PRIVATE = re.compile(
    r"(?<![\w.>)}\"'])/(?:work|root|home|Users)/\w"
    r"|index[-_]url|find[-_]links"
    r"|https?://[^\s/]*(?:pypi|pythonhosted|npmjs|[.]debian[.])"
    r"|https?://(?:10|127|172|192)[.]",
    re.IGNORECASE,
)


def project_files() -> Iterator[Path]:
    """Files of the tree that .gitignore does not name."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split()] + [".git"]
    for folder, folders, files in os.walk(ROOT):
        for names in (folders, files):
            names[:] = [n for n in names if not any(fnmatch(n, pattern) for pattern in ignored)]
        yield from (Path(folder, name) for name in files)


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("folder", FOLDERS)
def test_folder_imported_as_such_is_refused(folder: str) -> None:
    done = run_python(f"import {folder}")
    assert done.returncode == 1
    assert f"ImportError: import estoc.{folder}, not {folder}" in done.stderr


def test_top_level_holds_the_agreed_names_only() -> None:
    tops = {path.relative_to(ROOT).parts[0] for path in project_files()}
    assert {name for name in tops if not name.startswith(".")} <= TOP_LEVEL


def rooms(hall: Path) -> list[Path]:
    return sorted(path.parent for path in hall.rglob("__init__.py") if path.parent != hall)


@pytest.mark.parametrize("hall", FOLDERS)
def test_a_hall_reads_like_a_table_of_contents(hall: str) -> None:
    assert len([room for room in rooms(ROOT / hall) if room.parent.name == hall]) <= 18
    for room in rooms(ROOT / hall):
        assert len([path for path in room.glob("*.py") if path.stem != "__init__"]) <= 16, room
        (sentence,) = ast.parse((room / "__init__.py").read_text()).body  # and nothing else
        assert isinstance(sentence, ast.Expr)
        assert isinstance(sentence.value, ast.Constant)
        assert re.fullmatch(r"[A-Z][^\n]*\.", str(sentence.value.value)), room


def test_tests_stand_where_their_modules_do() -> None:
    for folder in {path.parent for path in (ROOT / "tests").rglob("test_*.py")}:
        place = folder.relative_to(ROOT / "tests")
        if place.parts[0] in FOLDERS:
            assert (ROOT / place).is_dir(), folder
        assert len(list(folder.glob("*.py"))) <= 16, folder


def test_all_rooms_are_installed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = [name for name in MODULES if (ROOT / Path(*name.split(".")[1:])).is_dir()]
    assert listed == found


def test_no_file_names_a_machine_or_an_index() -> None:
    found = []
    for path in project_files():
        data = path.read_bytes()
        if b"\0" in data:
            continue
        lines = enumerate(data.decode(errors="replace").splitlines(), start=1)
        found += [f"{path}:{number}: {line}" for number, line in lines if PRIVATE.search(line)]
    assert not found


def test_constraints_are_exact_and_cover_the_project() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[\w.]+", line)] == []
    names = [line.split("==")[0] for line in lines]
    assert names == sorted(set(names))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = project["dependencies"] + project["optional-dependencies"]["dev"]
    assert {re.split(r"[^\w-]", requirement)[0] for requirement in asked} <= set(names)


def own_members(owner: ModuleType | type) -> Iterator[tuple[str, object]]:
    """Public functions, classes and methods that a module or class defines itself."""
    module = owner.__name__ if isinstance(owner, ModuleType) else owner.__module__
    for name, member in vars(owner).items():
        if isinstance(member, (staticmethod, classmethod, property)):
            member = member.fget if isinstance(member, property) else member.__func__
        # A compiled kernel keeps its Python function in py_func, a click command in callback.
        member = getattr(member, "py_func", None) or getattr(member, "callback", None) or member
        if not (inspect.isfunction(member) or inspect.isclass(member)) or name.startswith("_"):
            continue
        if member.__module__ == module and not is_generated(member):
            yield f"{owner.__name__}.{name}", member
            if inspect.isclass(member):
                yield from own_members(member)


def is_generated(member: object) -> bool:
    """Whether a decorator wrote this function, or it is a model of a step: its fields say it."""
    if inspect.isclass(member):
        return issubclass(member, Part)
    return inspect.isfunction(member) and member.__code__.co_filename.startswith("<")


@pytest.mark.parametrize("name", MODULES)
def test_public_names_have_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    assert [label for label, member in own_members(module) if not member.__doc__] == []


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    # By name: "pytest --doctest-modules sim" would import sim.x beside estoc.sim.x.
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def compiled_functions(path: Path) -> tuple[set[str], set[str]]:
    """Names of all functions under a decorator of ``_jit``, and of those at module level."""
    tree = ast.parse(path.read_text())
    decorators = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "_jit"
        for alias in node.names
    }

    def is_compiled(node: ast.AST) -> bool:
        return isinstance(node, ast.FunctionDef) and any(
            isinstance(part, ast.Name) and part.id in decorators
            for decorator in node.decorator_list
            for part in ast.walk(decorator)
        )

    return (
        {node.name for node in ast.walk(tree) if is_compiled(node)},
        {node.name for node in tree.body if is_compiled(node)},
    )


@pytest.mark.parametrize(
    "path", KERNELS, ids=lambda path: path.relative_to(ROOT / "kernels").as_posix()
)
def test_kernels_are_at_module_level(path: Path) -> None:
    # numba's cache misses on every run for a kernel made inside another function.
    everywhere, at_module_level = compiled_functions(path)
    assert everywhere == at_module_level


def test_only_jit_chooses_numba_options() -> None:
    others = [path for path in KERNELS if path.name != "_jit.py"]
    choosing = re.compile(r"(?<!cuda\.)\bn?jit\(|@(numba\.|nb\.)?n?jit\b")
    assert [path.name for path in others if choosing.search(path.read_text())] == []


def test_help_starts_fast() -> None:
    done = run_python(
        "import sys\n"
        "from estoc.sim.cli.main import main\n"
        "sys.argv = ['estoc', '--help']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code\n"
        f"print('loaded:', sorted({HEAVY!r} & set(sys.modules)))\n"
    )
    assert done.stdout.splitlines()[-1:] == ["loaded: []"], done.stderr


def test_editors_find_estoc_in_a_bare_checkout() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert project["pyright"]["extraPaths"][0] == ".typings"
    assert all((ROOT / path).is_dir() for path in project["pyright"]["extraPaths"])
    assert project["mypy"]["mypy_path"] == "$MYPY_CONFIG_FILE_DIR/.typings"
    for hall in FOLDERS:
        assert (ROOT / ".typings" / "estoc" / hall).resolve() == ROOT / hall


OPENED = """
import importlib, sys
opened = []
def heard(event, found):
    if event == "open" and str(found[0]).endswith((".toml", ".csv", ".j2", ".mo", ".css", ".js")):
        opened.append(str(found[0]))
sys.addaudithook(heard)
for name in sys.argv[1:]:
    importlib.import_module(name)
print(opened)
"""


def test_no_file_is_read_while_modules_are_loaded() -> None:
    # nor, so, any rule compiled: rules are in files
    line = [sys.executable, "-c", OPENED, *MODULES]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_run_knows_the_program_by_all_its_files() -> None:
    found = {name for name, _ in program_files()}
    data = (path for kind in ("toml", "csv") for path in (ROOT / "profiles").rglob(f"*.{kind}"))
    assert found == {f"estoc.{path.relative_to(ROOT).as_posix()}" for path in (*SOURCES, *data)}
    assert len([name for name in found if not name.endswith(".py")]) > 40
