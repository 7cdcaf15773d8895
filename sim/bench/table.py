"""What `estoc bench` found, as tables of 80 columns."""

from collections.abc import Iterable
from typing import Any

from ...profiles.message import say, say_n
from ..text.printing import Block, apart, group, styled, table_of

Row = dict[str, Any]


def in_words(value: float) -> str:
    """Return seconds with a unit.

    >>> in_words(1.84e-6), in_words(7.17e-10)
    ('1.84 µs', '717 ps')
    """
    if value >= 1:
        return say("{:.3g} s", value)
    if value >= 1e-3:
        return say("{:.3g} ms", value * 1e3)
    if value >= 1e-6:
        return say("{:.3g} µs", value * 1e6)
    return say("{:.3g} ns", value * 1e9) if value >= 1e-9 else say("{:.3g} ps", value * 1e12)


def significant(value: float) -> str:
    """Return a number to three digits, never with an exponent.

    >>> significant(15519.09), significant(0.0000644), significant(23.07)
    ('15,500', '0.0000644', '23.1')
    """
    rounded = float(f"{value:.3g}")
    if rounded >= 1000:
        return f"{rounded:,.0f}"
    text = f"{value:.3g}"
    return text if "e" not in text else f"{value:.{2 + int(text.partition('e-')[2])}f}"


def speed(value: float) -> str:
    """Return answers a second.

    >>> speed(1394701534.4), speed(22907595.6), speed(10027.8), speed(129.4)
    ('1.39 G', '22.9 M', '10.0 k', '129')
    """
    for unit, scale in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= scale:
            return say("{} {}", f"{value / scale:#.3g}".rstrip("."), unit)
    return f"{value:#.3g}".rstrip(".")


def times(row: Row) -> list[str]:
    """Return the best and the middle time of a row."""
    return [in_words(row["ns"][key] * 1e-9) for key in ("least", "median")]


def ratios(timing: dict[str, float]) -> list[str]:
    """Return a ratio of the best times, and that by round."""
    return [significant(timing[key]) for key in ("least", "median")]


def titled(title: str, table: Block, *notes: str) -> Block:
    """Return a table below its title and above its notes, a line each."""
    return group([styled(title, "bold"), table, *map(styled, notes)])


def agreement_told(found: Row) -> str:
    """Return how well all that was timed agrees."""
    return say("all agree: largest |z| of a cell {:.1f}", found["largest_z"])


def report_table(report: Row) -> Block:
    """Return a whole report."""
    parts: list[Block] = [machine_table(report)]
    for part, shown in _PARTS.items():
        if part in report:
            parts += shown(report[part])
    return apart(parts)


def machine_table(report: Row) -> Block:
    """Return what the figures were taken on, and how."""
    timed = report["timed"]
    libraries = (f"{name} {number}" for name, number in report["versions"].items())
    lines = [*report["machine"].items(), ("versions", ", ".join(libraries))]
    core = timed["pinned_to_core"]
    pinned = (
        say("not pinned to a core") if core is None else say("one thread pinned to core {}", core)
    )
    how = say("{}, everything in turn, {}", say_n("{} round", "{} rounds", timed["rounds"]), pinned)
    quick = [say("a quick run: shows that it works, not how fast")] * timed["quick"]
    return group([table_of(["", ""], lines, "tt"), *map(styled, [how, *quick])])


def kernel_tables(found: Row) -> Iterable[Block]:
    """Yield the samplers, dice by dice."""
    for dice, one in found.items():
        headings = [
            say("kernel"),
            say("min"),
            say("median"),
            say("a second"),
            say("× plain"),
            say("by round"),
        ]
        lines = [
            [name, *times(row), speed(row["per_second"]), *ratios(row["times_plain"])]
            for name, row in one["rows"].items()
        ]
        chi = say("largest chi²/df of two of them {:.2f}", one["largest_chi_square_by_df"])
        yield titled(
            say("Sampled duels, {}", dice),
            table_of(headings, lines, "t"),
            say("× plain: times as fast as numba, plain; by round: middle of the rounds' ratios"),
            agreement_told(one),
            chi,
        )


