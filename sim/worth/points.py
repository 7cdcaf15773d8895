"""Are the points right? What each fighter is worth in the field, against what its card costs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...profiles.armies.army import load_army
from ...profiles.errors import InputError
from ...profiles.fighters.abilities import unmodelled
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.files.toml import shipped_names
from ...profiles.letters import fold
from ...profiles.message import joined, say, say_all, say_n
from ..base.answer import PLAYED, SECTION, AnswerKind, columns, estimates, origin_columns
from ..base.libraries import check_installed
from ..base.naming import fighters_of, left_out, missing_cells
from ..base.options import Options, estoc_version, quoted
from ..base.policy import BEST_PLAY
from ..base.result import Result, Row
from ..combat.combatants import numbered, with_sets
from .book import solve_book
from .equilibrium import mixture
from .fit import FEWEST, PriceFit, check_prices, price_fit

POINTS = AnswerKind(
    "points",
    SECTION
    + columns("text", "origin of the card", "origin")
    + columns("text", "fighter of the card", "fighter", unit="fighter")
    + columns("text", "its people", "people")
    + columns("whole", "its price", "PA", unit="PA")
    + columns("number", "its value", "value")
    + columns("number", "value of its price by the line", "expected")
    + columns("number", "value less that", "difference")
    + columns("number", "its residual, externally studentised", "t")
    + columns("number", "chance of as much without any effect", "p", unit="share")
    + columns("number", "the same for all cards together (Holm)", "p_adjusted", unit="share")
    + columns("number", "leverage of its price on the line", "leverage")
    + columns("number", "how far it pulls the line (Cook's distance)", "cook")
    + columns("number", "how far it pulls its own value (DFFITS)", "dffits")
    + columns("truth", "whether that is much", "pulls")
    + columns("text", "over-priced, under-priced or neither", "verdict")
    + columns("text", "abilities that no duel plays", "unplayed")
    + estimates(say("price of its value by the line"), "fair_PA", unit="PA")
    + columns("number", "how often it is brought", "share", unit="share")
    + columns("text", "part or test of the line", "what")
    + columns("number", "its number", "number")
    + columns("number", "end of its interval", "low", "high")
    + columns("text", "form of the line, or what the test says", "text"),
    origin=origin_columns("method") + PLAYED + origin_columns("version", "command"),
    text="worth.points_table:blocks",
    picture="worth.points_plot:prices",
)
_row = POINTS.row

EQUILIBRIUM, EXCHANGE = VALUES = ("equilibrium", "exchange")
_OF_FIT = ("expected", "t", "p", "p_adjusted", "leverage", "cook", "dffits")
_NAMED = 6  # most of those brought that a note names
SURE = 0.05  # of a verdict's adjusted chance
UNDER, OVER = "under-priced", "over-priced"


class Values(NamedTuple):
    """What some fighters are worth."""

    # a win rate, or points destroyed less points lost, against the field
    values: NDArray[np.float64]
    # how often each is brought where everyone brings his best; nan where all weigh the same
    shares: NDArray[np.float64]


def points_audit(
    names: Sequence[str],
    *,
    value: str = EXCHANGE,
    options: Options | None = None,
    roster: Roster | None = None,
) -> Result:
    """Return what each fighter is worth against what it costs, origin by origin.

    Parameters
    ----------
    names : sequence of str
        Peoples, origins of cards, armies (files or names), fighters. Those of one origin are the
        field: cards of different editions are never put together.
    value : {"equilibrium", "exchange"}
        The chance to win, a draw being half of it, against opponents as they are brought where
        everyone brings his best; or the points (PA) destroyed less those lost, on average over
        all others. Both are exact, of a duel of one turn with best play of both.
    options : Options, optional
        Edition, rules, sets (``NAME.KEY=VALUE``), fighters, abilities.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.

    Returns
    -------
    Result
        Rows by ``section``: ``fighter`` (value, what its PA lets expect, the difference, how
        sure, what of it is not played, leverage and influence; in equilibrium the PA that it is
        worth), ``fit`` and ``diagnostic``.

    Raises
    ------
    InputError
        Before any work: if a name cannot be used, no origin has fighters enough or prices that
        differ, or statsmodels is missing.
    """
    if value not in VALUES:
        raise InputError('value "{}" should be one of {}', value, VALUES)
    check_installed("statsmodels", "audit")
    options = Options() if options is None else options
    roster = Roster.load(options.fighters) if roster is None else roster
    listed, notes = _listed(names, options, roster)
    fields, few = _fields(listed)
    rows: list[Row] = []
    asked: Result | None = None
    for origin, own in fields.items():
        book = _book(own, value, options, roster)
        asked = asked or book
        notes += book.notes
        found = values_of(book, own, value)
        rows += _rows(origin, own, found, value, options)
        if value == EQUILIBRIUM:
            notes.append(_brought(origin, own, found))
    if asked is None:
        raise InputError("audit: no origin has cards enough: {}", joined("; ", few))
    title = say("Points of {} cards", sum(r["section"] == "fighter" for r in rows))
    if list(fields) != [""]:
        title = say("{}: {}", title, map(named_origin, fields))
    cells = {"method": "exact", "trials": None, "version": estoc_version()}
    command = _command(names, value, options)
    return Result(
        POINTS,
        [{**row, **cells, "command": command} for row in rows],
        title,
        notes=(*_about(value), *notes, *few),
        assumed=asked.assumed,
        readings=asked.readings,
        command=command,
    )


def named_origin(origin: str) -> str:
    """Return what cards of an origin are called where those of several are told."""
    return origin or say("no origin")


def _fields(listed: Sequence[Profile]) -> tuple[dict[str, list[Profile]], list[str]]:
    """Return the cards of each origin that has enough, and remarks on those that have not."""
    fields: dict[str, list[Profile]] = {}
    for profile in listed:
        fields.setdefault(profile.origin, []).append(profile)
    few = [
        say(
            "{}: {}, {} are needed to fit their prices",
            named_origin(origin),
            say_n("{} card", "{} cards", len(own)),
            FEWEST,
        )
        for origin, own in fields.items()
        if len(own) < FEWEST
    ]
    fields = {origin: own for origin, own in fields.items() if len(own) >= FEWEST}
    for own in fields.values():
        check_prices(np.array([float(profile.PA or 0) for profile in own]))
    return fields, few


def _brought(origin: str, own: Sequence[Profile], found: Values) -> str:
    """Return who is brought where everyone brings his best, the most often first."""
    order = np.argsort(-found.shares)[:_NAMED]
    named = ", ".join(
        f"{own[i].name} {100 * found.shares[i]:.0f} %" for i in order if found.shares[i] > 0.005
    )
    of = named_origin(origin)
    return say(
        "{}: brought where everyone brings his best: {}; prices have no part in it", of, named
    )


def _about(value: str) -> tuple[str, ...]:
    what = say_all(
        {
            EQUILIBRIUM: "value: chance to win, a draw counting half, against opponents as they "
            "are brought where everyone brings his best",
            EXCHANGE: "value: points destroyed less points lost, on average over all others",
        }
    )
    return (
        say("{}; a duel of one turn, best play of both", what[value]),
        say(
            "values are exact; what is uncertain is which price goes with which value: p is of "
            "externally studentised residuals, adjusted over all cards of an origin (Holm)"
        ),
    )


def _listed(
    names: Sequence[str], options: Options, roster: Roster
) -> tuple[list[Profile], list[str]]:
    """Return the fighters meant, each once, changed as asked, and remarks on who is left out."""
    found: dict[Profile, bool] = {}
    for name in names:
        found |= _named(name, roster)
    profiles = [c.profile for c in with_sets(numbered(list(found), "A"), options.sets)]
    kept, notes = [], []
    for profile, unnamed in zip(profiles, found.values(), strict=True):
        missing = missing_cells(profile, "points")
        if missing and not unnamed:
            raise InputError("audit: {} has no {}", profile.label, missing)
        if missing:
            notes.append(left_out(profile, missing))
        elif (profile.PA or 0) <= 0 and not unnamed:
            raise InputError(
                "audit: {} has PA {}; the line of prices is for cards above 0",
                profile.label,
                profile.PA,
            )
        elif (profile.PA or 0) <= 0:
            notes.append(left_out(profile, [say("PA above 0")]))
        else:
            kept.append(profile)
    return kept, notes


def _named(name: str, roster: Roster) -> dict[Profile, bool]:
    """Return the fighters of an origin, an army, a people, or a name; whether as one of many."""
    if Path(name).suffix == ".toml" or name in shipped_names("army"):
        cards = load_army(name, roster).cards
        return {card.profile: True for card in cards if card.profile is not None}
    of_origin = {p: True for p in roster if p.origin and fold(p.origin) == fold(name)}
    return of_origin or fighters_of([name], roster)


def _book(own: Sequence[Profile], value: str, options: Options, roster: Roster) -> Result:
    """Return best play of every pair."""
    score = "points" if value == EXCHANGE else "kills"
    asked = replace(options, score=score, sets=(), policies=(BEST_PLAY, BEST_PLAY))
    return solve_book(own, options=asked, roster=roster)


def values_of(book: Result, own: Sequence[Profile], value: str) -> Values:
    """Return what fighters are worth by best play of every pair."""
    place = {profile.label: i for i, profile in enumerate(own)}
    worth, seen = np.zeros((len(own), len(own))), np.zeros((len(own), len(own)))
    for row in book:
        i, j = place[row["a"]], place[row["b"]]
        gain = row["value"] if value == EXCHANGE else (row["p_a"] - row["p_b"]) / 2
        worth[i, j] += gain
        worth[j, i] -= gain
        seen[[i, j], [j, i]] += 1
    worth /= np.maximum(seen, 1)
    if value == EXCHANGE:
        return Values(worth.sum(axis=1) / (len(own) - 1), np.full(len(own), np.nan))
    shares = mixture(worth)
    return Values(0.5 + worth @ shares, shares)


def _rows(
    origin: str, own: Sequence[Profile], found: Values, value: str, options: Options
) -> Iterator[Row]:
    costs = np.array([float(profile.PA or 0) for profile in own])
    fit = price_fit(costs, found.values)
    order = np.argsort(-fit.t)
    for i in order.tolist():
        profile = own[i]
        # in an exchange a card's own price is part of its value: no other price is fair for it
        fair = fit.fair_price(float(found.values[i])) if value == EQUILIBRIUM else (None,) * 3
        yield _row(
            "fighter",
            origin,
            fighter=profile.name,
            people=profile.people,
            PA=profile.PA,
            value=float(found.values[i]),
            difference=float(found.values[i] - fit.expected[i]),
            **{name: float(getattr(fit, name)[i]) for name in _OF_FIT},
            pulls=bool(fit.pulls[i]),
            verdict=_verdict(fit, i),
            fair_PA_low=fair[0],
            fair_PA=fair[1],
            fair_PA_high=fair[2],
            unplayed=", ".join(unmodelled(profile)) if options.abilities else None,
            share=None if np.isnan(found.shares[i]) else float(found.shares[i]),
        )
    for told in fit.told:
        yield _row("fit", origin, **told)
    for told in fit.diagnostics:
        yield _row("diagnostic", origin, **told)


def _verdict(fit: PriceFit, i: int) -> str:
    if fit.p_adjusted[i] > SURE:
        return ""
    return UNDER if fit.t[i] > 0 else OVER


def _command(names: Sequence[str], value: str, options: Options) -> str:
    words = ["estoc", "audit", *names]
    words += ["--value", value] if value != EXCHANGE else []
    words += [word for text in options.sets for word in ("--set", text)]
    return " ".join(map(quoted, [*words, *options.common_arguments()]))
