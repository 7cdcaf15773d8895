"""`estoc tune`: better parameters for a policy."""

from typing import Any

from ...profiles.message import say
from ..ask.contests import Tune
from ..ask.output import Output, tell
from ..ask.request import Request
from ..base.run import Run
from ..text.writing import check_writable, write_whole
from .requests import answered, command, finish


def _kept(request: Request, run: Run, words: dict[str, Any]) -> None:
    """Show what was found; with -o FILE.toml, keep the policy there."""
    from ..contest.tune import Tuned

    file = words["output"] if str(words["output"]).endswith(".toml") else None
    if file:
        check_writable(file)
    output = Output(words["form"], None if file else words["output"])
    result = answered(request, run)
    assert isinstance(result, Tuned)
    if file and result.policy:
        write_whole(file, result.policy.toml().encode())
        tell(say("wrote {}: {}", file, result.policy.text))
    finish(result, output)


tune = command(Tune, "tune", _kept)
