"""How far a question goes through the files of the project (`scripts/trace`)."""

import re
import subprocess
import sys

import pytest
from running import GUARD, ROOT, WARRIOR, process

COUNTED = re.compile(r"^([\d,]+) files, ([\d,]+) changes of file", re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "files", "changes"),
    [
        (("duel", GUARD, WARRIOR), 35, 8_000),
        (("battle", "ambush", "--trials", "20", "--seed", "1"), 60, 25_000),
    ],
    ids=["duel", "battle"],
)
def test_way_of_a_question_is_short(words: tuple[str, ...], files: int, changes: int) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "trace_calls.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    counted = COUNTED.search(done.stdout)
    assert counted, done.stderr
    found = [int(number.replace(",", "")) for number in counted.groups()]
    assert 0 < found[0] <= files
    assert 0 < found[1] <= changes


def test_a_battle_loads_no_matchup_nor_what_tells_of_one(tmp_path) -> None:
    """Nor a story, a film, or pandas: what is told is loaded when somebody asks for it."""
    loaded = tmp_path / "loaded.txt"
    (tmp_path / "sitecustomize.py").write_text(
        "import atexit, sys\n"
        f"atexit.register(lambda: open({str(loaded)!r}, 'w').write('\\n'.join(sys.modules)))\n"
    )
    words = ("battle", "ambush", "--trials", "1", "--seed", "1")
    done = process(*words, PYTHONPATH=str(tmp_path))
    assert done.code == 0, done.err
    names = loaded.read_text().split("\n")
    assert "estoc.sim.battle.battle" in names
    unwanted = r"estoc\.sim\.(matchup|contest|report|battle\.(story|film|plot))|matplotlib|pandas"
    assert [name for name in names if re.match(unwanted, name)] == []
