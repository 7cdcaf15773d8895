"""Requests about combats: duel, combat, melee, sweep."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.message import say
from ..base.naming import left_out
from ..base.options import SIDES, quoted, repeated, sides_of
from ..base.result import Result
from ..base.run import Drawn, Method, Option, Run
from ..combat.combat import TRIALS, ask, profiles_of
from ..combat.method import chosen_method
from ..combat.question import Question
from .output import tell
from .request import Bar, Charged, Fight, Load, Names, Request, Words, if_sampled, listed

if TYPE_CHECKING:
    from ..combat.sweep import Duels
    from ..table.melee_question import MeleeQuestion

# Seconds of one core, about, as measured: of an exact duel, where abilities are played, and best
# play of several; of a turn of a sampled combat, for each fighter.
_DUEL, ABLE, _SEVERAL, _TURN = 1e-3, 1e-2, 0.5, 4e-8
_USUAL = if_sampled(TRIALS)

Dice = Annotated[Words, Option("Dice that a fighter places. Repeatable.", "NAME=2/0")]
Pair = Annotated[tuple[str, ...], Field(strict=False, min_length=2, max_length=2)]
Charges = Annotated[
    tuple[Literal["none", "A", "B"], ...],
    Field(strict=False, min_length=1),
    BeforeValidator(listed),
]


class Fought(Drawn, Charged):
    """One combat."""

    usual, splits, drawn = _USUAL, True, True

    @cached_property
    def question(self) -> Question:
        """What is asked."""
        raise NotImplementedError

    def bar(self) -> Bar:
        """See `Request.bar`."""
        return Bar(TRIALS)

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        return combat_load([self.question], chosen_method([self.question], run, TRIALS))


class Duel(Fought):
    """Odds of a duel of A against B.

    \b
    estoc duel "garde prétorien" "guerrier de l'aube" --dice 2/0 1/1 \\
        --turns 3 --charge A
    """

    apart = ("policies", "dice")

    a: Annotated[str, Option(flag="")]
    b: Annotated[str, Option(flag="")]
    dice: Annotated[
        Pair | None,
        Option(
            "Dice in attack and defence of A and of B, as 2/0 1/1; the policies place if not "
            "given.",
            "A B",
            width=2,
            once=True,
        ),
    ] = None

    @cached_property
    def question(self) -> Question:
        """What is asked."""
        from ..combat.duel import pairing, parsed_pair

        one, other = profiles_of([self.a, self.b], self.roster)
        return pairing(one, other, self.options, parsed_pair(self.dice))

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..combat.duel import answer

        return answer(self.question, chosen_method([self.question], run, TRIALS), run)


class Combat(Fought):
    """Odds of a combat of one fighter against one or several.

    A fighter may be repeated as "name*3"; options name each of them "name#2".

    \b
    estoc combat "garde prétorien" vs "guerrier de l'aube*2" "arkéon sanath" \\
        --set "arkéon sanath".ATT=5 --set "arkéon sanath".RES=9
    """

    sides = "A… vs B…"

    a: Names
    b: Names
    dice: Dice = ()

    @classmethod
    def arranged(cls, words: dict[str, Any]) -> dict[str, Any]:
        """See `Request.arranged`."""
        return both_sides(words, "combat")

    @cached_property
    def question(self) -> Question:
        """What is asked."""
        return ask(*fighters_of_both(self), self.options)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..combat.combat import answer

        return answer(self.question, chosen_method([self.question], run, TRIALS), run)


class Melee(Drawn, Charged):
    """Every separation of a melee into combats: odds, value, the best of each side.

    Several fighters on each side who touch enemies; whoever wins a test of Discipline
    says who fights whom (C-1). A fighter may be repeated as "name*3"; options and files
    name each of them A1, A2, B1 or "name#2".

    \b
    estoc melee "garde prétorien*2" vs "guerrier de l'aube*3" --contacts all
    """

    played, usual, splits = say("combats of each kind"), _USUAL, True
    sides = "A… vs B…"

    a: Names
    b: Names
    contacts: Annotated[
        str,
        Option(
            'Who touches whom: all enemies, or a .toml file of lines as "A1" = ["B1", "B2"], or a '
            ".csv file headed fighter,touches.",
            "all|FILE",
        ),
    ] = "all"
    routed: Annotated[
        Words,
        Option(
            "In rout: no test of Discipline, all dice in defence (C-1.4, W-4.3). Repeatable.",
            "NAME",
        ),
    ] = ()

    @classmethod
    def arranged(cls, words: dict[str, Any]) -> dict[str, Any]:
        """See `Request.arranged`."""
        return both_sides(words, "melee")

    @cached_property
    def question(self) -> "MeleeQuestion":
        """What is asked."""
        from ..table.melee_question import ask

        a, b = fighters_of_both(self)
        return ask(a, b, self.contacts, self.routed, self.options)

    def bar(self) -> Bar:
        """See `Request.bar`."""
        return Bar(TRIALS, len(self.question.questions), method=self._how(self.run).name)

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        return combat_load(self.question.questions, self._how(run))

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..table.melee import answer

        return answer(self.question, self._how(run), run)

    def _how(self, run: Run) -> Method:
        return chosen_method(self.question.questions, run, TRIALS, totals=True)


class Sweep(Drawn, Fight):
    """Odds of every duel of a grid: fighters, dice of both, who charges.

    \b
    estoc sweep "garde prétorien" "guerrier de l'aube" --best
    estoc sweep --people griffons --against dirz -o table.parquet --plot heat.png
    """

    played, usual = say("combats of each duel"), if_sampled(100_000)
    splits, drawn = True, True
    apart = ("policies", "charge")

    a: Annotated[Words, Option(flag="", once=True)] = ()
    b: Annotated[Words, Option(flag="", once=True)] = ()
    people: Annotated[str | None, Option("All fighters of a people, instead of A.", "PEOPLE")] = (
        None
    )
    against: Annotated[str | None, Option("All fighters of a people, instead of B.", "PEOPLE")] = (
        None
    )
    allocations: Annotated[str, Option("Dice that both sides try.", "all|policy|2/0,1/1")] = "all"
    charge: Annotated[Charges, Option("Who charges; repeat it to compare. [default: none]")] = (
        "none",
    )
    best: Annotated[bool, Option("Mark the best answers and the safest dice of A.")] = False

    @classmethod
    def arranged(cls, words: dict[str, Any]) -> dict[str, Any]:
        """See `Request.arranged`; one name beside a people is the other side's."""
        names = [words.pop(key) for key in ("a", "b") if words.get(key)]
        for key, option in (("people", "--people"), ("against", "--against")):
            if not words.get(key):
                if not names:
                    raise InputError("sweep: name two fighters, or a people with {}", option)
                words["a" if key == "people" else "b"] = names.pop(0)
        if names:
            raise InputError(
                'sweep: "{}" is one name too many beside --people or --against', names[0]
            )
        return words

    @model_validator(mode="after")
    def _named(self) -> "Sweep":
        for names, people, keys in (
            (self.a, self.people, say('"a" or "people"')),
            (self.b, self.against, say('"b" or "against"')),
        ):
            if bool(names) == bool(people):
                raise ValueError(say("should have one of {}", keys))
        return self

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..combat.sweep import TRIALS

        duels, how = self._asked(self.run)
        return Bar(TRIALS, len(duels), method=how.name)

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        duels, how = self._asked(run)
        some = duels.telling()
        load, times = combat_load(some, how), len(duels) / len(some)
        return Load(round(load.trials * times), load.seconds * times, len(duels))

    def shares(self) -> Iterator[Request]:
        """Yield the sweeps of each fighter of A, charge by charge."""
        a, b = self._fighters
        names = tuple(profile.label for profile in b)
        for charge in dict.fromkeys(self.charge):
            for profile in a:
                one = {"a": (profile.label,), "b": names, "charge": (charge,)}
                yield self.but(people=None, against=None, **one)

    def joined(self, results: Sequence[Result], run: Run) -> Result:
        """See `Request.joined`."""
        from ..combat.sweep import sweep_result

        duels, how = self._asked(run)
        return self._named_again(
            sweep_result(duels, list(chain.from_iterable(results)), len(duels), how)
        )

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..combat.sweep import answer

        duels, how = self._asked(run)
        return self._named_again(answer(duels, how, run, best=self.best))

    def _named_again(self, result: Result) -> Result:
        """Return the result with the command of the whole sweep; none names several on a side."""
        if max(len(self.a), len(self.b)) > 1:
            return result
        words = ["estoc", "sweep", *self.a, *self.b]
        named = ("people", "against", "allocations", "charge", "method", "precision", "trials")
        for key in (*named, "sampler"):
            values = getattr(self, key) if key in self.model_fields_set or key != "charge" else ()
            for value in values if isinstance(values, tuple) else (values,):
                words += [] if value is None else [f"--{key}", str(value)]
        words += ["--best"] * self.best + self.options.arguments()
        seeds = {row["seed"] for row in result} | {self.seed}
        words += [word for seed in seeds if seed is not None for word in ("--seed", str(seed))]
        return replace(result, command=" ".join(map(quoted, words)))

    def _asked(self, run: Run) -> tuple["Duels", Method]:
        from ..combat.sweep import duels_of, method_asked

        duels = duels_of(*self._fighters, self.options, self.allocations, self.charge)
        return duels, method_asked(duels, run)

    @cached_property
    def _fighters(self) -> tuple[list[Profile], list[Profile]]:
        """The fighters of both sides; those of a people with all characteristics."""
        from ..combat.sweep import lacking

        peoples = (self.people, self.against)
        sides: list[Sequence[Profile]] = [
            profiles_of(names, self.roster) if names else self.roster.people(str(people))
            for names, people in zip((self.a, self.b), peoples, strict=True)
        ]
        missing = lacking(sides[0], sides[1], self.options)
        kept = []
        for side, profiles, people in zip(SIDES, sides, peoples, strict=True):
            unfit = [p for p in profiles if people and (side, p.label) in missing]
            for p in unfit:
                tell(left_out(p, missing[side, p.label]))
            if len(unfit) == len(profiles):
                raise InputError('sweep: no fighter of "{}" has all five characteristics', people)
            kept.append([p for p in profiles if p not in unfit])
        return kept[0], kept[1]


def both_sides(words: dict[str, Any], command: str) -> dict[str, Any]:
    """Return words with the names on both sides of vs."""
    a, b = sides_of(words.pop("sides"), command)
    return {**words, "a": tuple(a), "b": tuple(b)}


def fighters_of_both(request: Any) -> tuple[list[Profile], list[Profile]]:
    """Return the fighters on both sides, those written ``name*3`` three times."""
    a, b = (profiles_of(repeated(names), request.roster) for names in (request.a, request.b))
    return a, b


def combat_load(questions: Sequence[Question], how: Method) -> Load:
    """Return how much work combats are."""
    seconds, trials = 0.0, 0
    for question in questions:
        if how.exact:
            seconds += exact_seconds(question)
        if how.trials is not None:
            trials += how.trials
            seconds += how.trials * _TURN * question.options.turns * len(question.fighters)
    return Load(trials, seconds, len(questions))


def exact_seconds(question: Question) -> float:
    """Return about how many seconds exact odds take."""
    enemies = len(question.others)
    if enemies > 1:
        return _SEVERAL * enemies
    return ABLE if question.able else _DUEL
