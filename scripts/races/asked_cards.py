"""The activation phase of cards.py as it is asked: of estoc, its kernel, the baselines."""

import random
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from races.plain_cards import CHEAP, DISCIPLINE, POLICIES, THREAT, TURNS, WAIT, Counts, Job

from estoc.kernels.phases.card_trials import count_phases
from estoc.profiles import Roster
from estoc.profiles.armies.army import Army, Card
from estoc.sim.bench.samplers import SEED
from estoc.sim.phases.card_question import CardQuestion, ask


def army(name: str, size: int, discipline: int, seed: int) -> Army:
    """Cards whose cost and whose threat come in different orders."""
    draw = random.Random(seed).sample
    costs, threats = draw(range(8, 80), size), draw(range(5, 30), size)
    return Army(
        name,
        tuple(
            Card(f"{name} {i}", PA=cost, threat=threat, DIS=discipline)
            for i, (cost, threat) in enumerate(zip(costs, threats, strict=True))
        ),
    )


def question(
    policies: tuple[str, str], sizes: tuple[int, int], listed: bool = False
) -> CardQuestion:
    """The phase as estoc asks it; ``listed``: no pile is shuffled."""
    armies = [
        army(name, size, dis, seed)
        for name, size, dis, seed in zip("AB", sizes, DISCIPLINE, (1, 2), strict=True)
    ]
    texts = [f"{side}={policy}" for side, policy in zip("AB", policies, strict=True)]
    asked = ask(*armies, policies=texts, roster=Roster(()))
    if not listed:
        return asked
    a, b = (
        replace(x, policy=replace(x.policy, order="listed")) if x.policy.order == "random" else x
        for x in asked.armies
    )
    return replace(asked, a=a, b=b)


def job_of(asked: CardQuestion) -> Job:
    """The same for the baselines."""
    assert not asked.options.edition["cards.refusal_alone"]
    assert asked.options.edition["tactics.tie"] == "reroll"
    policies = tuple(POLICIES.index(x.policy.name) for x in asked.armies)
    return Job(
        policies,
        tuple(pile(x.cards, code) for x, code in zip(asked.armies, policies, strict=True)),
        tuple(ranks(x.cards) for x in asked.armies),
        tuple(x.policy.order == "random" for x in asked.armies),
    )


def pile(cards: tuple[Card, ...], policy: int) -> list[int]:
    """Places of the cards, as a policy arranges them."""
    places = list(range(len(cards)))
    cheap_first = sorted(places, key=lambda i: cards[i].PA)
    if policy == WAIT:  # its dearest card goes to the reserve
        return cheap_first[-1:] + cheap_first[:-1]
    if policy == CHEAP:
        return cheap_first
    return sorted(places, key=lambda i: -cards[i].threat) if policy == THREAT else places


def ranks(cards: tuple[Card, ...]) -> list[int]:
    return [1 + sum(other.threat > card.threat for other in cards) for card in cards]


def with_compared(asked: CardQuestion) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """The phase and all others that its changes compare; which of them with which."""
    phases, against = [asked.phase], [0]
    for change in asked.changes():
        places = []
        for phase in (change.with_it, change.without):
            if not any(phase is known for known in phases):
                phases.append(phase)
                against.append(len(against))
            places.append(next(k for k, known in enumerate(phases) if known is phase))
        against[places[1]] = places[0]
    return np.concatenate(phases), np.array(against)


class Kernel(NamedTuple):
    """One question as `count_phases` wants it, and what it counts."""

    phases: NDArray[np.void]
    against: NDArray[np.int64]
    arrays: tuple[NDArray[np.int64], ...]

    @classmethod
    def of(cls, asked: CardQuestion, compared: bool = False) -> "Kernel":
        phases, against = with_compared(asked)
        k = len(phases) if compared else 1
        phases["seed"] = SEED
        own, enemy = (len(x.cards) for x in asked.armies)
        shapes = (k, own, enemy), (k, own, enemy), (k, 3), (2, max(own, enemy), TURNS), (k,)
        arrays = tuple(np.zeros(shape, np.int64) for shape in shapes)
        return cls(phases[:k].copy(), against[:k], arrays)

    def play(self, trials: int) -> None:
        count_phases(self.phases, self.against, 0, trials, *self.arrays)

    def counts(self, trials: int) -> Counts:
        self.play(trials)
        return Counts(trials, self.arrays[0][0], self.arrays[3])
