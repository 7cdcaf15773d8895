"""Fighters on a table: what is printed, what is so now, who touches whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import dist
from typing import Any

from estoc.profiles.edition.edition import Edition
from reference.book import DEAD, Book, Wounds, suffer
from reference.decisions import Choices, Dice, Illegal, Step, must
from reference.geometry import Plain, disc, gap, rectangle

TOUCH = 1e-6  # cm, as near as makes a contact
NEAR = 1e-6  # cm, by which lengths may differ
LEVELS = ("critical", "serious", "light")
MOST_TOUCHED = 8  # enemies whom a move may leave in contact with anyone

Point = tuple[float, float]


@dataclass
class Warrior:
    """A fighter; ``card`` is what the transcript's first step says of him."""

    number: int
    card: dict[str, Any]
    at: Point
    facing: Point
    wounds: Wounds
    routed: bool
    mana: int
    faith: int
    immune: int = 0  # the greatest PEUR that he has stood (W-4.2)
    markers: set[str] = field(default_factory=set)
    assaulted: bool = False  # in this activation phase (M-7.1)
    activated: bool = False
    thrown: bool = False  # to cover: must move under cover (M-6.3)
    cast: dict[int, int] = field(default_factory=dict)  # how often this turn
    fought: bool = False
    pursued: int = 0  # moves of this phase
    luck: int = 0  # tests left that he may roll again (W-7)
    charging: bool = False  # has charged this turn, and not fought since
    killer: int | None = None  # of one who fights on, killed (W-7)

    def has(self, effect: str) -> bool:
        """Whether an ability of his has an effect (W-7)."""
        return effect in self.card.get("effects", ())

    def amount(self, effect: str, number: str) -> int:
        """A number of an effect; 0 without the effect."""
        return self.card["numbers"].get(number, 0) if self.has(effect) else 0

    def words(self, number: str) -> list[Any]:
        """A list among his numbers: tests, weapons, lower dice."""
        found: list[Any] = self.card["numbers"][number] if "numbers" in self.card else []
        return found

    @property
    def doomed(self) -> bool:
        return self.killer is not None

    @property
    def side(self) -> int:
        side: int = self.card["side"]
        return side

    @property
    def alive(self) -> bool:
        return not self.wounds.dead

    @property
    def base(self) -> Plain:
        card = self.card
        if card["shape"] == "disc":
            return disc(self.at, self.facing, card["width"])
        return rectangle(self.at, self.facing, card["width"], card["depth"])


@dataclass
class Lasting:
    """The effect of a mystic action that goes on while its caster pays for it (T-5.3)."""

    source: Warrior
    target: Warrior
    mystic: int
    lasts: bool = True


def book_of(edition: Edition) -> Book:
    """What the tests of a battle need of an edition."""
    return Book(
        reroll_one=edition["tests.reroll_one"],
        natural_one_fails=edition["tests.natural_one_fails"],
        automatic_failure=edition["tests.automatic_failure"],
        many_dice=edition["tests.many_dice"],
        opposed_tie=edition["tests.opposed_tie"],
        light=edition["wounds.light"],
        serious=edition["wounds.serious"],
        critical=edition["wounds.critical"],
        killing=edition["wounds.killed_level"],
        stunned_stacks=edition["wounds.stunned_stacks"],
    )


