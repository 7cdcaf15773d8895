"""Messages of the program that people read, found in its source: templates as gettext asks.

A string of the source with values in it, as ``f"{len(rows)} rows of {path}"``, is the message
``{rows} rows of {path}``. Choices inside one are written out: ``f"row{'s' * many}"`` gives
``row`` and ``rows``. So a text that the program put together can be known again, and told in
another language, wherever it is shown (`estoc.sim.text.speech`).
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from marks import ROOT, TYPED, is_marked, messages_of, texts
from shown_words import OF_LIBRARIES, WORDS

FOLDERS = ("sim", "profiles")

_MOST = 24  # most messages that the choices in one string give
_WORD = re.compile(r"[A-Za-zé]{2,}")
_MARKUP = {"html.py"}  # `sim.text.html`, of tags: what is shown there goes through tr
_NO_TEXT = {
    "AssertionError",
    "AttributeError",
    "cast",
    "compile",
    "TypeVar",
    "getattr",
    "tr",
    "startswith",
    "removeprefix",
    "split",
}
_NO_OPTIONS = {"metavar", "loc", "package_name", "prog_name", "encoding", "family", "fontfamily"}
_DATA_TEXTS = {"title", "text", "kind_text", "note", "assumed", "kind", "strength"}
_HEADED = {"headings", "columns_shown", "heading"}


@dataclass(frozen=True)
class Hole:
    """The place of a value in a message."""

    name: str
    number: bool = False


Parts = tuple["str | Hole", ...]


def unmarked(path: Path, root: Path = ROOT) -> list[tuple[str, int]]:
    """Return the texts of a file that people are shown and that nobody marked, and their lines."""
    found = _Source(path, root).messages()
    return [(text, line) for text, line in found if not TYPED.fullmatch(text)]


def messages(root: Path = ROOT) -> dict[str | tuple[str, ...], list[tuple[str, int]]]:
    """Return each message, of a plural both, and where it stands: file and line."""
    found: dict[str, list[tuple[str, int]]] = {}
    for text in (*WORDS, *OF_LIBRARIES):
        found[text] = [("scripts/shown_words.py", 1)]
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            for text, line in _of_python(path, root):
                found.setdefault(text, []).append((path.relative_to(root).as_posix(), line))
        for path in sorted((root / folder).rglob("*.toml")):
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            if path.name.startswith(("scenario-", "situation-")):
                data["title"] = data.get("name", "")
            for text in _of_data(data):
                found.setdefault(text, []).append((path.relative_to(root).as_posix(), 1))
        for path in sorted((root / folder).rglob("*.j2")):
            for text, line in _of_page(path):
                found.setdefault(text, []).append((path.relative_to(root).as_posix(), line))
    return found


def _of_python(path: Path, root: Path) -> Iterator[tuple[str | tuple[str, ...], int]]:
    """Yield the messages of a Python file and their lines."""
    yield from messages_of(path) if is_marked(path, root) else _Source(path, root).messages()


def _of_data(value: object, key: str = "") -> Iterator[str]:
    """Yield the texts of a data file that are shown."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _of_data(inner, "text" if key == "values" else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _of_data(inner, key)
    elif isinstance(value, str) and key in _DATA_TEXTS and " " in value.strip():
        yield " ".join(value.split())


