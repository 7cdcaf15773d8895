"""What one change to a battle does: two battles with the same dice, trial by trial."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...profiles.errors import InputError
from ...profiles.fighters.roster import Roster
from ...profiles.message import joined, say
from ..base.answer import COUNTED, PLAYED, SECTION, AnswerKind, columns, estimates, origin_columns
from ..base.options import quoted
from ..base.result import Result, Row
from ..base.run import USUAL_RUN, Method, Provenance, Run, asks, runs_sampled, until_stopped
from ..base.sequence import (
    CAP,
    PRECISION,
    STOPPED,
    STOPPING,
    SequentialTest,
    looks,
    proportion_sequence,
    spans,
    standard_errors,
)
from ..base.stats import wilson
from ..battle.battle import sampled
from ..battle.question import BattleQuestion
from .paired import LEAD, SCORE, Gain, Paired, marks_of, same_battle, score_gains
from .setting import Contest, Setting, setting_of

CHANCE = columns("number", "chance of as much without any effect", "chance")
DIFFERING = (  # what the change has done to trials
    columns("whole", "trials that end with another score", "differing", unit="trials")
    + columns("number", "trials that other dice would take, for each of these", "saving")
)
COMPARE = AnswerKind(
    "compare",
    SECTION
    + columns("text", "outcome, score or points that the row is about", "what")
    + COUNTED
    + estimates(say("mean of A, or second less first"), "value", unit="")
    + CHANCE
    + DIFFERING,
    origin=origin_columns(lacking=["sampler", "remainder"]) + PLAYED + STOPPING,
    text="contest.compare_table:blocks",
    sentences="report.words:of_gain",
)

TRIALS = 2_000
MOST = 50_000  # until it is sure
BLOCK = 500  # trials of both battles: Ctrl-C keeps whole blocks
BATTLES = ("first", "second")
MEASURES = {"score": SCORE, "points": LEAD}
ENDS = (say("A wins"), say("B wins"), "draw")
VERDICTS = {
    1: say("second is better for A"),
    -1: say("first is better for A"),
    0: say("neither is shown better"),
}
SHOWN = "shown"  # what ended a run, beside its precision, its cap and Ctrl-C
SAME = say("the two are the same battle: nothing can differ")

_TUNED = 2_000  # about where a run until it is sure ends
_ENDS = ("value_low", "value_high")


@dataclass(frozen=True)
class Comparison:
    """Two battles to be fought with the same dice."""

    first: Contest
    second: Contest
    change: str  # what is different in the second, in words
    words: tuple[str, ...] = ()  # what the command line says of both
    until_sure: bool = False  # whether the run ends when one battle is shown to be better for A

    def __post_init__(self) -> None:
        if len(self.first.questions) != len(self.second.questions):
            raise InputError("compare: two scenarios, or two pairs of army lists, not one of each")

    @property
    def questions(self) -> tuple[BattleQuestion, ...]:
        """All battles that are fought."""
        return (*self.first.questions, *self.second.questions)

    def provenance(self, how: Method) -> Provenance:
        """Return what the answer rests on, and the command that gives it again."""
        return provenance_of((self.first, self.second), how, self.words)

    @property
    def ways(self) -> int:
        """Battles of each contest in a trial: two where the sides are changed."""
        return len(self.first.questions)


def comparison(
    first: str | Setting,
    second: str | Setting | None = None,
    changes: tuple[str, ...] = (),
    roster: Roster | None = None,
    *,
    until_sure: bool = False,
) -> Comparison:
    """Return a battle and another one, or the same with changes (`Setting.changed`)."""
    first, second = (setting_of(battle).staged(roster) for battle in (first, second or first))
    words = _words(first, second, changes)
    words += ["--until-sure"] * (bool(words) and until_sure)
    other = second
    for change in changes:
        other = other.changed(change)
    one, changed = first.contest(roster), other.contest(roster)
    said = [] if second == first else [changed.question.scenario.name]
    what = joined(", ", [*said, *changes]) or say("nothing")
    return Comparison(one, changed, what, tuple(words), until_sure)


def _words(first: Setting, second: Setting, changes: tuple[str, ...]) -> list[str]:
    """Return what the command line says of two battles, empty if it cannot say them."""
    words, others = first.arguments(), second.arguments()
    if not words or not others:
        return []
    if second != first or not changes:
        # two scenarios have everything else in common, and no word names two more lists
        if first.armies is not None or words[1:] != others[1:]:
            return []
        words.insert(1, others[0])
    return words + [word for change in changes for word in ("--change", change)]


@runs_sampled
@asks(comparison)
def compare(question: Comparison, *, run: Run) -> Result:
    """Return what changes to a battle do, from A's side.

    Parameters
    ----------
    first : str or Setting
        A battle; of a scenario, by name or file, the one that it describes.
    second : str or Setting, optional
        Another battle; the first one if not given.
    changes : tuple of str
        Of the second, ``WHAT=VALUE`` (`estoc.sim.contest.setting.CHANGES`).
    until_sure : bool
        Whether the run ends when one battle is shown to be better for A, by a sequential test.
    roster : Roster, optional
        Where fighters are looked up.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`): `TRIALS`, or at most `MOST`
        until it is sure, if not given, to a precision of the score's difference.

    Returns
    -------
    Result
        Rows as of `answer`.
    """
    return answer(question, planned(run, question.until_sure), run)


def planned(run: Run, until_sure: bool = False) -> Method:
    """Return how many trials there are, at most: a fresh seed if none is given."""
    if run.trials is None and run.precision is None:
        run = run.but(trials=MOST if until_sure else TRIALS)
    return sampled(run)


def answer(asked: Comparison, how: Method, run: Run = USUAL_RUN) -> Result:
    """Return what is different in the second battle, trial by trial.

    Progress is told of the battles that have been fought.

    Returns
    -------
    Result
        Rows by ``section``: ``first`` and ``second`` (battles won, lost, drawn, and A's score: a
        win is 1, a draw ½), and ``gain`` (by how much the second is better for A, in score and in
        points): its mean, the interval of the trials' differences, the ``chance`` of as much
        without any effect, in how many trials the two are ``differing``, and how many times as
        many trials with dice of their own would be needed (``saving``). Of a run until it is
        sure, also ``verdict``: which battle is better for A. Of that run, and of one with a
        precision, ``ended`` says what ended it, and intervals of differences hold although it
        ended there (`estoc.sim.base.sequence`).
    """
    one, other = asked.first.compiled(how.seed or 0), asked.second.compiled(how.seed or 0)
    same = same_battle(one, other)
    counts, watch = Paired.none(asked.ways), _Watch(how, asked.until_sure)
    with until_stopped(run.partial):
        for start, trials in watch.blocks():
            marks = marks_of(one, start, trials, run)
            others = marks if same else marks_of(other, start, trials, run)
            counts += Paired.of(marks, others)
            watch.test.add(score_gains(marks, others))
            if watch.ended(counts) != STOPPED:
                break
    ended = watch.ended(counts)
    provenance = asked.provenance(how)
    cells = {
        **provenance.cells(method=how.name, seed=how.seed),
        "trials": counts.trials,
        **watch.cells(ended),
    }
    return Result.of(
        COMPARE,
        [{**row, **cells} for row in _rows(counts, same, watch)] if counts.trials else [],
        say("{}\nsecond: {}", asked.first.question.title, asked.change),
        provenance,
        before=[SAME] * same,
        stopped=say("{:,} of {} trials", counts.trials, watch.most) if ended == STOPPED else "",
    )


@dataclass
class _Watch:
    """When a run ends, and how far its intervals reach."""

    how: Method
    until_sure: bool
    test: SequentialTest = field(init=False)

    def __post_init__(self) -> None:
        self.test = SequentialTest(self.how.trials or 0)

    @property
    def open_ended(self) -> bool:
        """Whether what is found says when the run ends."""
        return self.until_sure or self.how.precision is not None

    @property
    def tuned(self) -> float:
        """Trials after which intervals that hold at any end are narrowest."""
        return self.how.stopping.tuned if self.how.precision else min(self.test.most, _TUNED)

    @property
    def most(self) -> str:
        """The most trials, in words."""
        return say("at most {:,}" if self.open_ended else "{:,}", self.test.most)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Return first trials and numbers of trials, across no look."""
        most = self.test.most
        return spans(looks(most) if self.open_ended else (most,), BLOCK)

    def gain(self, counts: Paired, measure: int) -> Gain:
        """Return a difference, with an interval that holds wherever the run ends."""
        if not self.open_ended:
            return counts.gain(measure)
        return counts.gain(measure, float(standard_errors(counts.trials, tuned=self.tuned)))

    def ends(self, count: int, counts: Paired) -> Row:
        """Return the interval of a share of battles, one that holds wherever the run ends.

        A trial counts by the share of its battles: then the mixture wins no more than it may.
        """
        if not self.open_ended:
            return share_ends(count, counts)
        low, high = proportion_sequence(count / counts.ways, counts.trials, tuned=self.tuned)
        return {"p_low": float(low), "p_high": float(high)}

    def ended(self, counts: Paired) -> str:
        """Return what ends the run here; `STOPPED` where only Ctrl-C does."""
        over = counts.trials == self.test.most
        if over or (self.open_ended and counts.trials in looks(self.test.most)):
            if self.until_sure and self.test.sign:
                return SHOWN
            if self.how.precision is not None:
                gain = self.gain(counts, SCORE)
                if self.how.stopping.is_narrow(gain.low or 0.0, gain.high or 0.0):
                    return PRECISION
        return CAP if over else STOPPED

    def cells(self, ended: str) -> Row:
        """Return the cells of a row about the run's end, none of a fixed number of trials."""
        if not self.open_ended:
            return {}
        cells = {"precision": self.how.precision, "most_trials": self.test.most}
        return {**cells, "ended": ended}


def share_ends(count: int, counts: Paired) -> Row:
    """Return Wilson's interval of a share of battles, as if each trial were one battle.

    The battles of a trial are not apart. A trial counts by the share of them that ended so: such
    shares vary no more than wins and losses of the same mean, so the interval is wide enough.
    """
    low, high = wilson(count / counts.ways, counts.trials)
    return {"p_low": float(low), "p_high": float(high)}


def provenance_of(contests: Sequence[Contest], how: Method, words: Sequence[str]) -> Provenance:
    """Return what an answer about some contests rests on, and the command that gives it again."""
    questions = [question for contest in contests for question in contest.questions]
    firsts = [contest.question for contest in contests]
    told = ["estoc", "compare", *words, *how.arguments]
    return Provenance(
        policy="; ".join(dict.fromkeys(q.policy for q in firsts)),
        edition="; ".join(dict.fromkeys(q.edition.name for q in firsts)),
        inputs=" ".join(dict.fromkeys(q.inputs for q in questions)),
        assumed=_together(q.assumed for q in questions),
        readings=_together(q.readings for q in questions),
        remarks=_together(q.remarks() for q in questions),
        command=" ".join(map(quoted, told)) if words else "",
    )


def _together(keys: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for some in keys for key in some))


def _rows(counts: Paired, same: bool, watch: _Watch) -> list[Row]:
    rows = []
    battles = counts.trials * counts.ways
    for contest, name in enumerate(BATTLES):
        for what, count in zip(ENDS, counts.outcomes[contest].tolist(), strict=True):
            ends = watch.ends(count, counts)
            rows.append(COMPARE.row(name, what, count=count, p=count / battles, **ends))
        for what, measure in MEASURES.items():
            rows.append(COMPARE.row(name, what, value=counts.mean(contest, measure)))
    for what, measure in MEASURES.items():
        cells = gain_cells(watch.gain(counts, measure))
        cells |= {**dict.fromkeys(_ENDS, 0.0), "chance": 1.0} if same else {}
        cells |= {"chance": None} if watch.open_ended else {}
        rows.append(COMPARE.row("gain", what, **cells))
    if watch.until_sure:
        rows.append(COMPARE.row("verdict", VERDICTS[watch.test.sign]))
    return rows


def gain_cells(gain: Gain) -> Row:
    """Return a difference as cells of a row."""
    return {
        "value": gain.value,
        "value_low": gain.low,
        "value_high": gain.high,
        "chance": gain.p,
        "differing": gain.differing,
        "saving": gain.saving,
    }
