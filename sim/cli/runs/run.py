"""`estoc run`: a batch of commands, in a folder that survives."""

import sys

import click

from ....profiles.message import say
from ..help import FAILED, Command, Whole
from ..options import THREADS


@click.command(cls=Command)
@click.argument("batch", type=click.Path(), metavar="BATCH.toml|RUN")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(),
    metavar="RUN",
    help="Folder of the run. [default: the batch's name with .run, here]",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with the run that the folder holds; of a RUN, with what it has kept.",
)
@click.option("--dry-run", is_flag=True, help="Only say which cells there are, and how much work.")
@click.option("--threads", type=THREADS, help="All cores if not given.")
@click.option("--workers", type=Whole(1), metavar="N", help="Processes of this machine instead.")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Workers of a dask.distributed cluster instead, as tcp://host:8786 or its file.",
)
def run(
    batch: str,
    folder: str | None,
    resume: bool,
    dry_run: bool,
    threads: int | None,
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Run a batch: any number of commands and grids of them, in a folder that survives.

    Whatever stops a run, even the machine, costs the chunks in flight and nothing else: the same
    command with --resume goes on. The results are the same for any threads, workers and stops.

    \b
    estoc run batch.toml --dry-run
    estoc run batch.toml -o griffons.run --workers 2
    estoc run griffons.run --resume
    """
    from ...ask.output import tell
    from ...base.progress import run_bar
    from ...batch import runs as module
    from ...batch.folder import load_run
    from ...batch.table import plan_table, run_table
    from ...text.printing import print_renderable

    if dry_run:
        print_renderable(plan_table(module.foreseen(batch)))
        return
    place = module.place_of(batch, folder, resume)
    hire = module.hiring(threads, workers, scheduler)
    try:
        with run_bar() as watch:
            module.run(batch, place, resume=resume, hire=hire, watch=watch)
    except module.RunStopped as stop:
        tell(str(stop))
        sys.exit(FAILED)
    except KeyboardInterrupt:
        tell(say('stopped by Ctrl-C; what is finished is kept in "{}": go on with --resume', place))
        sys.exit(FAILED)
    found = load_run(place)
    print_renderable(run_table(found))
    for line in found.warnings:
        tell(line)
    for line in found.errors:
        tell(say("failed: {}", line))
    if found.errors:
        sys.exit(FAILED)
