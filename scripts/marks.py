"""Messages of the program: texts for people, marked by the calls and arguments they stand in."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from babel.messages.extract import extract
from words import OF_LIBRARIES, WORDS

ROOT = Path(__file__).parents[1]
FOLDERS = ("sim", "profiles")

# Calls, methods among them, whose texts are messages, and which of their arguments.
CALLS = {
    **dict.fromkeys(("say", "say_all", "tr", "styled", "table_of", "translated", "tell"), (0,)),
    **dict.fromkeys(("InputError", "InputErrors", "TooLarge", "echo_error", "Field", "head"), (0,)),
    **dict.fromkeys(("announce", "Option", "told"), (0,)),
    **dict.fromkeys(("set_xlabel", "set_ylabel", "set_title"), (0,)),
    **dict.fromkeys(("breach", "breach_next", "demand", "Key", "columns"), (1,)),
    **{"say_n": (0, 1), "check": (2,), "check_next": (2,), "Parameter": (4,)},
}
NAMES = {"help", "label", "title", "xlabel", "ylabel"}  # arguments of any call
# Texts with blanks that are typed, or compared with others, and that nobody is shown.
TYPED = re.compile(
    r"(estoc|pip install|import estoc)\b.*|.*task\.completed.*|value = .*|line \(.d\+|field limit"
    r"|très grande?|very large|(arme de|ranged|FOR|force) .*|weapon (FOR|strength)"
    r"|strategic value|valeur stratégique|.* --trial \{.*|% of\s*|caster = true|ammo out|in command"
    r"|(Faire|Combat|Mouvement|Changer|Distribution|Duel|Sélection|Lancement|Prise|Pas) .*"
    r"|sheet [a-z]+|A… vs B…|A B . A… vs B…|%\(prog\)s.*|style=.*|model name"
    r"|garde prétorien|guerrier de l'aube"
    r"|Changement de Consigne|in contact|log PA|offset points|axes fraction| *--[a-z]+ \{.*"
)
_WORD = re.compile(r"[A-Za-zé]{2,}")
_HOLE = re.compile(r"\{[^{}]*\}")
_DATA = {"title", "text", "kind_text", "note", "assumed", "kind", "strength"}  # keys of files


def messages(root: Path = ROOT) -> dict[str | tuple[str, ...], list[str]]:
    """Return each message, of a plural both, and the files in which it stands."""
    found: dict[str | tuple[str, ...], list[str]] = {}
    for text in (*WORDS, *OF_LIBRARIES):
        found[text] = ["scripts/words.py"]
    readers = {"*.py": messages_of, "*.toml": _of_data, "*.j2": _of_page}
    for folder in FOLDERS:
        for kind, read in readers.items():
            for path in sorted((root / folder).rglob(kind)):
                for text in read(path):
                    found.setdefault(text, []).append(path.relative_to(root).as_posix())
    return found


def _of_data(path: Path) -> Iterator[str]:
    """Yield the texts of a data file that are shown."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if path.name.startswith(("scenario-", "situation-")):
        data["title"] = data.get("name", "")
    yield from _shown(data)


def _shown(value: object, key: str = "") -> Iterator[str]:
    """Yield the texts of a value of a data file that are shown."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _shown(inner, "text" if key == "values" else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _shown(inner, key)
    elif isinstance(value, str) and key in _DATA and " " in value.strip():
        yield " ".join(value.split())


def _of_page(path: Path) -> Iterator[str]:
    """Yield the messages of a page's template: what ``tr`` is called with."""
    from jinja2.ext import babel_extract

    with path.open("rb") as file:
        for _, _, text, _ in babel_extract(file, ["tr"], [], {}):
            yield text if isinstance(text, str) else text[0]


def messages_of(path: Path) -> Iterator[str | tuple[str, ...]]:
    """Yield the marked messages of a file, of a plural both."""
    with path.open("rb") as file:
        for _, text, _, _ in extract(found, file, {"say": None, "say_n": (1, 2)}):
            if _WORD.search(_HOLE.sub("", text if isinstance(text, str) else text[0])):
                yield text


