"""One trial told die by die: a transcript to read."""

from dataclasses import replace
from textwrap import fill
from typing import assert_never

from ...kernels.core.dice import FAILED
from ...kernels.layout.abilities import Effect
from ...kernels.layout.combat import Column, Outcome, Stat
from ...kernels.layout.log import Event
from ...profiles.compile.combat import state_names
from ...profiles.errors import InputError
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import MAX_TRIALS, checked_seed
from ..base.progress import announce_compilation
from ..base.result import Result
from ..text.speech import translated
from .combat import origin_cells, result_of, title_of
from .events import (
    EVENT,
    Board,
    Line,
    Log,
    counted,
    event_rows,
    feat_words,
    fighter_names,
    lines_of,
    signed,
    taken_words,
    trial_log,
)
from .method import SAMPLED, Method
from .question import Question
from .sampling import LITERAL, check_sampled

REPLAY = AnswerKind(
    "replay",
    EVENT + columns("whole", "number of the trial", "trial"),
    origin=origin_columns(),
    is_transcript=True,
)

WIDTH = 80


def replay(question: Question, seed: int, trial: int) -> Result:
    """Play one trial of a run again, die by die.

    Parameters
    ----------
    question : Question
        What the run asked.
    seed : int
        The run's.
    trial : int
        Number of the trial in the run, from 0; a run need not have been that long.

    Returns
    -------
    Result
        A row for each event, with the columns of `COLUMNS` and where it comes from; its
        title is the text of `transcript_text`.

    Raises
    ------
    InputError
        If there is no such trial, or it has more events than a log holds.

    Examples
    --------
    >>> from estoc.profiles import Roster
    >>> from estoc.sim.combat.duel import pairing
    >>> from estoc.sim.base.options import Options
    >>> find = Roster.load().find
    >>> question = pairing(find("Garde prétorien"), find("Guerrier de l'aube"), Options())
    >>> replay(question, seed=1, trial=0).rows[-1]["event"]
    'end'
    """
    seed = checked_seed(seed)
    if not 0 <= trial <= MAX_TRIALS:
        raise InputError(f"trial {trial} should be from 0 to {MAX_TRIALS}")
    check_sampled(question)
    announce_compilation("replay")
    log = trial_log(question, seed, trial)
    title = f"{title_of(question)}: trial {trial} of seed {seed}"
    method = Method(SAMPLED, trial + 1, seed, sampler=LITERAL)
    origin = {"trial": trial, **origin_cells(question, method)}
    run = origin["command"].removeprefix("estoc ")
    origin["command"] = f"estoc replay {run} --trial {trial}"
    rows = [{**row, **origin} for row in event_rows(question, log)]
    text = transcript_text(question, log, title)
    return replace(result_of(REPLAY, [question], rows, text, method), command=origin["command"])


def transcript_text(question: Question, log: Log, title: str = "") -> str:
    """Return a log in words, in lines of at most 80 columns.

    Parameters
    ----------
    question : Question
        Whose fighters and edition the log is about.
    log : array_like of int, shape (events, LOG_COLUMNS)
        From the kernels, or made by hand.
    title : str
        First line; who meets whom if not given.
    """
    return _Story(question).tell(log, title or title_of(question))


