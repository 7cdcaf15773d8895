"""Requests about contests of armies: matchup, compare, tune."""

from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.options import checked_seed
from ..base.result import Result
from ..base.run import Option, Run, Sampled
from .request import Able, Bar, Load, Names, Words

if TYPE_CHECKING:
    from ..base.run import Method
    from ..contest.compare import Comparison
    from ..contest.setting import Setting
    from ..contest.training import Trainer
    from ..contest.variants import Variant
    from ..matchup.plan import Plan
    from ..matchup.question import MatchupQuestion

Pairs = Annotated[
    tuple[tuple[str, str], ...], Field(strict=False), BeforeValidator(lambda pairs: tuple(pairs))
]


class Matchup(Sampled, Able):
    """Which list wins against which: all against all, both ways round with the same dice.

    LISTS are army files, or armies that come with the program. A list with a policy that plays
    it is an entrant.

    \b
    estoc matchup daikinee-foot devoreurs-elite --policies by-odds,aggressive --seed 5
    """

    played, usual = say("battles of every two entrants"), say(": {:,}, more for a precision", 1000)
    splits, drawn = True, True
    apart = ("policies",)

    lists: Annotated[Names, Option(metavar="LISTS…", flag="")]
    field: Annotated[str, Option("Where they fight.", "NAME|FILE")] = "village"
    policies: Annotated[
        Words,
        Option(
            "Who plays the lists: each list is played by each of them, see `estoc policy`. "
            "Repeatable. [default: by-odds]",
            "NAME[:key=value,…],…",
        ),
    ] = ()
    precision: Annotated[
        float | None,
        Option(
            "Two entrants have no more battles once half the interval of their score is at most "
            "P, as 0.01 for a point of percentage.",
            "P",
        ),
    ] = None
    drop: Annotated[
        bool,
        Option("Those clearly below the best have no more battles, save time."),
    ] = False
    losses: Annotated[
        Pairs,
        Option(
            "Show what these two entrants lose against each other; numbers will do. Repeatable.",
            "X Y",
            width=2,
            everywhere=False,
        ),
    ] = ()
    plot_kind: Annotated[
        Literal["both", "heat", "forest"],
        Option("What is drawn: all against all, each against the field.", everywhere=False),
    ] = "both"

    @cached_property
    def question(self) -> "MatchupQuestion":
        """What is asked."""
        from ..matchup.question import ask_matchup

        return ask_matchup(
            self.lists, self.policies, field=self.field, options=self.options, roster=self.roster
        )

    def bar(self) -> Bar:
        """See `Request.bar`."""
        most = self._plan(self.run).stopping.most
        return Bar(most, len(self.question.cells), method="mc", trials=most)

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        from ..battle.sampling import SECONDS

        cells = len(self.question.cells)
        battles = self._plan(run).stopping.most * cells
        return Load(battles, battles * SECONDS, 40 * cells)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..matchup.matchup import answer

        return answer(
            self.question, self._plan(run), run, losses=self.losses, picture=self.plot_kind
        )

    def _plan(self, run: Run) -> "Plan":
        from ..matchup.plan import plan_of

        return plan_of(run, self.drop)


