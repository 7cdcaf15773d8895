"""Going away from the nearest threat, step by step (3.5, A6c)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Hex = int
Costs = Mapping[int, Mapping[Hex, int]]  # by enemy Unit: points to come to contact with a hex


def nearest_threats(costs: Costs, at: Hex) -> list[int]:
    """All enemies who need the fewest points."""
    if not costs:
        return []
    least = min(cost[at] for cost in costs.values())
    return [enemy for enemy, cost in costs.items() if cost[at] == least]


def step_class(costs: Costs, at: Hex, to: Hex) -> int:
    """How good a step is, 1 the best: the threats are those of the hex that is left."""
    threats = nearest_threats(costs, at)
    if all(costs[enemy][to] > costs[enemy][at] for enemy in threats):
        return 1
    if all(costs[enemy][to] >= costs[enemy][at] for enemy in threats):
        return 2
    if any(costs[enemy][to] > costs[enemy][at] for enemy in threats):
        return 3
    return 4


def legal_steps(costs: Costs, at: Hex, around: Iterable[Hex]) -> set[Hex]:
    """Steps of the best class that is available."""
    classes = {to: step_class(costs, at, to) for to in around}
    best = min(classes.values(), default=0)
    return {to for to, rank in classes.items() if rank == best}
