"""One trial told die by die: a transcript to read."""

import numpy as np
from numpy.typing import NDArray

from ...kernels.combat import trials
from ...kernels.layout.abilities import Effect
from ...kernels.layout.combat import COIN, Outcome, Rule, Stat, new_fight
from ...kernels.layout.log import MAX_EVENTS, Event
from ...profiles.compile.combat import state_names
from ...profiles.errors import InputError
from ...profiles.message import say, say_n
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import MAX_TRIALS, checked_seed
from ..base.result import Result
from ..base.run import LITERAL, SAMPLED, Method
from ..text.speech import translated
from .combat import title_of
from .events import (
    EVENT,
    Board,
    Line,
    Log,
    Teller,
    chains_of,
    die_of,
    entries_of,
    event_rows,
    fighter_names,
    known,
    number,
    placed_words,
    rolled,
    taken_words,
    total,
)
from .question import Question
from .sampling import check_sampled

REPLAY = AnswerKind(
    "replay",
    EVENT + columns("whole", "number of the trial", "trial"),
    origin=origin_columns(),
    is_transcript=True,
)


def replay(question: Question, seed: int, trial: int) -> Result:
    """Play one trial of a run again, die by die.

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
        raise InputError("trial {} should be from 0 to {}", trial, MAX_TRIALS)
    check_sampled(question)
    log = trial_log(question, seed, trial)
    title = say("{}: trial {} of seed {}", title_of(question), trial, seed)
    provenance = question.provenance(Method(SAMPLED, trial + 1, seed))
    words = provenance.command.removeprefix("estoc ")
    provenance = provenance.of(f"estoc replay {words} --trial {trial}")
    own = provenance.cells(method=SAMPLED, sampler=LITERAL, remainder=None, seed=seed)
    rows = [{**row, "trial": trial, **own} for row in event_rows(question, log)]
    return Result.of(REPLAY, rows, transcript_text(question, log, title), provenance)


def trial_log(question: Question, seed: int, trial: int) -> NDArray[np.int64]:
    """Return the kernels' log of a trial, whole."""
    fights = new_fight(question.setup, question.rules, seed, question.cell)
    log, complete = trials.replay(fights, trial, question.options.turns)
    if complete:
        return np.asarray(log, np.int64)
    turns = int((log[: MAX_EVENTS - 1, 0] == Event.END).sum())
    raise InputError(
        "trial {} has more than the {} events that a transcript holds; ask for at most {} turns",
        trial,
        MAX_EVENTS,
        turns,
    )


def transcript_text(question: Question, log: Log, title: str = "") -> str:
    """Return a log in words, in lines of at most 80 columns."""
    story = _Story(question)
    story.tell(log, title or title_of(question))
    return str(story)


