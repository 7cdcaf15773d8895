"""Commands made of requests: options from their fields, and how their answers are delivered."""

import sys
from collections.abc import Callable, Iterator
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import click

from ...profiles.message import say
from ..ask.output import Output, tell
from ..ask.request import Request, key_of, option_of, request_of
from ..base.progress import progress
from ..base.result import Result
from ..base.run import Option, Run
from .help import FAILED, Command, HelpedOption, Number, Whole
from .options import OUTPUT, PLOT, half_width

Delivery = Callable[[Request, Run, dict[str, Any]], None]


def command(
    model: type[Request], name: str, deliver: Delivery | None = None, output: bool = True
) -> click.Command:
    """Return the command of a request.

    Parameters
    ----------
    model : type of Request
    name : str
    deliver : callable, optional
        Answers and shows in a way of its own, told request, run and the words of the line.
    output : bool
        Whether the answer can be written to a file of any format.
    """

    def called(**words: Any) -> None:
        request, run = asked(model, words, name)
        (deliver or answer)(request, run, words)

    made = click.command(name, cls=Command, help=model.__doc__)(called)
    made.params += [*parameters(model), *OUTPUT * output, *PLOT * model.drawn]
    return made


def asked(model: type[Request], words: dict[str, Any], name: str) -> tuple[Request, Run]:
    """Return the request of a command line, and how it is answered."""
    fields = {*model.model_fields, "sides"}
    given = {key: words[key] for key in words.keys() & fields if words[key] not in (None, ())}
    request = request_of(model, given, name)
    return request, request.run.but(partial=True)


def answer(request: Request, run: Run, words: dict[str, Any]) -> None:
    """Answer a request and show or write the answer; leave with 1 if it was interrupted."""
    output = Output(words["form"], words["output"], words.get("plot"))
    for note in request.remarks() if output.form != "table" else ():
        tell(note)
    finish(answered(request, run), output)


def finish(result: Result, output: Output) -> None:
    """Deliver an answer; leave with 1 if the run was interrupted."""
    if any(row.get("trials") != 0 for row in result):
        output.deliver(result)
    if result.stopped:
        tell(say("stopped by Ctrl-C after {}", result.stopped))
        sys.exit(FAILED)


def answered(request: Request, run: Run) -> Result:
    """Return the answer to a request, with a bar where somebody watches."""
    if not sys.stderr.isatty():
        return request.answer(run)
    with progress(run, request.bar()) as advance:
        return request.answer(run.but(progress=advance))


def parameters(model: type[Request]) -> list[click.Parameter]:
    """Return the arguments and options of a request: its own first, how it is run last."""
    found = [_parameter(model, name) for name in _ordered(model)]
    if model.sides:
        needed = model.model_fields["a"].is_required()
        found.insert(0, click.Argument(["sides"], nargs=-1, required=needed, metavar=model.sides))
    return [each for each in found if each is not None]


def _ordered(model: type[Request]) -> Iterator[str]:
    """Yield the fields of a request that are options, those of its run last."""
    run = [name for name in Run.model_fields if name in model.model_fields]
    classes = [c for c in reversed(model.__mro__[1:]) if not issubclass(Run, c)]
    named = [name for c in (model, *classes) for name in vars(c).get("__annotations__", {})]
    own = [n for n in dict.fromkeys(named) if n in model.model_fields and n not in run]
    yield from (name for name in (*own, *run) if name not in model.without)


def _parameter(model: type[Request], name: str) -> click.Parameter | None:
    """Return the argument or option of a field; None of one that a command line does not have."""
    option, field = option_of(model, name), model.model_fields[name]
    if option is None:
        return None
    kind = _kind(field.annotation)
    several = get_origin(kind) is tuple and not option.once
    needed = field.is_required()
    if option.flag == "":
        number = -1 if several else 1
        return click.Argument([name], required=needed, nargs=number, metavar=option.metavar)
    flag = option.flag or f"--{key_of(model, name)}"
    if kind is bool:
        turned = (lambda ctx, param, given: not given) if field.default else None
        return click.Option([flag, name], is_flag=True, help=option.help, callback=turned)
    default = None if needed or field.default in ((), "") else field.default
    return HelpedOption(
        [flag, name],
        type=_type(kind, option, name),
        multiple=several,
        nargs=option.width,
        required=needed,
        default=None if several else default,
        show_default=default is not None and not several,
        metavar=option.metavar,
        help=option.help or say("Sample: {} to play. [default{}]", model.played, model.usual),
    )


def _kind(annotation: Any) -> Any:
    """Return what a field holds, where it is given."""
    kinds = [each for each in get_args(annotation) if each is not NoneType]
    return kinds[0] if NoneType in get_args(annotation) else annotation


def _type(kind: Any, option: Option, name: str) -> Any:
    """Return click's type of what a field holds."""
    while get_origin(kind) in (tuple, Annotated):
        kind = get_args(kind)[0]
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind), case_sensitive=False)
    if option.least is not None:
        return Whole(option.least, option.most)
    if name == "precision":
        return half_width
    return Number(kind) if kind in (int, float) else kind
