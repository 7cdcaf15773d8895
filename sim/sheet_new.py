"""A situation file to begin with, that a person fills in (1.1)."""

from importlib.resources import files
from pathlib import Path

from estoc.profiles import InputError
from estoc.sim.language import language


def new_situation(path: str | Path) -> Path:
    """Write a situation with a remark on each key, in the language in use; it can be asked about.

    Parameters
    ----------
    path : str or Path
        Ends in ``.toml``; what is there already is not touched.

    Raises
    ------
    InputError
        If a file is there, or none can be written.
    """
    target = Path(path)
    if target.suffix != ".toml":
        raise InputError(f"{target}: a situation is a .toml file; name it so")
    text = files("estoc.profiles").joinpath(f"sheet-new-{language()}.toml").read_bytes()
    try:
        with target.open("xb") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{target}: is there already; take another name") from None
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from None
    return target