class _Story(Teller):
    """Tells a log row by row."""

    def __init__(self, question: Question) -> None:
        super().__init__()
        self.question = question
        self.edition = question.options.edition
        self.names = fighter_names(question)
        self.states = state_names(self.edition)
        self.board = Board(question)
        self.at = (-1, -1)  # turn and pass
        self.roll_off = -1
        self.strike: Line  # the last one
        self.parries_held = False  # whether it is met with a die that was held back

    def tell(self, log: Log, title: str) -> None:
        """Tell the whole story."""
        self.say(title, hang=0)
        self._cards()
        for line, dice in entries_of(log):
            self._at_turn(line.turn)
            getattr(self, f"_{Event(line.kind).name.lower()}")(line, dice)
        self._outcome()

    def _test(self, label: str, text: str) -> None:
        """Add a line of an attack: what was rolled for, and what came of it."""
        self.say(f"{translated(label):<9}{translated(text)}", indent=4, hang=9)

    def _row(self, i: int, text: str) -> None:
        """Add a line of a table of fighters, which is never broken."""
        width, side = max(map(len, self.names)), self.question.fighters[i].side
        self.lines.append(f"{side}  {self.names[i]:<{width}}  {translated(text)}".rstrip())

    def _in_order(self) -> list[int]:
        """Return all fighters, side A first."""
        return sorted(range(len(self.names)), key=lambda i: self.question.fighters[i].side)

    def _state_words(self, i: int) -> str:
        """Return a fighter's state and what it takes, as ``light (−1 INI, ATT, FOR, DEF)``."""
        taken = taken_words(self.board.penalty(i))
        state = self.states[self.board.state[i]]
        return say("{} ({})", state, taken) if taken else state

    def _sum(self, shown: str, natural: int | None, i: int, stat: Stat, result: int) -> str:
        """Return a test as ``6→4: 10 + ATT 3 = 13``."""
        if natural is None:
            return total(shown, "", 0, None)
        value = result - natural
        able = value - sum(self.board.terms(i, stat))
        return total(shown, self.board.words(i, stat, able), value, result)

    def _cards(self) -> None:
        """Say who fights, with what."""
        width = max(map(len, self.names))
        stats = "".join(f"{stat.name:>5}" for stat in Stat)
        self.lines += ["", f"   {'':<{width}}  {'PA':>4}{stats}"]
        for i in self._in_order():
            pa = self.question.fighters[i].profile.PA
            values = "".join(f"{number(int(self.board.fighters[i, stat])):>5}" for stat in Stat)
            state = self.board.state[i]
            hurt = f"  {translated(self.states[state])}" if state else ""
            self._row(i, f"{'–' if pa is None else pa:>4}{values}{hurt}")

    def _at_turn(self, turn: int) -> None:
        """Go on to a turn, if it is another, and say what is different in it."""
        if self.at[0] == turn:
            return
        self.at = turn, -1
        self.head(say("Turn {}", turn + 1), "=")
        for i in self.board.begin_turn(turn) if turn else ():
            now = self._state_words(i)
            self.say(say("{} is no longer stunned (T-5.3): {}", self.names[i], now))
        for i, name in enumerate(self.names):
            if taken := taken_words(self.board.charge(i)):
                self.say(say("{} is charged: {} in this turn (M-5.1)", name, taken))
        self.say("Dice, in the order in which they are placed (C-3)")

    def _at_pass(self, line: Line) -> None:
        """Go on to a pass of arms, if it is another."""
        if self.at != (line.turn, line.number):
            self.at = line.turn, line.number
            self.head(say("Pass of arms {} (C-5)", line.number + 1))

    def _at_roll_off(self, line: Line) -> None:
        """Go on to a roll-off, if it is another."""
        if self.roll_off != line.number:
            self.roll_off = line.number
            again = say("Initiative, roll-off {}", line.number + 1)
            self.head(again if line.number else "Initiative (C-4)")

    def _place(self, line: Line, _: list[Line]) -> None:
        self.board.defence[line.a] = line.y
        self._row(line.a, placed_words(line.x, line.y, line.z))

    def _feat(self, line: Line, dice: list[Line]) -> None:
        effect, board, indent = Effect(line.slot), self.board, 4
        if effect in (Effect.HOLD_BACK, Effect.MASTER_STROKE):
            self._at_pass(line)
            indent = 2
        elif self.at[1] < 0:
            indent = 3
            if line.b >= 0:
                self._at_roll_off(line)
        if effect == Effect.HOLD_BACK and line.x:
            self.parries_held = True
            board.defence[line.a] += 1
        elif effect == Effect.FEINT:
            board.defence[line.b] -= line.y
            if board.defence[line.b] == 0:
                board.sustained.pop(line.b, None)
        elif effect == Effect.DIEHARD:
            board.doomed.append(line.a)
        feat = {"effect": effect.name, "x": line.x, "y": known(line.y), "z": line.z}
        feat |= {"fighter": line.a, "dice": [die_of(die, die.a) for die in dice]}
        other = self.names[line.b] if line.b >= 0 else ""
        self.say(self.feat_words(feat, self.names[line.a], other), indent)

    def _initiative(self, line: Line, rolls: list[Line]) -> None:
        self._at_roll_off(line)
        self.roll_off = -1
        coin = [die.y for die in rolls if die.slot == COIN]
        dice = self.all_dice([die_of(die, die.a) for die in rolls if die.slot != COIN])
        for i, result in ((line.a, line.x), (line.b, line.y)):
            natural = self.board.natural(chains_of(dice, i)[-1])
            self._row(i, self._sum(rolled(dice, i), natural, i, Stat.INI, result))
        if line.x == line.y:
            self.say(say("Equal: {} (C-4.3).", self._tie_words(line.slot, coin)), 3)
        if line.slot >= 0:
            name, side = self._lone(line.slot), self.question.fighters[1].side
            self.say(
                say("{} strikes first.", name) if name else say("Side {} strikes first.", side), 3
            )

    def _tie_words(self, winner: int, coin: list[int]) -> str:
        """Say what decides an equal test (C-4.3)."""
        if winner < 0:
            return say("both roll again")
        if coin:
            return say("a coin decides, {} on a die", coin[0])
        if self.edition["tests.opposed_tie"] == "first":
            return say("the side that chose the combat wins")
        return say("the higher INI wins")

    def _lone(self, side: int) -> str:
        """Return the name of a side's only fighter; nothing of a side of several."""
        return self.names[side] if side == 0 or len(self.names) == 2 else ""

    # --- attacks

    def _strike(self, line: Line, _: list[Line]) -> None:
        self._at_pass(line)
        who, whom = self.names[line.a], self.names[line.b]
        self.say(say("{} strikes {}, {}", who, whom, self._defence_words(line)), 2)
        self.strike, self.parries_held = line, False

    def _defence_words(self, line: Line) -> str:
        """Return how an attack is defended (C-6.2, C-7)."""
        if line.slot == 0:
            return say("undefended")
        if not line.x:
            return say_n("{} defence die", "{} defence dice", line.slot)
        if line.b in self.board.sustained:
            return say("defence sustained again (C-7.3)")
        self.board.sustained[line.b] = not self.parries_held  # with it nothing is taken (W-7)
        return say("sustained defence (C-7.2)")

    def _attack(self, line: Line, dice: list[Line]) -> None:
        sums = self._tested(line, dice, Stat.ATT)
        if line.z and known(line.x) is not None:
            sums = say("{}: automatic failure (W-1.3)", sums)
        self._test("attack", sums)
        if not (line.z or self.strike.x):
            self.board.defence[line.b] -= self.strike.slot

    def _parry(self, line: Line, dice: list[Line]) -> None:
        sums = self._tested(line, dice, Stat.DEF)
        self._test("defence", say("{}: parried" if line.z else "{}: hit", sums))

    def _tested(self, line: Line, dice: list[Line], stat: Stat) -> str:
        shown = rolled([die_of(die, die.a) for die in dice])
        return self._sum(shown, known(line.x), line.a, stat, line.y)

    def _wound(self, line: Line, dice: list[Line]) -> None:
        board, faces = self.board, [die.y for die in dice]
        place = self.edition["wounds.places"][line.x - 1]
        shown = ", ".join(map(str, faces))
        self._test("wound", say("{}: {}; {}", shown, place, self._outcome_of(line, faces)))
        before, board.state[line.b] = board.state[line.b], line.z
        if before != line.z:
            adds_up = line.z == board.dead and line.slot != Outcome.KILLED
            now = self.names[line.b], self._state_words(line.b)
            self._test("", say("{}: {} (wounds add up, W-3.1)" if adds_up else "{}: {}", *now))
        elif line.slot:
            self._test("", say("{}: still {}", self.names[line.b], self.states[line.z]))

    def _outcome_of(self, line: Line, faces: list[int]) -> str:
        """Return the row of the wound table where it counts, and what is there (W-2)."""
        board, rules, (low, high) = self.board, self.board.rules, sorted(faces)[-2:]
        outcome = Outcome(line.slot)
        row = line.y - high + rules.scalars[Rule.WOUND_OFFSET]
        row = min(max(row, 0), len(rules.wound) - 1)
        plain = Outcome(int(rules.wound[row, (high - 1) * 6 + low - 1]))
        words = outcome.name.lower()
        if plain != outcome:
            words = say("{}, with abilities {} (W-7)", plain.name.lower(), words)
        kills = low == 6 and self.edition["wounds.double_six_kills"]
        if kills and outcome == Outcome.KILLED:
            return say("double six (W-2.2): {}", words)
        able = line.y - high + sum(board.terms(line.b, Stat.RES))
        strength = board.words(line.a, Stat.FOR, able - sum(board.terms(line.a, Stat.FOR)))
        resistance = board.words(line.b, Stat.RES)
        return say("{} + {} − {} = {}: {}", high, strength, resistance, number(line.y), words)

    def _end(self, _: Line, __: list[Line]) -> None:
        """Say why the combat of this turn ends (C-5.5), and who falls with its end (W-7)."""
        loser = self.board.loser
        if loser is None:
            why = say("no attack die is left")
        elif loser == 1 and len(self.names) > 2:
            side = self.question.fighters[1].side
            why = say("all of side {} are dead", side)
        else:
            why = say("{} is dead", self.names[loser])
        self.lines.append("")
        self.say(say("The combat ends: {} (C-5.5).", why))
        for i in self.board.fall():
            name = self.names[i]
            self.say(say("{} falls (W-7)", name))

    def _outcome(self) -> None:
        """Say how everybody stands at the end, and who won."""
        self.head(say("After {}", say_n("{} turn", "{} turns", self.board.turn + 1)), "=")
        for i in self._in_order():
            self._row(i, self.states[self.board.state[i]])
        loser = self.board.loser
        if loser is None:
            self.say("Undecided.", 3)
        else:
            name, side = self._lone(1 - loser), self.question.fighters[1].side
            self.say(say("{} wins.", name) if name else say("Side {} wins.", side), 3)