def exact_tables(found: Row) -> Iterable[Block]:
    """Yield the exact odds."""
    plain = found["plain_ns"]["least"]
    lines = []
    for name, row in found["rows"].items():
        trials = row.get("trials_for_a_tenth_of_a_point")
        gain = significant(trials * plain / row["ns"]["least"]) if trials else ""
        equal = ratios(row["plain_duels"])
        lines.append([name, *times(row), speed(row["per_second"]), *equal, gain])
    yield titled(
        say("Exact odds of a duel"),
        table_of(["duel", "min", "median", "a second", "duels", "by round", "± 0.1"], lines, "t"),
        say("duels: so many does numba, plain sample in that time"),
        say("± 0.1: times as fast as numba, plain at 0.1 points either way (95 %)"),
        agreement_told(found),
    )


def peer_tables(found: Row) -> Iterable[Block]:
    """Yield the single tests."""
    lines = [
        [
            *(name, who, *times(row), significant(row["times_estoc"]["least"])),
            significant(row["times_estoc_no_table"]["least"]),
        ]
        for name, rows in found["rows"].items()
        for who, row in rows.items()
    ]
    test = found["test"]
    notes = (
        say(
            "attack: ATT {} against DEF {}, {} defence dice",
            test["attack"],
            test["defence"],
            test["dice"],
        ),
        say(
            "damage: with its wound roll; opposed test: INI {} against {}",
            test["ini"][0],
            test["ini"][1],
        ),
        say("every 6 is re-rolled; they agree to 12 digits; ratios of the best times"),
    )
    headings = [
        say("test"),
        say("stated in"),
        say("min"),
        say("median"),
        say("times estoc"),
        say("no table yet"),
    ]
    yield titled(say("Single tests"), table_of(headings, lines, "tt"), *notes)
    if found["missing"]:
        yield styled(say("not installed: {}", found["missing"]))


def growth_tables(found: Row) -> Iterable[Block]:
    """Yield how the work grows."""
    headings = [
        say("combat"),
        say("kernel"),
        say("min"),
        say("median"),
        say("a second"),
        say("× plain"),
    ]
    exact = say("estoc, exact: all odds at once, beside one sampled combat")
    beside = say("× plain: times as fast as numba, plain")
    beside_duel = say("× plain: times as fast as numba, plain at the duel")
    for title, rows, plain in (
        (say("By dice"), found["dice"], beside),
        (say("By fighters"), found["fighters"], beside_duel),
    ):
        lines = [
            [
                *(combat, name, *times(row), speed(row["per_second"])),
                significant(row["times_plain"]["least"]),
            ]
            for combat, one in rows.items()
            for name, row in one["rows"].items()
        ]
        worst = max(rows.values(), key=lambda one: one["largest_z"])
        yield titled(title, table_of(headings, lines, "tt"), plain, exact, agreement_told(worst))
    lines = [
        [name, n, *times(row), speed(row["per_second"]), *ratios(row["times_one_thread"])]
        for name, rows in found["threads"].items()
        for n, row in rows.items()
    ]
    headings = [
        say("kernel"),
        say("threads"),
        say("min"),
        say("median"),
        say("a second"),
        say("× 1 thread"),
        say("by round"),
    ]
    yield titled(
        say("By threads"), table_of(headings, lines, "t"), say("the same counts for any number")
    )


def start_tables(found: Row) -> Iterable[Block]:
    """Yield the start-up times."""
    lines = [
        [name, *(in_words(row["seconds"][key]) for key in ("least", "median"))]
        for name, row in found.items()
    ]
    yield titled(
        say("Start-up times"),
        table_of(["what", "min", "median"], lines, "t"),
        say("by the wall clock; cold: with the kernels to compile"),
    )


_PARTS = {
    "kernels": kernel_tables,
    "exact": exact_tables,
    "peers": peer_tables,
    "growth": growth_tables,
    "start-up": start_tables,
}