class _Story:
    """Tells a log line by line; dice wait until a line sums them up."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.names = fighter_names(question)
        self.states = state_names(question.options.edition)
        self.board = Board(question)
        self.told: list[str] = []
        self.dice: dict[tuple[str, int, int], list[int]] = {}  # by purpose, roller, slot
        self.at = (-1, -1)  # turn and pass
        self.roll_off = -1
        self.strike: Line  # the last one
        self.parries_held = False  # whether it is met with a die that was held back

    def tell(self, log: Log, title: str) -> str:
        """Return the whole story."""
        self.say(title, hang=0)
        self.tell_cards()
        for line, purpose in lines_of(log):
            self.tell_event(line, purpose)
        self.tell_outcome()
        return "\n".join(self.told)

    def tell_event(self, line: Line, purpose: str) -> None:
        """Tell a line; dice wait until another sums them up."""
        match line.event:
            case Event.DIE:
                self.dice.setdefault((purpose, line.fighter, line.slot), []).append(line.y)
            case Event.PLACE:
                self.tell_place(line)
            case Event.INITIATIVE:
                self.tell_initiative(line)
            case Event.STRIKE:
                self.tell_strike(line)
            case Event.ATTACK:
                self.tell_attack(line)
            case Event.PARRY:
                self.tell_parry(line)
            case Event.WOUND:
                self.tell_wound(line)
            case Event.FEAT:
                self.tell_feat(line)
            case Event.END:
                self.tell_end(line)
            case _:
                assert_never(line.event)

    def say(self, text: str, indent: int = 0, hang: int = 4) -> None:
        """Add a paragraph."""
        self.told.append(
            fill(
                translated(text),
                WIDTH,
                initial_indent=" " * indent,
                subsequent_indent=" " * (indent + hang),
                break_long_words=False,
                break_on_hyphens=False,
            )
        )

    def head(self, text: str, rule: str = "") -> None:
        """Add a heading."""
        text = translated(text)
        self.told += ["", text, *([rule * len(text)] if rule else [])]

    def test(self, label: str, text: str) -> None:
        """Add a line of an attack: what was rolled for, and what came of it."""
        self.say(f"{translated(label):<9}{translated(text)}", indent=4, hang=9)

    def cells(self, i: int, text: str) -> None:
        """Add a line of a table of fighters, which is never broken."""
        width = max(map(len, self.names))
        side = self.question.fighters[i].side
        line = f"{side}  {self.names[i]:<{width}}  {translated(text)}"
        self.told.append(line.rstrip())

    def in_order(self) -> list[int]:
        """Return all fighters, side A first."""
        return sorted(range(len(self.names)), key=lambda i: self.question.fighters[i].side)

    def state_words(self, i: int) -> str:
        """Return a fighter's state and what it takes, as ``light (−1 INI, ATT, FOR, DEF)``."""
        state = self.board.state[i]
        taken = taken_words(self.board.rules.penalty[self.board.fighters[i, Column.PAIN], state])
        return self.states[state] + (f" ({taken})" if taken else "")

    def lone_of(self, side: int) -> str:
        """Return the name of a side's only fighter; nothing of a side of several."""
        return self.names[side] if side == 0 or len(self.names) == 2 else ""

    # --- beginning

    def tell_cards(self) -> None:
        """Say who fights, with what."""
        width = max(map(len, self.names))
        stats = "".join(f"{stat.name:>5}" for stat in Stat)
        self.told += ["", f"   {'':<{width}}  {'PA':>4}{stats}"]
        for i in self.in_order():
            pa = self.question.fighters[i].profile.PA
            values = "".join(f"{signed(int(self.board.fighters[i, stat])):>5}" for stat in Stat)
            state = self.board.state[i]
            hurt = f"  {translated(self.states[state])}" if state else ""
            self.cells(i, f"{'–' if pa is None else pa:>4}{values}{hurt}")

    def begin_turn(self, turn: int) -> None:
        """Say that a turn begins, and what is different in it."""
        self.head(f"Turn {turn + 1}", "=")
        if turn:
            for i in self.board.begin_turn(turn):
                now = self.state_words(i)
                self.say(f"{self.names[i]} is no longer stunned (T-5.3): {now}")
        else:
            for i, name in enumerate(self.names):
                taken = taken_words(self.board.charge(i))
                if taken:
                    self.say(f"{name} is charged: {taken} in this turn (M-5.1)")
        self.say("Dice, in the order in which they are placed (C-3)")

    def at_turn(self, turn: int) -> None:
        """Go on to a turn, if it is another."""
        if self.at[0] != turn:
            self.at = turn, -1
            self.begin_turn(turn)

    def at_pass(self, line: Line) -> None:
        """Go on to a pass of arms, if it is another."""
        if self.at != (line.turn, line.number):
            self.at = line.turn, line.number
            self.head(f"Pass of arms {line.number + 1} (C-5)")

    def tell_place(self, line: Line) -> None:
        """Say how a fighter placed his dice."""
        self.at_turn(line.turn)
        self.board.defence[line.fighter] = line.y
        attack, defence, held = line.x, line.y, line.z
        dice = f"{attack} in attack, {defence} in defence"
        if held:
            dice = f"{attack} in attack, {defence} in defence, {held} held"
        self.cells(line.fighter, dice)

    # --- abilities

    def tell_feat(self, line: Line) -> None:
        """Say what an ability does (W-7), with the dice of its own or those given up."""
        self.at_turn(line.turn)
        effect = Effect(line.slot)
        indent = 4
        if effect in (Effect.HOLD_BACK, Effect.MASTER_STROKE):
            self.at_pass(line)
            indent = 2
        elif self.at[1] < 0:
            indent = 3
            if line.other >= 0:
                self.at_roll_off(line)
        dice: list[list[int]] = []
        if effect == Effect.HOLD_BACK and line.x:
            self.parries_held = True
            self.board.defence[line.fighter] += 1
        elif effect == Effect.LUCK:
            waiting = {purpose for purpose, roller, _ in self.dice if roller == line.fighter}
            dice = [chain for purpose in waiting for chain in self.chains(purpose, line.fighter)]
        elif effect == Effect.FEINT:
            self.board.lose_defence(line.other, line.y)
        elif effect in (Effect.TOXIC, Effect.SURVIVAL):
            self.chains(effect.name.lower(), line.fighter)
        elif effect == Effect.DIEHARD:
            self.board.doomed.append(line.fighter)
        other = self.names[line.other] if line.other >= 0 else ""
        y = line.y if line.y > FAILED else None
        data = {"effect": effect.name.lower(), "x": line.x, "y": y, "z": line.z}
        self.say(feat_words(self.names[line.fighter], other, data, dice), indent=indent)

    # --- initiative

    def at_roll_off(self, line: Line) -> None:
        """Go on to a roll-off, if it is another."""
        if self.roll_off != line.number:
            self.roll_off = line.number
            again = f", roll-off {line.number + 1}" if line.number else " (C-4)"
            self.head(f"Initiative{again}")

    def tell_initiative(self, line: Line) -> None:
        """Tell a roll-off."""
        self.at_roll_off(line)
        self.roll_off = -1
        testers, results = (line.fighter, line.other), (line.x, line.y)
        for i, result in zip(testers, results, strict=True):
            dice = self.chains("initiative", i)
            natural = self.board.natural(dice[-1])
            self.cells(i, self.board.sum_words(dice, natural, result, i, Stat.INI))
        coin = self.chains("coin", 0)
        if line.x == line.y:
            self.say(self.board.tie_words(line.slot, coin), indent=3)
        if line.slot >= 0:
            name, side = self.lone_of(line.slot), self.question.fighters[1].side
            who = f"{name} strikes first." if name else f"Side {side} strikes first."
            self.say(who, indent=3)

    def chains(self, purpose: str, roller: int) -> list[list[int]]:
        """Return the dice of a test in the order of the dice, each with its re-rolls."""
        keys = sorted(key for key in self.dice if key[:2] == (purpose, roller))
        return [self.dice.pop(key) for key in keys]

    # --- attacks

    def tell_strike(self, line: Line) -> None:
        """Say who strikes whom, and what the other commits."""
        self.at_pass(line)
        who, whom = self.names[line.fighter], self.names[line.other]
        self.say(f"{who} strikes {whom}, {self.defence_words(line)}", indent=2)
        self.strike, self.parries_held = line, False

    def defence_words(self, line: Line) -> str:
        """Return how an attack is defended (C-6.2, C-7)."""
        if line.slot == 0:
            return "undefended"
        if not line.x:
            return counted(line.slot, "defence die", "defence dice")
        if self.board.begin_sustained(line.other, self.parries_held):
            return "sustained defence (C-7.2)"
        return "defence sustained again (C-7.3)"

    def tell_attack(self, line: Line) -> None:
        """Tell an attack test."""
        dice = self.chains("attack", line.fighter)
        sum_words = self.board.sum_words(dice, line.x, line.y, line.fighter, Stat.ATT)
        failed = ": automatic failure (W-1.3)" if line.z and line.x > FAILED else ""
        self.test("attack", sum_words + failed)
        if not (line.z or self.strike.x):
            self.board.defence[line.other] -= self.strike.slot

    def tell_parry(self, line: Line) -> None:
        """Tell a defence test."""
        dice = self.chains("defence", line.fighter)
        sum_words = self.board.sum_words(dice, line.x, line.y, line.fighter, Stat.DEF)
        self.test("defence", f"{sum_words}: {'parried' if line.z else 'hit'}")

    def tell_wound(self, line: Line) -> None:
        """Tell a wound roll, and how the one who was hit stands after it."""
        (dice,) = self.chains("wound", line.fighter)
        place = self.question.options.edition["wounds.places"][line.x - 1]
        shown = ", ".join(map(str, dice))
        told = (
            f"{shown}: {place}; {self.row_words(line, dice)}{self.board.outcome_words(line, dice)}"
        )
        self.test("wound", told)
        before, self.board.state[line.other] = self.board.state[line.other], line.z
        if before != line.z:
            adds_up = line.z == self.board.dead and line.slot != Outcome.KILLED
            why = " (wounds add up, W-3.1)" if adds_up else ""
            self.test("", f"{self.names[line.other]}: {self.state_words(line.other)}{why}")
        elif line.slot:
            self.test("", f"{self.names[line.other]}: still {self.states[line.z]}")

    def row_words(self, line: Line, dice: list[int]) -> str:
        """Return the sum that leads to the row of the wound table, where it counts (W-2)."""
        if self.is_double_six(dice) and line.slot == Outcome.KILLED:
            return "double six (W-2.2): "
        able = line.y - max(dice) + sum(self.board.terms(line.other, Stat.RES))
        able -= sum(self.board.terms(line.fighter, Stat.FOR))
        strength = self.board.words(line.fighter, Stat.FOR, able)
        resistance = self.board.words(line.other, Stat.RES)
        return f"{max(dice)} + {strength} − {resistance} = {signed(line.y)}: "

    def is_double_six(self, dice: list[int]) -> bool:
        """Whether the two dice that count kill (W-2.2)."""
        two_sixes = sorted(dice)[-2:] == [6, 6]
        return two_sixes and bool(self.question.options.edition["wounds.double_six_kills"])

    # --- end

    def tell_end(self, line: Line) -> None:
        """Say why the combat of this turn ends (C-5.5), and who falls with its end (W-7)."""
        loser = self.board.loser
        if loser is None:
            why = "no attack die is left"
        elif loser == 1 and len(self.names) > 2:
            side = self.question.fighters[1].side
            why = f"all of side {side} are dead"
        else:
            why = f"{self.names[loser]} is dead"
        self.told.append("")
        self.say(f"The combat ends: {why} (C-5.5).")
        for i in self.board.fall():
            name = self.names[i]
            self.say(f"{name} falls (W-7)")

    def tell_outcome(self) -> None:
        """Say how everybody stands at the end, and who won."""
        self.head(f"After {counted(self.board.turn + 1, 'turn', 'turns')}", "=")
        for i in self.in_order():
            self.cells(i, self.states[self.board.state[i]])
        loser = self.board.loser
        if loser is None:
            self.say("Undecided.", indent=3)
        else:
            name, side = self.lone_of(1 - loser), self.question.fighters[1].side
            self.say(f"{name} wins." if name else f"Side {side} wins.", indent=3)
