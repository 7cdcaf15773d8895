"""Pages that stand alone: one file of HTML with all it needs, and no network."""

from base64 import b64encode
from functools import cache
from gzip import compress
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from .speech import language, tr

if TYPE_CHECKING:
    from jinja2 import Environment


def page(template: str, **values: Any) -> str:
    """Return a page.

    Parameters
    ----------
    template : str
        A file by its path below ``sim``, which extends ``text/page.html.j2``.
    **values
        What it shows; text is escaped unless it is marked as HTML (`as_html`).
    """
    rendered: str = _environment().get_template(template).render(**values, language=language())
    return rendered


def spaced(mark: str) -> str:
    """Return a colon or a semicolon, with the space that French has before it."""
    return f"\N{NO-BREAK SPACE}{mark}" if language() == "fr" else mark


def as_html(text: str) -> Any:
    """Return text as HTML that is put into a page as it is."""
    from markupsafe import Markup

    return Markup(text)


def packed_data(text: str) -> str:
    """Return text compressed, for a page that unpacks it; the same to the byte each time."""
    return b64encode(compress(text.encode(), 9, mtime=0)).decode()


def _source(name: str) -> str:
    return files("estoc.sim").joinpath(name).read_text(encoding="utf-8")


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    found = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {"tr": tr, "spaced": spaced, "source": lambda name: as_html(_source(name))}
    return found