class Game:
    """A battle that is being played: the fighters, both tapes, the steps told so far."""

    def __init__(self, head: dict[str, Any], edition: Edition, dice: Dice, choices: Choices):
        self.head, self.edition, self.dice, self.choices = head, edition, dice, choices
        self.book = book_of(edition)
        self.steps = [Step("battle", head)]
        self.turn = 0
        self.lasting: list[Lasting] = []
        self.warriors = [
            Warrior(
                number=i,
                card=card,
                at=(card["at"][0], card["at"][1]),
                facing=(card["facing"][0], card["facing"][1]),
                wounds=wounds_named(edition, card["state"]),
                routed=card["routed"],
                mana=card["mana"],
                faith=card["faith"],
            )
            for i, card in enumerate(head["fighters"])
        ]

    def __getitem__(self, i: int) -> Warrior:
        return self.warriors[i]

    def tell(self, kind: str, **data: Any) -> None:
        """Write a step."""
        self.steps.append(Step(kind, data))

    # --- who -----------------------------------------------------------------------------

    def living(self, side: int | None = None) -> list[Warrior]:
        """The living fighters, or those of a side, in the order of the scenario."""
        return [w for w in self.warriors if w.alive and side in (None, w.side)]

    @property
    def over(self) -> bool:
        """Whether a side has nobody left."""
        return not self.living(0) or not self.living(1)

    def touching(self, warrior: Warrior) -> list[Warrior]:
        """The living, friends and enemies, whose base touches his; nobody touches the dead."""
        if not warrior.alive:
            return []
        return [
            other
            for other in self.living()
            if other is not warrior
            and other.card["level"] == warrior.card["level"]
            and abs(gap(warrior.base, other.base)) <= TOUCH
        ]

    def enemies(self, warrior: Warrior) -> list[Warrior]:
        """The enemies whom he touches."""
        return [other for other in self.touching(warrior) if other.side != warrior.side]

    # --- what ----------------------------------------------------------------------------

    def printed(self, warrior: Warrior, stat: str) -> int:
        """A characteristic of his card; using one that nobody knows is an error."""
        value = self.own(warrior, stat)
        if value is None:
            raise Illegal("W-1.1", f"{stat} of fighter {warrior.number} is not known")
        return value

    def own(self, warrior: Warrior, stat: str) -> int | None:
        """What his card says, or an ability in its stead: DIS 0 (W-7); None: not known."""
        if stat == "DIS" and warrior.has("fixed_discipline"):
            return warrior.amount("fixed_discipline", "discipline")
        value: int | None = warrior.card[stat]
        return value

    def current(self, warrior: Warrior, stat: str) -> int:
        """A characteristic less what wounds and a charge take (W-3.2, M-5.1)."""
        value = self.printed(warrior, stat)
        value -= warrior.wounds.stunned * self.edition[f"penalty.stunned.{stat}"]
        level = warrior.wounds.level
        ignored = level <= warrior.amount("ignore_penalty", "ignored_level")
        level = 0 if ignored else level - warrior.amount("lighter_penalty", "lighter_levels")
        worst = [w for w in LEVELS if self.edition[f"wounds.{w}"] <= level]
        if worst:
            value -= self.edition[f"penalty.{worst[0]}.{stat}"]
        if "charged" in warrior.markers:
            value -= self.edition[f"charge.{stat}"]
        return value

    def led(self, warrior: Warrior, stat: str) -> int | None:
        """COU or DIS, or a near leader's printed one, if higher (W-4.5); None: not known."""
        own = [self.own(warrior, stat)]
        for leader in self.living(warrior.side):
            reach = leader.card["command"]
            if leader is warrior or leader.routed or not reach:
                continue
            if gap(leader.base, warrior.base) <= reach + NEAR:
                own.append(self.own(leader, stat))
        return max((value for value in own if value is not None), default=None)

    def fear(self, warrior: Warrior, charger: Warrior | None = None) -> int:
        """His PEUR, a war cry's if he charges; 0: he frightens nobody (W-4.1, W-7)."""
        cry = warrior.amount("war_cry", "war_cry_fear") if warrior is charger else 0
        return max(warrior.card["PEUR"] or 0, cry)

    def worth(self, warrior: Warrior) -> int:
        """His PA (an unknown one counts nothing)."""
        return warrior.card["PA"] or 0

    # --- wounds --------------------------------------------------------------------------

    def state(self, warrior: Warrior) -> str:
        """What his state is called."""
        return state_name(self.edition, warrior.wounds)

    def hurt(self, warrior: Warrior, outcome: str, by: Warrior) -> None:
        """Take up the result of a wound roll (W-3.1, W-3.3)."""
        self.change(warrior, suffer(self.book, warrior.wounds, outcome), by)

    def change(self, warrior: Warrior, wounds: Wounds, by: Warrior) -> None:
        """Give him other wounds; one killed may fight on, and then nothing changes them (W-7)."""
        if warrior.doomed:
            return
        if wounds.dead and warrior.has("diehard"):
            level = min(warrior.amount("diehard", "diehard_level"), self.book.killing - 1)
            wounds, warrior.killer = Wounds(level), by.number
            self.feat(warrior, "diehard", by)
        warrior.wounds = wounds

    def fall(self) -> None:
        """Those who were killed and fought on die: their fight is over (W-7)."""
        for warrior in self.warriors:
            if warrior.doomed:
                self.tell("fall", fighter=warrior.number, by=warrior.killer)
                warrior.wounds, warrior.killer = DEAD, None

    def feat(
        self,
        warrior: Warrior,
        effect: str,
        against: Warrior | None = None,
        x: int = 0,
        y: int | None = 0,
        z: int = 0,
        dice: list[list[int]] | None = None,
    ) -> None:
        """Write what an ability does."""
        self.tell(
            "feat",
            fighter=warrior.number,
            against=None if against is None else against.number,
            effect=effect,
            x=x,
            y=y,
            z=z,
            dice=dice or [],
        )


