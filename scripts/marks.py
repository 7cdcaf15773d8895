"""Messages that are marked where they are written: by the calls and arguments they stand in."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from babel.messages.extract import extract

ROOT = Path(__file__).parents[1]

# Rooms and files whose messages are marked; the others are searched (`messages`).
MARKED: tuple[str, ...] = (
    "profiles",
    *("sim/base", "sim/contagion", "sim/phases", "sim/rolls", "sim/sheet", "sim/table"),
    *("sim/text", "sim/worth"),
)

# Calls, methods among them, whose texts are messages, and which of their arguments.
CALLS = {
    **dict.fromkeys(("say", "say_all", "tr", "styled", "table_of", "translated", "tell"), (0,)),
    **dict.fromkeys(("InputError", "InputErrors", "TooLarge", "echo_error", "Field", "head"), (0,)),
    **dict.fromkeys(("announce", "Option"), (0,)),
    **dict.fromkeys(("set_xlabel", "set_ylabel", "set_title"), (0,)),
    **dict.fromkeys(("breach", "demand", "Key", "columns"), (1,)),
    **{"say_n": (0, 1), "check": (2,), "Parameter": (4,)},
}
NAMES = {"help", "label", "title", "xlabel", "ylabel"}  # arguments of any call
# Texts with blanks that are typed, or compared with others, and that nobody is shown.
TYPED = re.compile(
    r"(estoc|pip install|import estoc)\b.*|.*task\.completed.*|value = .*|line \(.d\+\)|field limit"
    r"|très grande?|very large|(arme de|ranged|FOR|force) .*|weapon (FOR|strength)"
    r"|strategic value|valeur stratégique|.* --trial \{.*|% of\s*|caster = true|ammo out|in command"
    r"|(Faire|Combat|Mouvement|Changer|Distribution|Duel|Sélection|Lancement|Prise|Pas) .*"
    r"|Changement de Consigne|in contact|log PA|offset points| *--[a-z]+ \{.*"
)
_WORD = re.compile(r"[A-Za-zé]{2,}")
_HOLE = re.compile(r"\{[^{}]*\}")


def is_marked(path: Path, root: Path = ROOT) -> bool:
    """Whether the messages of a file are marked."""
    within = path.relative_to(root).as_posix()
    return any(within == each or within.startswith(f"{each}/") for each in MARKED)


def messages_of(path: Path) -> Iterator[tuple[str | tuple[str, ...], int]]:
    """Yield the marked messages of a file, of a plural both, and their lines."""
    with path.open("rb") as file:
        for line, text, _, _ in extract(found, file, {"say": None, "say_n": (1, 2)}):
            if _WORD.search(_HOLE.sub("", text if isinstance(text, str) else text[0])):
                yield text, line


def found(
    file: IO[bytes], *asked: object, **more: object
) -> Iterator[tuple[int, str, Any, list[str]]]:
    """Yield the marked messages of a Python file: a method of extraction, as Babel calls it."""
    calls = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        if called(node) == "say_n":
            yield node.lineno, "say_n", tuple(arg.value for arg in node.args[:2]), []
            continue
        for text in texts(node):
            yield text.lineno, "say", text.value, []


def called(node: ast.Call) -> str:
    """Return the name of a function or method that is called."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def texts(node: ast.Call) -> Iterator[ast.Constant]:
    """Yield the texts that a call marks."""
    for place in CALLS.get(called(node), ()):
        for argument in node.args[place : place + 1]:
            yield from _texts(argument)
    for keyword in node.keywords:
        if keyword.arg in NAMES:
            yield from _texts(keyword.value)


def _texts(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the texts that an argument may be, or that stand in a table."""
    match node:
        case ast.Constant(value=str(text)) if text:
            yield node
        case ast.Dict(values=inner) | ast.Tuple(elts=inner) | ast.List(elts=inner):
            for each in inner:
                yield from _texts(each)
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            yield from _texts(one)
            yield from _texts(other)
        case ast.Starred(value=inner):
            yield from _texts(inner)
