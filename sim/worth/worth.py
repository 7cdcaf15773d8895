"""What a change is worth: +1 of a characteristic, a charge, a second attacker, and the like."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum
from typing import Protocol

from ...profiles.errors import InputError
from ...profiles.fighters.card import CHARACTERISTICS, Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import joined, say, say_n
from ..base.answer import PLAYED, AnswerKind, columns, origin_columns
from ..base.naming import fighters_of, left_out, missing_cells, needed_cells
from ..base.options import SIDES, Options, quoted
from ..base.policy import BEST_PLAY, SENSIBLE
from ..base.result import Result, Row
from ..base.run import EXACT, Method, Provenance, Run, digest, runs_watched, until_stopped
from ..combat.combat import SCORE, TURNS, VALUE, exact_cells, notes_of, profiles_of, provenance_of
from ..combat.combatants import Combatant, numbered, raised_by_one, with_options
from ..combat.exact import Engine
from ..combat.laws import ROUNDING, Law, clean, weights
from ..combat.question import Question

GAIN = (  # what one thing more is worth, against one enemy or on average
    VALUE
    + columns("number", "what the combat is worth to A without it", "without")
    + columns("number", "what the combat is worth to A with it", "with")
    + columns("number", "what it changes for A", "difference")
)
MEETING = columns("text", "fighter who has it", "a", unit="fighter") + columns(
    "text", "enemy, or (mean) of all enemies", "b", unit="fighter"
)
ENEMIES = columns("whole", "enemies with an answer", "enemies", unit="fighters")
WORTH = AnswerKind(
    "worth",
    MEETING + columns("text", "what A gets more", "change") + ENEMIES + GAIN + SCORE + TURNS,
    origin=PLAYED + origin_columns(),
    text="worth.worth_table:blocks",
    picture="worth.worth_plot:strips",
    sentences="report.words:of_worth",
)

CHARGES, IS_CHARGED = "charges", say("is charged")
SECOND, SUSTAINED, STRUCK_FIRST = (
    say("second attacker"),
    say("sustained defence"),
    say("is struck first"),
)
CHANGES = (
    *(f"+1 {key}" for key in CHARACTERISTICS),
    CHARGES,
    IS_CHARGED,
    SECOND,
    SUSTAINED,
    STRUCK_FIRST,
)
BEST = Options(policies=(BEST_PLAY, BEST_PLAY))
MEAN = "(mean)"  # the enemy of a row about all enemies

_NEVER = 1e-12  # of sides that strike first with a smaller chance nothing is said

Against = str | Profile | Sequence[str | Profile]
Laws = dict[Question, Law]


class Valued(Protocol):
    """What is compared against one enemy."""

    @property
    def questions(self) -> Sequence[Question]:
        """Every question once, the duel without any change first."""

    def rows(self, laws: Laws) -> list[Row]:
        """Return a row for each thing that is compared."""


@dataclass(frozen=True)
class Meeting:
    """Fighter A against one enemy: the duel as it is, and with every change."""

    a: Combatant
    b: Combatant
    options: Options

    @cached_property
    def base(self) -> Question:
        """The duel without any change."""
        return Question((self.a,), (self.b,), self.options, "duel")

    @cached_property
    def compared(self) -> dict[str, tuple[Question, Question]]:
        """For each change, the question without it and the one with it.

        What cannot be is left out: a characteristic above the highest that a card may have.
        """
        base, found = self.base, {}
        for key in CHARACTERISTICS:
            raised = raised_by_one(self.a, key)
            if raised is not None:
                found[f"+1 {key}"] = base, replace(base, a=(raised,))
        found[CHARGES] = base, replace(base, a=(replace(self.a, charges=True),))
        found[IS_CHARGED] = base, replace(base, b=(replace(self.b, charges=True),))
        beside = tuple(
            replace(self.a, label=f"{self.a.label}#{place}", place=place) for place in (1, 2)
        )
        # he comes unhurt, and has failed no disengagement
        beside = (beside[0], replace(beside[1], wounds="", all_defence=False))
        found[SECOND] = base, replace(base, a=beside, command="combat")
        own, other = self.options.policies
        never = replace(self.options, policies=(replace(own, sustain="never"), other))
        found[SUSTAINED] = replace(base, options=never), base
        found[STRUCK_FIRST] = base, base
        return found

    @property
    def questions(self) -> list[Question]:
        """Every question once, the duel without any change first."""
        both = [question for pair in self.compared.values() for question in pair]
        return list(dict.fromkeys(both))

    def rows(self, laws: Laws) -> list[Row]:
        """Return a row for each change."""
        value, command = laws[self.base].value, self.command()
        rows = []
        for change in CHANGES:
            pair = self.compared.get(change, (self.base, self.base))
            found: tuple[float | None, float | None] = (None, None)
            if change == STRUCK_FIRST:
                found = values_by_first(self.base, laws[self.base])
            elif change in self.compared:
                found = laws[pair[0]].value, laws[pair[1]].value
            changed = next((q for q in pair if q is not self.base), self.base)
            remainder = max(laws[question].remainder for question in pair)
            rows.append(
                {
                    "a": self.a.profile.label,
                    "b": self.b.profile.label,
                    "change": change,
                    "enemies": 1,
                    **value_cells(value, *found),
                    "score": self.options.score,
                    "turns": self.options.turns,
                    "trials": None,
                    **exact_cells(changed, remainder),
                    "policy": self.options.policy,
                    "command": command,
                }
            )
        return rows

    def command(self, *flags: str) -> str:
        """Return the command that asks about this enemy alone."""
        who = [*self.a.arguments("A"), *self.b.arguments("B")]
        words = [self.a.profile.label, *flags, "--against", self.b.profile.label, *who]
        return _command_line([*words, *_common_arguments(self.options)])


def values_by_first(question: Question, law: Law) -> tuple[float | None, float | None]:
    """Return what a duel is worth to A where A strikes first, and where B does.

    Dice are placed before anyone knows who strikes first, so they are the same in both; of
    several turns it is the first one that counts. None of a side that never strikes first.
    """
    own, other = weights(question)
    score = own[:, None] + other[None, :]
    found = [
        float((part * score).sum() / part.sum()) if part.sum() > _NEVER else None
        for part in law.joint
    ]
    return found[0], found[1]


def value_cells(value: float, without: float | None, changed: float | None) -> Row:
    """Return the values of a duel without and with a change, and their difference."""
    without = None if without is None else clean(without)
    changed = None if changed is None else clean(changed)
    difference = None
    if without is not None and changed is not None:
        difference = changed - without
        if abs(difference) <= ROUNDING * max(1.0, abs(without), abs(changed)):
            difference = 0.0
    cells = {"without": without, "with": changed, "difference": difference}
    return {"value": clean(value), **cells}


@runs_watched
def worth(
    a: str | Profile,
    against: Against,
    *,
    options: Options | None = None,
    roster: Roster | None = None,
    run: Run,
) -> Result:
    """Return what changes are worth to a fighter: exactly, and paired, enemy by enemy.

    The changes are +1 of each characteristic (on the card, so from the first turn to the
    last), that he charges or is charged (M-5), a second attacker (another one like him,
    whose own fate counts in the score too), sustained defence (that he may use it, compared
    with never, C-7), and to be struck first (compared with to strike first, C-5.1).

    Parameters
    ----------
    a : str or Profile
        The fighter; a name is looked up in the roster.
    against : str, Profile or a sequence of them
        His enemies: names of peoples, of fighters, or profiles. Of a people those are left
        out who lack a characteristic, or PA where the score is ``points``.
    options : Options, optional
        Edition, policies, wounds, turns, score. If not given, both sides decide as well as
        they can (`estoc.sim.base.policy.BEST_PLAY`); the policies of given options count as they
        are.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.
    run : Run
        Progress is told of each combat that has been solved; Ctrl-C of a partial run gives the
        enemies done so far.

    Returns
    -------
    Result
        A row for each enemy and change, then one for each change with ``b`` "(mean)", the
        mean of the enemies who have one, each counting the same. ``value`` is what the duel
        is worth to A as it is, by the score; ``difference`` is ``with`` the change less
        ``without`` it. None where a change cannot be.

    Raises
    ------
    InputError
        If a name, a cell or an option cannot be used.

    Examples
    --------
    >>> result = worth("Garde prétorien", ["Guerrier de l'aube"])
    >>> [(row["change"], round(row["difference"], 3)) for row in result.rows[1:3]]
    [('+1 ATT', 0.033), ('+1 FOR', 0.076)]
    """
    options = options or BEST
    meetings, notes = meetings_of(a, against, options, roster)
    asked = [question for meeting in meetings for question in meeting.questions]
    check_exact(asked)
    rows, stopped = rows_about(meetings, run)
    if len(meetings) == 1:
        notes += meetings[0].base.remarks()
    notes += (*notes_of(asked), _about_second(meetings[0].a.profile))
    provenance = provenance_about(asked, notes, command_about(a, against, options))
    rows += _mean_rows(rows, provenance)
    title = say("What is it worth? {}", field_of(meetings))
    return Result.of(WORTH, rows, title, provenance, stopped=stopped)


def rows_about(met: Sequence[Valued], run: Run) -> tuple[list[Row], str]:
    """Return the rows about each enemy, and how far a run came that Ctrl-C ended."""
    rows: list[Row] = []
    done, engine = 0, Engine()
    with until_stopped(run.partial):
        for one in met:
            laws = {}
            for question in one.questions:
                laws[question] = engine.law(question)
                run.advance(1)
            rows += one.rows(laws)
            done += 1
    return rows, say("{:,} of {:,} enemies", done, len(met)) if done < len(met) else ""


def provenance_about(asked: Sequence[Question], notes: Sequence[str], command: str) -> Provenance:
    """Return what an answer about all enemies rests on."""
    found = provenance_of(asked, Method(EXACT))
    return replace(found, remarks=tuple(dict.fromkeys(notes)), command=command)


def meetings_of(
    a: str | Profile, against: Against, options: Options, roster: Roster | None = None
) -> tuple[list[Meeting], tuple[str, ...]]:
    """Return A against each enemy who can fight, and remarks on who is left out."""
    if options.charge or options.dice:
        raise InputError("worth: who charges is one of its changes, and policies place the dice")
    if roster is None:
        roster = Roster.load()
    fighter = profiles_of(a, roster)[0]
    enemies = fighters_of(_listed(against), roster)
    if not enemies:
        raise InputError("worth: name at least one enemy, or a people")
    # an option is about the fighters it names; in its duel each is alone on its side
    both = with_options((*numbered([fighter], "A"), *numbered(list(enemies), "B")), options)
    own, *others = (replace(c, label=c.profile.name, place=1) for c in both)
    meetings, notes = [], []
    for enemy, unnamed in zip(others, enemies.values(), strict=True):
        missing = missing_cells(enemy.profile, options.score)
        if missing and unnamed:
            notes.append(left_out(enemy.profile, missing))
        else:
            meetings.append(Meeting(own, enemy, options))
    if not meetings:
        people = others[0].profile.people
        needed = ", ".join(needed_cells(options.score))
        raise InputError('worth: no fighter of "{}" has all of {}', people, needed)
    return meetings, tuple(notes)


def _listed(against: Against) -> Sequence[str | Profile]:
    return [against] if isinstance(against, str | Profile) else against


def check_exact(asked: Iterable[Question]) -> None:
    """Refuse, before any work, what has no exact answer."""
    for question in asked:
        if question.obstacle:
            raise InputError("worth: {}", question.obstacle)
        weights(question)


def _mean_rows(rows: Sequence[Row], provenance: Provenance) -> list[Row]:
    """Return a row for each change: the means over the enemies who have a difference."""
    changes = [[row for row in rows if row["change"] == change] for change in CHANGES]
    return [mean_row(of_all, provenance) for of_all in changes if of_all]


def mean_row(of_all: Sequence[Row], provenance: Provenance) -> Row:
    """Return the row about all enemies: the means over those who have a difference."""
    some = [row for row in of_all if row["difference"] is not None]
    inputs = digest(*(row["inputs"].encode() for row in of_all))
    return {
        **of_all[0],
        "b": MEAN,
        "enemies": len(some),
        **{
            key: fsum(row[key] for row in some) / len(some) if some else None
            for key in ("value", "without", "with", "difference")
        },
        "remainder": max(row["remainder"] for row in of_all),
        "inputs": inputs,
        **{key: together(of_all, key) for key in ("assumed", "readings")},
        "remarks": joined("; ", provenance.remarks or ()),
        "command": provenance.command,
    }


def together(rows: Iterable[Row], column: str) -> str:
    """Return the words of a cell of all rows, each once."""
    return " ".join(dict.fromkeys(word for row in rows for word in row[column].split()))


def command_about(a: str | Profile, against: Against, options: Options, *flags: str) -> str:
    """Return the command that gives a whole answer again, as it was asked."""
    who = (a, *_listed(against))
    own, *enemies = [one if isinstance(one, str) else one.label for one in who]
    return _command_line(
        [
            own,
            *flags,
            *(word for enemy in enemies for word in ("--against", enemy)),
            *replace(options, policies=(SENSIBLE, SENSIBLE)).arguments(),
            *_policy_arguments(options),
        ]
    )


def field_of(meetings: Sequence[Meeting]) -> str:
    """Return who meets whom, and for how long."""
    turns = meetings[0].options.turns
    whom = meetings[0].b.label if len(meetings) == 1 else say("{} fighters", len(meetings))
    a = meetings[0].a.label
    return say_n("{1} against {2}, {0} turn", "{1} against {2}, {0} turns", turns, a, whom)


def _about_second(fighter: Profile) -> str:
    """Return what a second attacker costs."""
    cost = (
        say("whose points are not known") if fighter.PA is None else say("{} PA more", fighter.PA)
    )
    return say("second attacker: another {}, {}; his own death counts too", fighter.name, cost)


def _policy_arguments(options: Options) -> list[str]:
    """Return the policies that are not the best play as arguments."""
    return [
        word
        for side, policy in zip(SIDES, options.policies, strict=True)
        if policy != BEST_PLAY
        for word in ("--policy", f"{side}={policy}")
    ]


def _common_arguments(options: Options) -> list[str]:
    """Return the options about no fighter as arguments; the best play is the default here."""
    plain = replace(options, policies=(SENSIBLE, SENSIBLE))
    return [*plain.common_arguments(), *_policy_arguments(options)]


def _command_line(words: Iterable[str]) -> str:
    return " ".join(quoted(word) for word in ("estoc", "worth", *words))