def state_name(edition: Edition, wounds: Wounds) -> str:
    """The name of a state: the wounds that lead to it, the worst first."""
    if wounds.dead:
        return "dead"
    words, level = [], wounds.level
    for word in LEVELS:
        while level >= edition[f"wounds.{word}"]:
            words.append(word)
            level -= edition[f"wounds.{word}"]
    return ", ".join(words + ["stunned"] * wounds.stunned) or "unhurt"


def wounds_named(edition: Edition, name: str) -> Wounds:
    """The state of a name."""
    if name == "dead":
        return DEAD
    words = [] if name == "unhurt" else name.split(", ")
    level = sum(edition[f"wounds.{word}"] for word in words if word != "stunned")
    return Wounds(level, words.count("stunned"))


# --- places ------------------------------------------------------------------------------


def terrain_pieces(game: Game) -> list[tuple[dict[str, Any], Plain]]:
    """What the transcript says of each piece of terrain, and its shape."""
    return [
        (piece, Plain(tuple((x, y) for x, y in piece["corners"]), 0.0))
        for piece in game.head["terrain"]
    ]


def on_table(game: Game, warrior: Warrior) -> bool:
    """Whether his whole base is on the table."""
    base, r = warrior.base, warrior.base.radius - TOUCH
    width, depth = game.head["width"], game.head["depth"]
    return all(r <= x <= width - r and r <= y <= depth - r for x, y in base.corners)


def check_place(game: Game, warrior: Warrior) -> None:
    """A base fits where it stands: on the table, over no other base and no obstacle (M-1.2)."""
    who = f"fighter {warrior.number}"
    must(on_table(game, warrior), "M-1.2", f"{who} leaves the table")
    for other in game.living():
        if other is not warrior and other.card["level"] == warrior.card["level"]:
            free = gap(warrior.base, other.base) >= -TOUCH
            must(free, "M-1.2", f"the bases of {who} and {other.number} overlap")
    for piece, shape in terrain_pieces(game):
        free = not piece["impassable"] or gap(warrior.base, shape) >= -TOUCH
        must(free, "M-1.2", f"{who} stands in {piece['name']}")
    for other in [warrior, *game.enemies(warrior)]:
        many = len(game.enemies(other)) > MOST_TOUCHED
        must(not many, "M-7.6", f"fighter {other.number} touches more than {MOST_TOUCHED}")


def away(point: Point, warrior: Warrior) -> float:
    """Distance of a point from the nearest point of a base."""
    return gap(Plain((point,), 0.0), warrior.base)


def travel(one: Point, other: Point) -> float:
    """The straight way."""
    return dist(one, other)


def inside(point: Point, corners: list[list[float]]) -> bool:
    """Whether a point is within a convex zone, its border included."""
    shape = Plain(tuple((x, y) for x, y in corners), 0.0)
    return gap(Plain((point,), 0.0), shape) <= TOUCH