class Compare(Sampled, Able):
    """What one change to a battle does, from A's side: both with the same dice.

    The second battle is another SCENARIO, or the same with one --change or several. Two army
    lists fight each trial twice, the second time with the sides of the field changed.

    \b
    estoc compare pitched --change policy-b=random
    estoc compare pitched --change rule=wounds.killed_level=5 --seed 1
    estoc compare daikinee-riders vs devoreurs-horde --change army-a=daikinee-foot
    estoc compare pitched --favours --trials 5000
    estoc compare pitched --sensitivity
    """

    played, usual, splits = say("battles of each"), say(": {:,}", 2000), True

    battles: Annotated[Names, Option(metavar="SCENARIO [SCENARIO] | LIST vs LIST", flag="")]
    field: Annotated[
        str | None, Option("Where two lists meet. [default: village]", "NAME|FILE")
    ] = None
    changes: Annotated[
        Words,
        Option(
            "What is different in the second battle: policy-a=NAME, policy-b=NAME, "
            "rule=KEY=VALUE, set=NAME.KEY=VALUE, edition=NAME, army-a=LIST, army-b=LIST, "
            "field=NAME, tactics=A (wins every roll), first=A (speaks first), refusals-a=+1. "
            "Repeatable.",
            "WHAT=VALUE",
        ),
    ] = Field((), alias="change")
    until_sure: Annotated[
        bool,
        Option(
            "End when one battle is shown to be better for A, by a sequential test; --trials is "
            "the most. [default: 50,000]"
        ),
    ] = False
    favours: Annotated[
        bool,
        Option(
            "Instead: what the Tactics roll, speaking first, a refusal, a fighter are worth to A."
        ),
    ] = False
    sensitivity: Annotated[
        bool, Option("Instead: how the answer moves with each assumed value of the edition.")
    ] = False
    policy_a: Annotated[str, Option("How A decides.", "NAME")] = "aggressive"
    policy_b: Annotated[str, Option("How B decides.", "NAME")] = "aggressive"
    precision: Annotated[
        float | None,
        Option(
            "End when the interval of the score's difference reaches no further than P to each "
            "side, as 0.01 for a point of percentage; --trials is the most. [default of trials: "
            "3/P²]",
            "P",
        ),
    ] = None

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..contest.compare import TRIALS

        how = self._how(self.run)
        return Bar(TRIALS, self._battles, method=how.name, trials=how.trials)

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        from ..battle.sampling import SECONDS

        trials = (self._how(run).trials or 0) * self._battles
        return Load(trials, trials * SECONDS, 4 * self._battles)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..contest import compare, variants

        how = self._how(run)
        if self._kind is None:
            return compare.answer(self.comparison, how, run)
        base, changes = self._variants
        return variants.answer(self._kind, base, changes, how, run, roster=self.roster)

    @cached_property
    def comparison(self) -> "Comparison":
        """The two battles."""
        from ..contest.compare import comparison

        if len(self._settings) == 1 and not self.changes:
            raise InputError("compare: say what is different in the second battle: --change")
        first, second = self._settings[0], self._settings[-1]
        return comparison(first, second, self.changes, self.roster, until_sure=self.until_sure)

    @property
    def _kind(self) -> str | None:
        """What changes of its own it tries."""
        return next((kind for kind in ("favours", "sensitivity") if getattr(self, kind)), None)

    @property
    def _battles(self) -> int:
        if self._kind is None:
            return 2 * self.comparison.ways
        base, changes = self._variants
        return (len(changes) + 1) * (1 if base.armies is None else 2)

    def _how(self, run: Run) -> "Method":
        from ..contest.compare import planned

        return planned(run, self.until_sure)

    @cached_property
    def _settings(self) -> "list[Setting]":
        """The battles that are named, before any change."""
        from ..contest.setting import FIELD, Setting

        names, policies = self.battles, (self.policy_a, self.policy_b)
        if "vs" in [name.lower() for name in names]:
            if len(names) != 3 or names[1].lower() != "vs":
                raise InputError("compare: write two army lists as LIST vs LIST")
            armies = (names[0], names[2])
            return [Setting(self.field or FIELD, policies, self.options, armies=armies)]
        if len(names) > 2:
            raise InputError('compare: "{}" is one scenario too many; name one or two', names[2])
        if self.field:
            raise InputError("compare: --field is for two army lists, LIST vs LIST")
        return [Setting(name, policies, self.options) for name in names]

    @cached_property
    def _variants(self) -> "tuple[Setting, list[Variant]]":
        """The battle, and the changes to it that are tried."""
        from ..contest.favours import favoured
        from ..contest.sensitivity import varied

        lost = ["sensitivity"] * (self.favours and self.sensitivity)
        lost += ["change"] * bool(self.changes) + ["until-sure"] * self.until_sure
        lost += ["precision"] * (self.precision is not None)
        if lost:
            raise InputError(
                "compare: --{} tries changes of its own: drop --{}", self._kind, lost[0]
            )
        if len(self._settings) > 1:
            raise InputError("compare: --{} is about one battle, not two", self._kind)
        base = self._settings[0].staged(self.roster)
        return base, favoured(base) if self.favours else varied(base, self.roster)