def _of_page(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the messages of a page's template: what ``tr`` is called with."""
    from jinja2.ext import babel_extract

    with path.open("rb") as file:
        for line, _, text, _ in babel_extract(file, ["tr"], [], {}):
            yield (text if isinstance(text, str) else text[0]), line


class _Source:
    """One file of the program."""

    def __init__(self, path: Path, root: Path) -> None:
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.is_commands = not {"ask", "cli"}.isdisjoint(path.relative_to(root).parts)
        self.is_markup = path.name in _MARKUP
        self.is_marked = is_marked(path, root)
        self.parent = {
            child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)
        }
        self.skipped = set(self._unshown())
        self.found: list[tuple[str, int]] = []

    def messages(self) -> list[tuple[str, int]]:
        """Return its messages that are not marked, and their lines, each once a place."""
        if self.is_markup:
            for node in ast.walk(self.tree):
                if isinstance(node, ast.Call) and _is_told(node):
                    self._call(node)
        else:
            self._walk(self.tree)
            for node in ast.walk(self.tree):
                if not self.is_marked and isinstance(node, ast.Call) and _called(node) == "Option":
                    self._option(node)
        return self.found

    def _option(self, node: ast.Call) -> None:
        """Take the help of a field of a request, and the words that stand for its values."""
        given = dict(zip(("help", "metavar"), node.args, strict=False))
        given |= {keyword.arg: keyword.value for keyword in node.keywords}
        if "help" in given:
            self._text(given["help"])
        self._metavar(given.get("metavar"), node.lineno)

    def _unshown(self) -> Iterator[ast.AST]:
        """Yield the nodes whose strings nobody is shown: docstrings, annotations, names."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                yield node.value
            for field in ("annotation", "returns"):
                if isinstance(getattr(node, field, None), ast.AST):
                    yield getattr(node, field)
            if isinstance(node, ast.Call):
                name = _called(node)
                if name in _NO_TEXT or _is_told(node):
                    yield from node.args
                if self.is_marked:
                    yield from texts(node)
                if name == "Choice":
                    yield from node.args
                yield from (k.value for k in node.keywords if k.arg in _NO_OPTIONS)
            if isinstance(node, ast.Subscript):
                yield node.slice

    def _walk(self, node: ast.AST) -> None:
        if node in self.skipped:
            if not isinstance(node, ast.Constant):
                return
            return
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and self.is_commands:
            self._help(node)
        if isinstance(node, ast.Call):
            self._call(node)
        if _is_text(node):
            self._text(node)
            for inner in ast.iter_child_nodes(node):
                self._inside(inner)
            return
        for child in ast.iter_child_nodes(node):
            self._walk(child)

    def _inside(self, node: ast.AST) -> None:
        """Look for further texts inside the values of one."""
        if isinstance(node, ast.Constant):
            return
        if isinstance(node, ast.FormattedValue):
            self._choices(node.value)
        elif isinstance(node, ast.JoinedStr | ast.BinOp):
            for inner in ast.iter_child_nodes(node):
                self._inside(inner)
        else:
            self._choices(node)

    def _choices(self, node: ast.AST) -> None:
        """Pass over constants that were written out in the text around them."""
        if isinstance(node, ast.Constant):
            return
        if isinstance(node, ast.IfExp | ast.BinOp | ast.BoolOp):
            for inner in ast.iter_child_nodes(node):
                self._choices(inner)
            return
        self._walk(node)

    def _help(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        """Take the docstring of a command or a request, by paragraphs."""
        text = ast.get_docstring(node)
        decorated = {_called(d) if isinstance(d, ast.Call) else "" for d in node.decorator_list}
        is_request = isinstance(node, ast.ClassDef) and "\b" in (text or "")
        if text is None or not (is_request or decorated & {"command", "group"}):
            return
        for paragraph in text.split("\n\n"):
            if paragraph.startswith("\b"):
                continue
            whole = " ".join(paragraph.split())
            self._add(whole, node.lineno)

    def _call(self, node: ast.Call) -> None:
        if self.is_marked:
            return
        name = _called(node)
        if _is_told(node):
            self._add(node.args[0].value, node.lineno)
        if name == "plural" and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            noun = node.args[1].value
            self._add(f"1 {noun}", node.lineno)
            plurals = {"die": "dice", "policy": "policies"}
            self._add(f"{{number}} {plurals.get(noun, noun + 's')}", node.lineno)
        for keyword in node.keywords:
            if keyword.arg == "metavar":
                self._metavar(keyword.value, node.lineno)

    def _metavar(self, node: ast.AST | None, line: int) -> None:
        """Take the words that stand for values."""
        if isinstance(node, ast.Constant):
            for word in re.findall(r"[A-Z]{3,}", str(node.value)):
                self._add(word, line)

    def _text(self, node: ast.AST) -> None:
        headed = self._is_heading(node)
        for parts in self._options(node):
            text, literal = _template(parts)
            text = _bared(text)
            if _worth_telling(text, literal, headed):
                self._add(text, node.lineno)

    def _add(self, text: str, line: int) -> None:
        self.found.append((text, line))

    def _is_heading(self, node: ast.AST) -> bool:
        """Whether a string is among the headings of a table."""
        above = self.parent.get(node)
        while isinstance(above, ast.List | ast.Tuple | ast.Starred | ast.IfExp | ast.BinOp):
            node, above = above, self.parent.get(above)
        if isinstance(above, ast.Call) and _called(above) == "styled":
            return above.args[0] is node
        if isinstance(above, ast.Call) and _called(above) == "table_of":
            return bool(above.args) and above.args[0] is node
        if isinstance(above, ast.Assign | ast.AugAssign | ast.AnnAssign):
            return bool(_targets(above) & _HEADED)
        if isinstance(above, ast.Call) and isinstance(above.func, ast.Attribute):
            of = above.func.value
            if isinstance(of, ast.Name) and of.id in _HEADED:
                return True
            return above.func.attr in {"set_xlabel", "set_ylabel", "set_title"}
        return isinstance(above, ast.keyword) and above.arg in {
            "label",
            "title",
            "xlabel",
            "ylabel",
        }

    def _options(self, node: ast.AST, depth: int = 0) -> list[Parts]:
        """Return what a string may be, each way as literal parts and values."""
        if isinstance(node, ast.Constant):
            return [(str(node.value),)] if isinstance(node.value, str) else [(Hole("value"),)]
        if isinstance(node, ast.JoinedStr):
            return _capped([self._options(v, depth) for v in node.values], node)
        if isinstance(node, ast.FormattedValue):
            spec = ast.unparse(node.format_spec) if node.format_spec else ""
            if not spec and depth < 4 and _has_choices(node.value):
                return self._options(node.value, depth + 1)
            if not spec and isinstance(node.value, ast.Name):
                known = self._assigned(node.value)
                if known is not None:
                    return self._options(known, depth + 1)
            return [(Hole(_name(node.value), bool(re.search(r"[fdg%,]'?$", spec))),)]
        if isinstance(node, ast.IfExp):
            return self._options(node.body, depth + 1) + self._options(node.orelse, depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return _capped(
                [self._options(side, depth + 1) for side in (node.left, node.right)], node
            )
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            text = next((s for s in (node.left, node.right) if _is_text(s)), None)
            if text is not None:
                return [("",), *self._options(text, depth + 1)]
        return [(Hole(_name(node)),)]

    def _assigned(self, name: ast.Name) -> ast.AST | None:
        """Return the choice that a local name stands for, if it is given one only."""
        above: ast.AST | None = name
        while above is not None and not isinstance(above, ast.FunctionDef):
            above = self.parent.get(above)
        if above is None:
            return None
        values = [
            node.value
            for node in ast.walk(above)
            if isinstance(node, ast.Assign) and name.id in _targets(node)
        ]
        if len(values) == 1 and _has_choices(values[0]):
            return values[0]
        return None


def _is_told(node: ast.Call) -> bool:
    """Whether a call tells a message as it is written, with ``{names}`` for values."""
    if not node.args or not isinstance(node.args[0], ast.Constant):
        return False
    return isinstance(node.func, ast.Name) and node.func.id in ("tr", "told")


def _targets(node: ast.AST) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return {t.id for t in targets if isinstance(t, ast.Name)}


def _called(node: ast.Call) -> str:
    of = node.func
    return of.id if isinstance(of, ast.Name) else of.attr if isinstance(of, ast.Attribute) else ""


def _is_text(node: ast.AST) -> bool:
    """Whether an expression is a string that the source writes."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.JoinedStr):
        return True
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add)
        and (_is_text(node.left) or _is_text(node.right))
    )


