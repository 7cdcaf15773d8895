"""How far a run is: trials done, rate and time left, on a terminal only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], None] | None]:
    """Give a function to call with the trials just done; None where nobody watches."""
    announce_compilation()
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} trials"),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bars:
        task = bars.add_task("", total=total, rate="")

        def advance(trials: int) -> None:
            bars.advance(task, trials)
            speed = bars.tasks[0].speed
            if speed:
                bars.update(task, rate=f"{speed / 1e6:.1f} million a second")

        yield advance


def announce_compilation(kernel: str = "count") -> None:
    """Say why the first run takes longer: its kernel is compiled, then kept.

    Parameters
    ----------
    kernel : str
        The function of `estoc.kernels.trials` that is about to run.
    """
    from estoc.kernels._jit import CACHE_DIR

    if not any(CACHE_DIR.rglob(f"*.{kernel}-*.nbi")):
        what = f"compiling the kernel {kernel}, this once: about 15 seconds"
        print(f"estoc: {what}", file=sys.stderr)
