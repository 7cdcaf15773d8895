"""How fast Estoc is on a machine, beside plain programs and dice libraries, in one run.

Machines and their load differ by more than kernels do: everything is timed in turn, round by
round, so compare ratios, not nanoseconds.
"""

import json
import os
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from numba.core import config

from ...profiles.errors import InputError
from ...profiles.message import say
from ..ask.output import Output, print_bytes, tell
from ..base.libraries import versions
from ..text.printing import print_renderable, rendered
from ..text.writing import write_whole
from .growth import time_growth
from .kernels import time_exact, time_kernels
from .libraries import time_peers
from .peers import PEERS
from .start import time_start
from .table import report_table
from .timing import CORES, pinned, pinned_core

WIDTH = 80  # of a table in a file

Report = dict[str, Any]

PARTS: dict[str, Callable[[int, bool], dict[str, Any]]] = {
    "kernels": time_kernels,
    "exact": time_exact,
    "peers": time_peers,
    "growth": time_growth,
    "start-up": time_start,
}
ROUNDS, QUICK_ROUNDS = 15, 3

_CPUS = Path("/proc/cpuinfo")


def bench(
    parts: Sequence[str] = (),
    rounds: int | None = None,
    quick: bool = False,
    told: Callable[[str], None] | None = None,
) -> Report:
    """Check and time parts of Estoc.

    Parameters
    ----------
    parts : sequence of str
        Of `PARTS`; all if none.
    rounds : int, optional
        How often each is timed; 15, or 3 if quick.
    quick : bool
        Few trials in the checks: shows that it works, not how fast.
    told : callable, optional
        Called with the name of each part before it begins.

    Returns
    -------
    dict
        By part, and ``machine``, ``versions`` and how it was timed; fit for JSON.

    Raises
    ------
    InputError
        If there is no such part.
    Disagreement
        If two ways to one answer give different ones.
    """
    for part in parts:
        if part not in PARTS:
            raise InputError('bench: "{}" should be one of {}', part, PARTS)
    rounds = rounds or (QUICK_ROUNDS if quick else ROUNDS)
    report: Report = {"machine": machine(), "versions": versions() | library_versions()}
    report["timed"] = {"rounds": rounds, "quick": quick, "pinned_to_core": pinned_core()}
    for part in [part for part in PARTS if part in parts or not parts]:
        if told:
            told(part)
        with pinned():
            report[part] = PARTS[part](rounds, quick)
    return report


# ---------------------------------------------------------------------------- the machine


def machine() -> dict[str, str]:
    """Return what the figures are taken on."""
    facts = {"system": f"{platform.system()} {platform.machine()}"}
    rows = _processor_facts()
    facts["processor"] = rows.get("model name") or platform.processor() or "unknown"
    flags = set(rows.get("flags", "").split()) & {"avx2", "avx512f"}
    if rows.get("flags"):
        facts["flags"] = " ".join(sorted(flags)) or say("neither avx2 nor avx512f")
    facts["compiled for"] = " ".join(filter(None, compiled_for()))
    facts["cores"] = str(len(CORES))
    if hasattr(os, "getloadavg"):
        facts["load"] = say("{:.1f} when it began", os.getloadavg()[0])
    return facts


def compiled_for() -> tuple[str, str]:
    """Return the processor that kernels are compiled for, and features if not all that it has."""
    from llvmlite.binding import get_host_cpu_name

    told: Any = config
    name = told.CPU_NAME or get_host_cpu_name()
    return (get_host_cpu_name() if name == "host" else name), told.CPU_FEATURES or ""


def _processor_facts() -> dict[str, str]:
    """Return what Linux tells of the first processor."""
    rows: dict[str, str] = {}
    if _CPUS.is_file():
        for line in _CPUS.read_text().splitlines():
            key, _, value = line.partition(":")
            rows.setdefault(key.strip(), value.strip())
    return rows


def library_versions() -> dict[str, str]:
    """Return the versions of the compiler and of the dice libraries that are installed."""
    found = {}
    for name in ("llvmlite", *PEERS):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


# ---------------------------------------------------------------------------- delivery


def place_of(form: str | None, path: str | None) -> Output:
    """Return where a report goes, before the work."""
    place = Output(form, path)
    if place.form not in ("table", "json"):
        raise InputError("bench: a report is a table or json, not {}", place.form)
    return place


def deliver(report: Report, place: Output) -> None:
    """Print or write a report."""
    if place.form == "table" and not place.path:
        print_renderable(report_table(report))
        return
    if place.form == "table":
        text = rendered(report_table(report), WIDTH)
    else:
        text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    if place.path:
        write_whole(place.path, text.encode())
        tell(say("wrote {}", place.path))
    else:
        print_bytes(text.encode())
