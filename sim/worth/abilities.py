"""Does an ability pay? What abilities and bundles are worth, beside their prices in points."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle

from ...profiles.errors import InputError
from ...profiles.fighters.abilities import Ability
from ...profiles.fighters.card import Profile
from ...profiles.fighters.prices import load_prices
from ...profiles.fighters.roster import Roster
from ...profiles.message import joined, parts, say
from ..base.answer import PLAYED, AnswerKind, columns, origin_columns
from ..base.options import Options
from ..base.result import Result, Row
from ..base.run import Provenance, Run, runs_watched
from ..combat.combat import SCORE, TURNS, exact_cells, notes_of
from ..combat.question import Question
from .fit import fitted, verdict
from .subjects import ABILITY, LINE, NO_CHARGE, Subject, subjects_of
from .worth import (
    BEST,
    CHARGES,
    ENEMIES,
    GAIN,
    MEETING,
    Against,
    Laws,
    Meeting,
    check_exact,
    command_about,
    field_of,
    mean_row,
    meetings_of,
    provenance_about,
    rows_about,
    value_cells,
)

ABILITIES = AnswerKind(
    "worth-abilities",
    MEETING
    + columns("text", "characteristic, ability, price, base or line", "kind")
    + columns("text", "what is bought", "what")
    + columns("whole", "price that players set", "price", unit="PA")
    + columns("text", "of whom that price is", "condition")
    + columns("text", "who says how large its number is", "number_from")
    + columns("text", "who charges where it acts", "situation")
    + ENEMIES
    + GAIN
    + columns("truth", "whether all of its parts have a value", "whole")
    + columns("number", "what it changes for A, per PA", "value_per_point")
    + columns("number", "value of things of this price on average", "value_of_price")
    + columns("number", "distance from that value", "z_residual", unit=say("standard errors"))
    + columns("text", "cheap, dear or neither", "verdict")
    + columns("text", "parts whose value is not counted, and when they act", "not_counted")
    + columns("text", "parts that change no value here", "unseen")
    + columns("text", "why it has no value", "reason")
    + columns("text", "what its value takes for granted", "rests_on")
    + SCORE
    + TURNS,
    origin=PLAYED + origin_columns(),
    text="worth.abilities_table:blocks",
    picture="worth.abilities_plot:prices_and_values",
    blank="",
)

FLAG = "--abilities"


@dataclass(frozen=True)
class Valuation:
    """Fighter A against one enemy, with everything that can be bought for him."""

    meeting: Meeting
    subjects: tuple[Subject, ...]

    @cached_property
    def compared(self) -> tuple[tuple[Question, Question] | str, ...]:
        """For each subject, the question without it and the one with it, or why there is none."""
        return tuple(self._pair(subject) for subject in self.subjects)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Every question once, A as his card is first."""
        pairs = [pair for pair in self.compared if not isinstance(pair, str)]
        asked = [question for pair in pairs for question in pair]
        return tuple(dict.fromkeys([self.meeting.base, *asked]))

    def rows(self, laws: Laws) -> list[Row]:
        """Return a row for each subject."""
        return [
            self._row(subject, pair, laws)
            for subject, pair in zip(self.subjects, self.compared, strict=True)
        ]

    def _pair(self, subject: Subject) -> tuple[Question, Question] | str:
        if subject.reason:
            return subject.reason
        without = subject.without(self.meeting.a.profile)
        try:
            changed = subject.added(without, self.meeting.b.profile)
        except InputError as error:
            return str(error)
        asked = [self._asked(profile, subject.situation) for profile in (without, changed)]
        return next((q.obstacle for q in asked if q.obstacle), "") or (asked[0], asked[1])

    def _asked(self, profile: Profile, situation: str) -> Question:
        """Return the duel of A with another card, in a situation."""
        base = self.meeting.base
        a, b = replace(self.meeting.a, profile=profile), self.meeting.b
        if situation == CHARGES:
            a = replace(a, charges=True)
        elif situation != NO_CHARGE:
            b = replace(b, charges=True)
        return replace(base, a=(a,), b=(b,))

    def _row(self, subject: Subject, pair: tuple[Question, Question] | str, laws: Laws) -> Row:
        base = self.meeting.base
        both = (base, base) if isinstance(pair, str) else pair
        found = (None, None) if isinstance(pair, str) else [laws[q].value for q in pair]
        cells = {**value_cells(laws[base].value, *found), "trials": None}
        remainder = max(laws[question].remainder for question in both)
        cells |= exact_cells(both[1], remainder)
        cells |= {"policy": base.policy, "command": self.meeting.command(FLAG)}
        return ABILITIES.row(
            a=self.meeting.a.profile.label,
            b=self.meeting.b.profile.label,
            kind=subject.kind,
            what=subject.what,
            price=subject.points,
            condition=subject.condition,
            number_from=subject.number_from,
            situation=subject.situation,
            enemies=1,
            whole=subject.is_whole,
            not_counted=joined("; ", subject.not_counted),
            reason=pair if isinstance(pair, str) else "",
            rests_on=joined("; ", _rests_on(subject)),
            score=base.options.score,
            turns=base.options.turns,
            **cells,
        )


def _rests_on(subject: Subject) -> list[str]:
    """Return what is assumed of the abilities of a subject."""
    abilities = [part for part in subject.acting if isinstance(part, Ability)]
    return [say("{}: {}", part.label, part.assumed) for part in abilities if part.assumed]