def _has_choices(node: ast.AST) -> bool:
    """Whether a value is one of a few strings that the source writes."""
    if isinstance(node, ast.IfExp):
        return all(_is_text(side) or _has_choices(side) for side in (node.body, node.orelse))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _is_text(node.left) or _is_text(node.right)
    return False


def _capped(options: list[list[Parts]], node: ast.AST) -> list[Parts]:
    """Return all ways to choose, or the values as such where there are too many."""
    number = 1
    for each in options:
        number *= len(each)
    if number > _MOST:
        options = [each if len(each) == 1 else [(Hole("text"),)] for each in options]
    return [tuple(part for parts in chosen for part in parts) for chosen in product(*options)]


def _name(node: ast.AST) -> str:
    """Return a word for a value of the source."""
    if isinstance(node, ast.Name):
        return node.id.strip("_").lower() or "value"
    if isinstance(node, ast.Attribute):
        return node.attr.strip("_").lower()
    if isinstance(node, ast.Call):
        if _called(node) in {"len", "max", "min", "str", "abs", "int", "float"} and node.args:
            return _name(node.args[0])
        if _called(node) == "join" and node.args:
            return _name(node.args[0])
        if _called(node) in {"rate", "range_of"} and len(node.args) > 1:
            return _called(node)
        return _called(node).strip("_").lower() or "value"
    if isinstance(node, ast.Subscript):
        inner = node.slice
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            return re.sub(r"\W", "_", inner.value).lower()
        return _name(node.value)
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        return _name(node.elt)
    if isinstance(node, ast.BinOp):
        return _name(node.left)
    return "value"


def _template(parts: Parts) -> tuple[str, str]:
    """Return parts as a template, and its literal text alone."""
    used: dict[str, int] = {}
    text = literal = ""
    for part in parts:
        if isinstance(part, str):
            text += part.replace("{", "{{").replace("}", "}}")
            literal += part
            continue
        used[part.name] = used.get(part.name, 0) + 1
        name = part.name + (str(used[part.name]) if used[part.name] > 1 else "")
        text += f"{{{name}:n}}" if part.number else f"{{{name}}}"
        literal += "\0"
    return text, literal


def _bared(text: str) -> str:
    """Return a template without what joins it to others."""
    text = text.strip(" ,;:\n")
    if text.startswith("(") and text.endswith(")") and "(" not in text[1:]:
        return text[1:-1]
    if text.count("(") > text.count(")"):
        return text.lstrip("(")
    return text


def _worth_telling(text: str, literal: str, headed: bool) -> bool:
    """Whether a template is for people: words, not a key of a file nor a part of a path."""
    bare = literal.replace("\0", " ")
    words = _WORD.findall(bare)
    if not words:
        return False
    if headed:
        return True
    if not re.search(r"\s", literal.strip(" ,;:()\n")) and "\0" not in literal:
        return False
    if not re.search(r"\s", literal):
        return False
    return not re.fullmatch(
        r"(\{\w+\}(?:[.:/] ?| (?=\{)))+[\w.]+(: item| \{\w+\}|: \w+)?( \{\w+\})?", text
    )