class Tune(Able):
    """Better parameters for a POLICY, found by playing (CMA-ES), and what they gain.

    The gain is measured on fresh trials, beside the policy as it was. With -o FILE.toml the
    tuned policy is kept, with how it was found. Needs the library cma: pip install "estoc[tune]".

    \b
    estoc tune by-odds --against aggressive --list devoreurs-elite \\
        --list daikinee-foot --seed 1 -o mine.toml
    """

    policy: Annotated[str, Option(flag="")]
    against: Annotated[Names, Option("An enemy's. Repeatable.", "POLICY")]
    lists: Annotated[
        Words,
        Option("Army lists, each against each and itself, from both sides. Repeatable.", "LIST"),
    ] = Field((), alias="list")
    field: Annotated[str | None, Option("Where lists meet. [default: village]", "NAME|FILE")] = None
    scenarios: Annotated[
        Words,
        Option("Instead, or besides: a scenario, from both sides. Repeatable.", "SCENARIO"),
    ] = Field((), alias="scenario")
    keep: Annotated[
        Words,
        Option(
            "Not to be varied; of by-odds, a new wound makes new tables of odds, some seconds "
            "each. Repeatable.",
            "PARAMETER",
        ),
    ] = ()
    generations: Annotated[int | None, Option("Of candidates. [default: 20]", least=1)] = None
    candidates: Annotated[int | None, Option("In each generation. [default: 10]", least=4)] = None
    trials: Annotated[
        int | None,
        Option("Of each battle, for one candidate in one generation. [default: 20]", least=1),
    ] = None
    fresh: Annotated[
        int | None, Option("Of each battle, to see the gain. [default: 400]", least=1)
    ] = None
    spread: Annotated[
        float | None,
        Option(
            "Standard deviation of the first candidates, in shares of each parameter's range; "
            "less stays nearer to the policy as it is. [default: 0.25]"
        ),
    ] = None
    seed: Annotated[int | None, Option("Of the search; fresh trials have the next one.")] = None

    @cached_property
    def trainer(self) -> "Trainer":
        """The policy to be tuned, with all that its search needs."""
        from ..contest.setting import FIELD, Setting
        from ..contest.training import Trainer

        if self.field and not self.lists:
            raise InputError("tune: --field is for army lists: --list LIST")
        field, options = self.field or FIELD, self.options
        settings = [Setting(name, options=options) for name in self.scenarios]
        for a, b in combinations_with_replacement(self.lists, 2):
            settings.append(Setting(field, options=options, armies=(a, b)))
        keys = ("generations", "candidates", "trials", "fresh", "spread")
        numbers: dict[str, Any] = {
            key: getattr(self, key) for key in keys if getattr(self, key) is not None
        }
        named = {"against": self.against, "list": self.lists, "scenario": self.scenarios}
        named |= {"field": (self.field,) if self.field else (), "keep": self.keep}
        named |= {key: (str(value),) for key, value in numbers.items()}
        words = [word for key, texts in named.items() for t in texts for word in (f"--{key}", t)]
        return Trainer(
            self.policy,
            self.against,
            tuple(setting.staged(self.roster) for setting in settings),
            **numbers,
            seed=checked_seed(self.seed),
            kept=self.keep,
            words=(self.policy, *words, *options.set_arguments(), *options.common_arguments()),
        )

    def bar(self) -> Bar:
        """See `Request.bar`."""
        return Bar(self.trainer.total, method="mc", trials=self.trainer.total)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..contest.tune import tune

        return tune(self.trainer, run, roster=self.roster)