@runs_watched
def ability_worth(
    a: str | Profile,
    against: Against,
    *,
    options: Options | None = None,
    roster: Roster | None = None,
    run: Run,
) -> Result:
    """Return what abilities and priced bundles are worth to a fighter, beside their prices.

    Each is compared enemy by enemy, exactly: A's card as it is, less the abilities that are
    valued, without them and with them. What acts only in a charge (M-5) is valued in one, A
    charging or charged, without it too.

    Parameters
    ----------
    a, against, options, roster, run
        As in `estoc.sim.worth.worth.worth`.

    Returns
    -------
    Result
        A row for each enemy and subject, then one for each subject with ``b`` "(mean)". By
        ``kind``: +1 of each characteristic, each ability of W-7, each line of the list of
        prices. ``difference`` is None where nothing acts in a combat of two; ``reason`` says
        why. Of a line whose parts are not all valued (``whole`` False) it is what the others
        are worth, and ``not_counted`` names the rest; ``unseen`` its abilities, if no ability
        changes any value here. In the mean rows of whole lines
        ``value_of_price`` is what the price buys, by least squares through the origin over
        them, ``z_residual`` the standardised residual, and ``verdict`` cheap or dear where it
        is beyond 2.

    Raises
    ------
    InputError
        If a name, a cell or an option cannot be used.

    Examples
    --------
    >>> result = ability_worth("Garde prétorien", ["Guerrier de l'aube"])
    >>> {row["what"]: row["reason"] for row in result}["Rapidité"]
    'acts only in movement'
    """
    options = options or BEST
    valuations, notes = valuations_of(a, against, options, roster)
    meetings, subjects = [one.meeting for one in valuations], valuations[0].subjects
    bases = [meeting.base for meeting in meetings]
    check_exact(bases)
    asked = [question for valuation in valuations for question in valuation.questions]
    rows, stopped = rows_about(valuations, run)
    _claim_nothing_of_abilities_without_effect(subjects, rows)
    notes += (*notes_of(bases), *_remarks(valuations[0]))
    provenance = provenance_about(asked, notes, command_about(a, against, options, FLAG))
    rows += _mean_rows(rows, len(subjects), provenance)
    title = say("Does an ability pay? {}", field_of(meetings))
    return Result.of(ABILITIES, rows, title, provenance, stopped=stopped)


def _claim_nothing_of_abilities_without_effect(
    subjects: Sequence[Subject], rows: Sequence[Row]
) -> None:
    """Mark what has abilities where none changes any value: nothing is known of them then."""
    for_sale = list(zip(cycle(subjects), rows, strict=False))
    if any(row["difference"] for subject, row in for_sale if subject.kind == ABILITY):
        return
    for subject, row in for_sale:
        labels = [part.label for part in subject.acting if isinstance(part, Ability)]
        if labels:
            row.update(unseen="; ".join(labels), whole=False)


def valuations_of(
    a: str | Profile, against: Against, options: Options, roster: Roster | None = None
) -> tuple[list[Valuation], tuple[str, ...]]:
    """Return A against each enemy who can fight, and remarks on who is left out."""
    if not options.abilities:
        raise InputError("worth: abilities that are left out have no value; drop --no-abilities")
    meetings, notes = meetings_of(a, against, options, roster)
    subjects = subjects_of(meetings[0].a.profile, load_prices())
    return [Valuation(meeting, subjects) for meeting in meetings], notes


def _mean_rows(rows: Sequence[Row], subjects: int, provenance: Provenance) -> list[Row]:
    """Return a row for each subject: the means over all enemies, and how it pays."""
    if not rows:
        return []
    found = [_mean_row(rows[number::subjects], provenance) for number in range(subjects)]
    priced = [row for row in found if row["whole"] and row["price"]]
    for row in priced:
        row["value_per_point"] = row["difference"] / row["price"]
    lines = [row for row in priced if row["kind"] == LINE]
    fit = fitted([row["price"] for row in lines], [row["difference"] for row in lines])
    if fit is not None:
        for row, z in zip(lines, fit.standardised, strict=True):
            cells = {"value_of_price": fit.per_point * row["price"], "z_residual": z}
            row.update(cells, verdict=verdict(z))
    return found


def _mean_row(of_all: Sequence[Row], provenance: Provenance) -> Row:
    """Return a mean row; whole only if every enemy has a value of all parts."""
    row = mean_row(of_all, provenance)
    for key in ("not_counted", "unseen", "reason"):
        words = dict.fromkeys(word for r in of_all for word in parts("; ", r[key]))
        row[key] = joined("; ", filter(None, words))
    row["whole"] = all(r["whole"] and r["difference"] is not None for r in of_all)
    return row


def _remarks(valuation: Valuation) -> list[str]:
    """Return what a reader should know of the values."""
    fighter = valuation.meeting.a.profile
    own = ", ".join(fighter.abilities) or say("none")
    sources = dict.fromkeys(price.source for price in load_prices())
    charging = [
        subject.what
        for subject in valuation.subjects
        if subject.kind == ABILITY and subject.acting and subject.situation != NO_CHARGE
    ]
    found = [
        say("prices: {}; players' prices, of another format of the game", joined("; ", sources)),
        say("base: the card as it is, less what is valued; its abilities: {}", own),
        say("what is bought is not added to his PA, by which dice are placed (C-3.2)"),
        say("in a charge in each combat, so dearer than on a table: {}", charging),
        say("what acts in movement, fear, shooting or maintenance is in a price and in no value"),
    ]
    assumed = dict.fromkeys(
        part.label
        for subject in valuation.subjects
        for part in subject.acting
        if isinstance(part, Ability) and part.assumed
    )
    found.append(say("assumed in part (W-7): {}", assumed))
    return found
