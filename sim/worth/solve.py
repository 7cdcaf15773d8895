"""Best play of a combat: what it is worth, what to place, what to decide, what habits cost."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...kernels.layout.abilities import Effect
from ...profiles.edition.rulebook import alternatives
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import say, say_all
from ..base.answer import PLAYED, SECTION, AnswerKind, columns, origin_columns
from ..base.options import SIDES, Options
from ..base.policy import BEST_PLAY, OPEN, POLICIES, SENSIBLE
from ..base.result import Result, Row
from ..base.run import EXACT, Method
from ..combat.combat import SCORE, TURNS, VALUE, ask, odds_cells, profiles_of, share, title_of
from ..combat.exact import Engine, checked_exact
from ..combat.laws import Law, Placed, clean
from ..combat.question import Question
from .advice import advice
from .equilibrium import equilibrium

SOLVE = AnswerKind(
    "solve",
    SECTION
    + columns("text", "fighters of this side", "a", "b", unit="fighter")
    + columns("text", "side that decides so", "side")
    + columns("text", "dice, decision, habit or value that the row is about", "what")
    + VALUE
    + columns("number", "what that changes for A", "difference")
    + columns("number", "chance that the other side dies", "p_a", "p_b", unit="share")
    + columns("number", "how often to place these dice unseen", "share", unit="share")
    + columns("text", "rule, habit or placement in words", "text")
    + TURNS
    + SCORE,
    origin=PLAYED + origin_columns(),
    text="worth.solve_table:blocks",
    sentences="report.words:of_solve",
    charts="report.charts:of_assumed",
    tables="report.placing:solved_tables",
    blank="",
)

SECTIONS = ("value", "order", "placement", "unseen", "rule", "habit", "assumed")

SHORTENED = say(
    "what habits cost, and how assumed values move it, is left out of so large a combat unless "
    "--dice says what all place"
)
NO_RULES = say("how to decide is not told in words where abilities are played (W-7)")
MOST_VARIED = 2  # enemies of the lone fighter where also habits and assumed values are solved
MOST_POSITIONS = 40_000  # the same where abilities are played: positions, by ways to place

# Whose ability a decision is about.
_OF_EFFECTS = {
    "fury": Effect.FURY,
    "chain": Effect.CHAIN,
    "master": Effect.MASTER_STROKE,
    "held": Effect.HOLD_BACK,
    "feint": Effect.FEINT,
    "luck": Effect.LUCK,
}

# One habit each, in words: what a player always does, the rest being best play.
_HABITS = say_all(
    {
        "placement": {
            "attack": "all dice in attack",
            "even": "dice in halves",
            "defence": "all dice in defence",
            "answer": "a die kept for each attack of a better enemy",
        },
        "parry": {
            "1": "one die to each parry",
            "none": "never defend",
            "spread": "dice spread over the attacks to come",
            "all": "all dice to the first parry",
        },
        "sustain": {
            "never": "never sustain",
            "always": "always sustain the last die",
            "useful": "sustain while attacks are to come",
        },
        "reroll_attack": {
            "always": "attack: re-roll every 6",
            "never": "attack: keep every 6",
            "needed": "attack: keep a 6 that leads DEF by more than 5",
        },
        "reroll_defence": {
            "always": "defence: re-roll every 6",
            "never": "defence: keep every 6",
            "needed": "defence: re-roll a 6 that is not enough",
        },
        "reroll_initiative": {
            "always": "Initiative: re-roll every 6",
            "never": "Initiative: keep every 6",
            "needed": "Initiative: re-roll a 6 unless ahead",
        },
        "fury": {"always": "fury whenever it can be", "never": "never declare fury"},
        "chain": {"0": "no die of a chain", "1": "one die of a chain"},
        "master": {"always": "a master stroke whenever it can be", "never": "no master stroke"},
        "held": {
            "attack": "held dice in attack",
            "defence": "held dice in defence",
            "useful": "held dice in defence, at the end in attack",
        },
        "feint": {"always": "always feint", "never": "never feint"},
        "luck": {"useful": "luck on the first test that goes badly", "never": "never use luck"},
        "target": {
            "wounded": "strike the most wounded",
            "undefended": "strike whom fewest dice defend",
            "dearest": "strike the dearest",
            "frail": "strike the least resistant",
            "listed": "strike in the order listed",
        },
        "strike_order": {
            "weakest": "the weakest strikes first",
            "strongest": "the strongest strikes first",
            "listed": "strike in the order listed",
        },
        "initiative": {
            "best": "the highest INI tests",
            "listed": "the first listed tests Initiative",
        },
    }
)


def solve(
    a: str | Profile | Sequence[str | Profile],
    b: str | Profile | Sequence[str | Profile],
    *,
    unseen: bool = False,
    options: Options | None = None,
    roster: Roster | None = None,
) -> Result:
    """Return the best play of a combat of one fighter against one or several.

    Parameters
    ----------
    a, b : str, Profile or a sequence of them
        Sides A and B; one of them has a single fighter (C-1.2).
    unseen : bool
        Whether both sides also place their dice without seeing the other's.
    options : Options, optional
        Edition, wounds, charges, dice, turns, score. Both sides play best
        (`estoc.sim.base.policy.BEST_PLAY`), unless a policy of another kind is told: a side keeps
        to its policy, and the best play of the other is the best answer to it.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.

    Returns
    -------
    Result
        Rows by ``section``: *value* of best play; *order*, what it is worth if either side
        places first (equal PA); *placement*, each way to place the dice; *unseen*, how often
        to place which dice; *rule*, decisions in words; *habit*, what each habit loses;
        *assumed*, the value with another value of what nobody found. ``value`` is what the
        combat is worth to A, ``difference`` its change from best play.

    Raises
    ------
    InputError
        If a name, a cell or an option cannot be used, or there is no exact answer.

    Examples
    --------
    >>> result = solve("Garde prétorien", "Guerrier de l'aube")
    >>> best = next(row for row in result if row["section"] == "value")
    >>> round(best["value"], 6), best["what"]
    (0.249667, 'A 2/0, B 1/1')
    """
    options = with_best_play(options or Options())
    question = replace(
        ask(profiles_of(a, roster), profiles_of(b, roster), options), command="solve"
    )
    checked_exact(question)
    if unseen:
        _check_unseen(question)
    solver = _Solver(question, unseen)
    rows = list(solver.rows())
    provenance = question.provenance(Method(EXACT)).of(rows[0]["command"])
    notes = [SHORTENED] * solver.takes_long() + [NO_RULES] * question.able
    return Result.of(SOLVE, rows, title_of(question), provenance, before=notes)


def _check_unseen(question: Question) -> None:
    """Refuse dice placed unseen where they are seen, or not worked out."""
    if question.options.turns > 1:
        raise InputError("unseen: dice placed unseen are worked out for one turn")
    for side, fighters, policy in zip(
        SIDES, (question.a, question.b), question.options.policies, strict=True
    ):
        if policy.placement == "answer" and any(c.dice is None for c in fighters):
            raise InputError(
                "unseen: policy {} of {} answers the dice it sees; take another placement, or "
                "give its dice",
                policy,
                side,
            )


def with_best_play(options: Options) -> Options:
    """Return options that leave decisions open: all of them if no policy was told."""
    if options.policies == (SENSIBLE, SENSIBLE):
        return replace(options, policies=(BEST_PLAY, BEST_PLAY))
    checked_open(options)
    return options


def checked_open(options: Options) -> None:
    """Refuse policies that leave nothing open."""
    if not any(policy.open_decisions for policy in options.policies):
        raise InputError(
            "solve: both policies are fixed, and nothing is left to solve; leave one side to "
            "best play, as --policy B=cautious"
        )


class _Solver:
    """Answers all that is asked about one question, with one engine."""

    def __init__(self, question: Question, unseen: bool):
        self.question, self.unseen, self.engine = question, unseen, Engine()
        self.law = self.engine.law(question)
        self.origin = odds_cells(question, self.law, Method(EXACT))
        self.origin["command"] += " --unseen" * unseen
        self.sign = 1 if question.lone_side == 0 else -1

    def rows(self) -> Iterator[Row]:
        """Yield the rows, section by section."""
        yield self.row("value", "", self.placed(self.law), self.law)
        yield from self.orders()
        yield from self.placements()
        if self.unseen:
            yield from self.mixtures()
        if not self.question.able:
            for side, decision, text in advice(self.question, self.engine, self.law):
                yield self.row("rule", side, decision, None, text=text)
        yield from self.habits()
        yield from self.assumptions()

    def row(self, section: str, side: str, what: str, law: Law | None, **cells: Any) -> Row:
        """Return a row; ``law`` gives its value and odds."""
        odds: Row = {}
        if law is not None:
            wins = [law.lone_wins, law.others_win]
            p_a, p_b = wins if self.question.lone_side == 0 else reversed(wins)
            odds.update(
                value=clean(law.value),
                difference=clean(law.value - self.law.value),
                p_a=share(p_a, law),
                p_b=share(p_b, law),
            )
        names = (" + ".join(c.label for c in s) for s in (self.question.a, self.question.b))
        cells = {**odds, **cells, "trials": None, **self.origin}
        options = self.question.options
        row = SOLVE.row(section, *names, side, what, turns=options.turns, score=options.score)
        return {**row, **cells}

    def placed(self, law: Law) -> str:
        """Return the dice that all placed, as ``A 2/0, B 1/1``."""
        return self.dice_text(law.placed)

    def dice_text(self, dice: Placed) -> str:
        """Return the dice of all, the lone one first, as those of A and of B."""
        parts = []
        for side in SIDES:
            mine = [
                str(d) for d, c in zip(dice, self.question.fighters, strict=True) if c.side == side
            ]
            parts.append(f"{side} {' + '.join(mine)}")
        return ", ".join(parts)

    def varied(self, **changes: Any) -> Law:
        """Return the law with other options."""
        options = replace(self.question.options, **changes)
        return self.engine.law(replace(self.question, options=options))

    def orders(self) -> Iterator[Row]:
        """Yield what either order of placing is worth, where PA leave it to who chose (C-3.3)."""
        first = {}
        for chooser in SIDES:
            options = replace(self.question.options, chosen_by=chooser)
            asked = replace(self.question, options=options)
            first[chooser] = asked, tuple(asked.setup.order)
        if len({order for _, order in first.values()}) == 1:
            return
        orders = zip(*(order for _, order in first.values()), strict=True)
        place = next(i for i, others in enumerate(orders) if len(set(others)) > 1)
        for chooser, (asked, order) in first.items():
            law = self.engine.law(asked)
            side = asked.fighters[order[place]].side
            what = say("{} chose the combat: of equals, {} places first", chooser, side)
            yield self.row("order", "", what, law, text=self.placed(law))

    def placements(self) -> Iterator[Row]:
        """Yield what each way to place the dice is worth, the rest being best play."""
        played = self.law.opening.placed
        for placed, value in self.law.opening.placements.items():
            cells = {
                "value": clean(self.sign * value),
                "difference": clean(self.sign * value - self.law.value),
            }
            text = "played" if placed == played else ""
            yield self.row("placement", "", self.dice_text(placed), None, text=text, **cells)

    def mixtures(self) -> Iterator[Row]:
        """Yield how often each side places which dice where neither sees the other's."""
        ways = self.law.opening.placements
        if len(ways) < 2:
            raise InputError("unseen: no dice are left to place; drop --dice, or a policy")
        lone = sorted({placed[0] for placed in ways}, reverse=True)
        others = sorted({placed[1:] for placed in ways}, reverse=True)
        game = equilibrium([[ways[(x, *y)] for y in others] for x in lone])
        value = clean(self.sign * game.value)
        cells = {"value": value, "difference": clean(value - self.law.value)}
        yield self.row("unseen", "", say("both place unseen"), None, **cells)
        own, enemy = SIDES[self.question.lone_side], SIDES[1 - self.question.lone_side]
        for x, chance in zip(lone, game.rows, strict=True):
            text = self.dice_text((x, *others[0]))
            yield self.row("unseen", own, _of_side(text, own), None, share=float(chance))
        for y, chance in zip(others, game.columns, strict=True):
            text = self.dice_text((lone[0], *y))
            yield self.row("unseen", enemy, _of_side(text, enemy), None, share=float(chance))

    def habits(self) -> Iterator[Row]:
        """Yield what each habit of a side costs it against best play."""
        if self.takes_long():
            return
        for index, side in enumerate(SIDES):
            policies = self.question.options.policies
            own = policies[index]
            changed = [
                (f"{key}={value}", text, replace(own, **{key: value}))  # type: ignore[arg-type]
                for key, habits in _HABITS.items()
                for value, text in habits.items()
                if key in own.open_decisions and self.matters(key, index)
            ]
            if own == BEST_PLAY:
                changed += [
                    (f"policy={name}", say("the whole policy {}", name), policy)
                    for name, policy in POLICIES.items()
                    if name != OPEN
                ]
            for what, text, policy in changed:
                both = (policy, policies[1]) if index == 0 else (policies[0], policy)
                yield self.row("habit", side, what, self.varied(policies=both), text=text)

    def matters(self, decision: str, index: int) -> bool:
        """Whether a side takes a decision at all in this combat."""
        several = len(self.question.others) > 1
        if decision == "target":
            return several and index == self.question.lone_side
        if decision in ("strike_order", "initiative"):
            return several and index != self.question.lone_side
        if decision in _OF_EFFECTS:
            return self.question.has_effect(_OF_EFFECTS[decision], SIDES[index])
        if decision == "placement":
            combatants = (self.question.a, self.question.b)[index]
            return any(c.dice is None for c in combatants)
        return True

    def takes_long(self) -> bool:
        """Whether to solve the combat a hundred times more would take minutes."""
        ways = len(self.law.opening.placements)
        many = self.law.positions * ways > MOST_POSITIONS and self.question.able
        return many or (len(self.question.others) > MOST_VARIED and ways > 1)

    def assumptions(self) -> Iterator[Row]:
        """Yield the value with each other value of the edition that nobody found."""
        if self.takes_long():
            return
        edition = self.question.options.edition
        for key in self.question.assumed:
            for text in alternatives(key, edition[key]):
                rules = (*self.question.options.rules, f"{key}={text}")
                try:
                    law = self.varied(rules=rules)
                except InputError:
                    continue  # not with the other values of this edition
                yield self.row("assumed", "", f"{key}={text}", law, text=self.placed(law))


def _of_side(text: str, side: str) -> str:
    """Return the dice of one side from ``A 2/0, B 1/1``."""
    return next(part[2:] for part in text.split(", ") if part.startswith(side))
