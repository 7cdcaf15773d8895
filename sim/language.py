"""The language of what people read: English as it is written here, or French."""

from contextvars import ContextVar

_language: ContextVar[str] = ContextVar("language", default="en")


def tr(text: str, **values: object) -> str:
    """Return a text in the language in use.

    Parameters
    ----------
    text : str
        English, with ``{names}`` where values stand.
    **values
        What stands there.
    """
    return text.format(**values) if values else text
