"""Text for terminals and files whose encoding lacks some letters: errors="estoc"."""

import codecs
import unicodedata

_PLAIN = {
    **dict.fromkeys("‘’‚‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−─━═·•", "-"),
    **dict.fromkeys("│┃║", "|"),
    **{"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"},
    **{"→": "->", "←": "<-", "↔": "<->", "⇒": "=>", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~"},
    **{"×": "x", "±": "+/-", "ß": "ss", "€": "EUR", "°": "deg", "⁄": "/", "đ": "d", "Đ": "D"},
}


def safe(text: str, encoding: str) -> str:
    """Return the text with what the encoding lacks written in another way.

    Its accents are dropped, its ligatures, arrows, quotes, dashes and boxes written with
    plain characters; ``?`` stands for the rest.

    >>> safe("Cœur d’été → 3 ≤ 4", "ascii")
    "Coeur d'ete -> 3 <= 4"
    """
    return unicodedata.normalize("NFC", text).encode(encoding, "estoc").decode(encoding)


def _ascii(letter: str) -> str:
    """Return the nearest ASCII text for a letter: every encoding has it."""
    parts = unicodedata.normalize("NFKD", _PLAIN.get(letter, letter))
    bare = "".join(_PLAIN.get(p, p) for p in parts if not unicodedata.combining(p))
    if bare.isascii():
        return bare
    return "+" if "─" <= letter <= "╿" else "?"


def _encoding_error(error: UnicodeError) -> tuple[str, int]:
    """Return what replaces the letters that cannot be encoded, as `codecs` asks for.

    Code pages do not tell their name here, hence nothing but ASCII is sure to do.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_ascii, error.object[error.start : error.end])), error.end


codecs.register_error("estoc", _encoding_error)