def found(
    file: IO[bytes], *asked: object, **more: object
) -> Iterator[tuple[int, str, Any, list[str]]]:
    """Yield the marked messages of a Python file: a method of extraction, as Babel calls it."""
    tree = ast.parse(file.read())
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.Call | ast.ClassDef | ast.FunctionDef)]
    for node in sorted(nodes, key=lambda each: (each.lineno, each.col_offset)):
        if not isinstance(node, ast.Call):
            yield from ((node.lineno, "say", text, []) for text in _paragraphs(node))
        elif called(node) == "say_n":
            yield node.lineno, "say_n", tuple(arg.value for arg in node.args[:2]), []
        else:
            yield from ((text.lineno, "say", text.value, []) for text in texts(node))
            yield from ((node.lineno, "say", word, []) for word in _stand_ins(node))


def _paragraphs(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """Yield the paragraphs of the docstring of a command or a request: they are its help."""
    text = ast.get_docstring(node) or ""
    is_command = any(
        isinstance(each, ast.Call) and called(each) in ("command", "group")
        for each in node.decorator_list
    )
    if is_command or (isinstance(node, ast.ClassDef) and "\b" in text):
        yield from (" ".join(p.split()) for p in text.split("\n\n") if not p.startswith("\b"))


def _stand_ins(node: ast.Call) -> Iterator[str]:
    """Yield the words that stand for the values of an option, as FILE."""
    given = [keyword.value for keyword in node.keywords if keyword.arg == "metavar"]
    given += node.args[1:2] if called(node) == "Option" else []
    for value in given:
        if isinstance(value, ast.Constant):
            yield from re.findall(r"[A-Z]{3,}", str(value.value))


def called(node: ast.Call) -> str:
    """Return the name of a function or method that is called."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def texts(node: ast.Call) -> Iterator[ast.Constant]:
    """Yield the texts that a call marks."""
    for place in CALLS.get(called(node), ()):
        for argument in node.args[place : place + 1]:
            if not (called(node) == "Option" and isinstance(argument, ast.List)):  # click's
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


_UNSHOWN = {  # calls whose texts nobody is shown
    *("AssertionError", "AttributeError", "cast", "compile", "TypeVar", "getattr", "Choice"),
    *("startswith", "removeprefix", "removesuffix", "split", "partition", "tr", "parts"),
}
_NAMING = {"metavar", "loc", "package_name", "prog_name", "encoding", "family", "fontfamily"}
_MARKUP = re.compile(r"[^<>]*[<>].*", re.DOTALL)  # tags of pages: what they show is given by tr


def unmarked(path: Path) -> list[tuple[str, int]]:
    """Return the texts of a file that look like some for people and that nobody marked."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = set(_hidden(tree))
    return [(text, node.lineno) for node, text in _written(tree, hidden) if _is_for_people(text)]


def _written(node: ast.AST, hidden: set[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """Yield the strings of a tree, of those with values in them what is written of them."""
    if node in hidden:
        return
    match node:
        case ast.Constant(value=str(text)):
            yield node, text
        case ast.JoinedStr(values=pieces):
            literal = [p.value if isinstance(p, ast.Constant) else "{}" for p in pieces]
            yield node, "".join(map(str, literal))
            for piece in pieces:
                if isinstance(piece, ast.FormattedValue):
                    yield from _written(piece.value, hidden)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _written(child, hidden)


def _hidden(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes whose strings are marked, or that nobody is shown."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                yield node.value
            case ast.Subscript(slice=inside):
                yield inside
            case ast.Call(args=args, keywords=keywords):
                yield from texts(node)
                yield from args[:2] if called(node) == "say_n" else ()
                yield from args if called(node) in _UNSHOWN else ()
                yield from (k.value for k in keywords if k.arg in _NAMING)
                yield from args[1:2] if called(node) == "Option" else ()
        for field in ("annotation", "returns"):
            if isinstance(getattr(node, field, None), ast.AST):
                yield getattr(node, field)


def _is_for_people(text: str) -> bool:
    """Whether a text has words with a blank beside them, and is nothing that is typed."""
    bare = text.strip(" ,;:()\n")
    words = _WORD.search(_HOLE.sub("", bare))
    return bool(words and " " in bare and not TYPED.fullmatch(bare) and not _MARKUP.match(bare))
