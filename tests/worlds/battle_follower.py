"""What a battle's steps do to those who fight: where they are, who lives, who has done what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from estoc.sim.battle.log import Step
from reference.geometry import Plain, disc, gap, rectangle

CONTACT = 1e-6
DEEP = 2e-6  # cm: two touches apart, so no rounding
ACTORS = ("fighter", "striker", "shooter")
HARM = ("wound", "effect", "lasting")


class Follower:
    """The fighters of a battle, brought up to date step by step."""

    def __init__(self, head: dict[str, Any]):
        self.cards = head["fighters"]
        self.at = [(card["at"], card["facing"]) for card in self.cards]
        self.dead: dict[int, int] = {}  # the killer, -1 = nobody

    def take(self, step: Step) -> None:
        """Move who moves, bury who dies."""
        data = step.data
        if step.kind == "move":
            self.at[data["fighter"]] = data["at"], data["facing"]
        elif step.kind in HARM and "dead" in (data.get("state"), data.get("after")):
            target = data["target"] if step.kind == "wound" else data["fighter"]
            # a spell is answered for by whoever cast it, told one step before
            self.dead[target] = data.get("striker", data.get("source", -1))

    @property
    def living(self) -> list[int]:
        return [i for i in range(len(self.cards)) if i not in self.dead]

    @property
    def over(self) -> bool:
        """Whether a side has nobody left."""
        return {self.side(i) for i in self.living} != {0, 1}

    def side(self, i: int) -> int:
        return self.cards[i]["side"]

    def base(self, i: int) -> Plain:
        card, (at, facing) = self.cards[i], self.at[i]
        if card["shape"] == "disc":
            return disc(at, facing, card["width"])
        return rectangle(at, facing, card["width"], card["depth"])

    def overlapped(self, i: int) -> list[int]:
        """Those upon whom a fighter stands."""
        base = self.base(i)
        return [j for j in self.living if j != i and gap(base, self.base(j)) < -DEEP]

    def touched(self, i: int) -> list[int]:
        """The enemies whose bases are at a fighter's; a hair less than the rules' contact."""
        base = self.base(i)
        foes = [j for j in self.living if self.side(j) != self.side(i)]
        return [j for j in foes if abs(gap(base, self.base(j))) < CONTACT / 2]

    def lost(self, side: int) -> int:
        """PA of a side's dead."""
        return sum(self.cards[i]["PA"] for i in self.dead if self.side(i) == side)


def followed(steps: Sequence[Step]) -> Iterator[tuple[Step, Follower]]:
    """Each step after the header, and how all stand after it."""
    field = Follower(steps[0].data)
    for step in steps[1:]:
        field.take(step)
        yield step, field


def turns(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps of each turn, the end with the last."""
    found: list[list[Step]] = []
    for step in steps[1:]:
        if step.kind == "turn":
            found.append([])
        found[-1].append(step)
    return found
