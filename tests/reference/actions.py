"""Which action may follow which, and who acts when, sentence by sentence (A-5, M-2 to M-9).

A past is a list of what a fighter did in its activation: names of actions, ``"turn"``,
``"announce_walk"``, and ``"disengaged"`` or ``"failed"`` for a try at disengaging. Facts are
words that are true of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

EXCLUSIVE = ("charge", "engage", "run", "under_cover")
ACTIONS = (*EXCLUSIVE, "walk", "shoot", "mystic")
STEPS = (*ACTIONS, "turn", "announce_walk", "disengage")
FACTS = (
    *("free", "sees_target", "target_unseen", "level_0", "aim", "ranged_weapon"),
    *("line_of_sight", "caster", "combines", "assaulted", "surrounded"),
)

Past = Sequence[str]
Facts = Collection[str]


def tried(past: Past) -> bool:
    """Whether the fighter tried to disengage (M-7.1)."""
    return "disengaged" in past or "failed" in past


def walked(older: bool, past: Past) -> bool:
    """Whether it has walked; in the older edition, turned on the spot (M-9)."""
    return "walk" in past or (older and "turn" in past)


def exclusive_before(past: Past) -> str:
    """The exclusive action that it made, or nothing."""
    return next((step for step in past if step in EXCLUSIVE), "")


def forbids_all_else(older: bool, facts: Facts, past: Past, step: str) -> bool:
    """Whether an exclusive action, made or wanted, leaves no room for the step (A-5.4).

    Older edition: who has an ability for it may shoot or use magic after a charge, an
    engage or a run (M-9).
    """
    made = exclusive_before(past)
    if made and step in ("shoot", "mystic") and older and "combines" in facts:
        return made == "under_cover"
    if step in EXCLUSIVE:
        return any(other not in ("disengaged", "failed") for other in past)
    return made != ""


def forbidding(older: bool, facts: Facts, past: Past, step: str) -> set[str]:
    """All clauses that forbid the step now; none: it is legal."""
    if step == "disengage":
        return against_disengaging(facts, past)
    clauses = set()
    if forbids_all_else(older, facts, past, step):
        clauses.add("A-5.4")
    if step in EXCLUSIVE:
        clauses |= against_exclusive(older, facts, past, step)
    if step in ("walk", "turn", "announce_walk"):
        clauses |= against_walk(older, facts, past, step)
    if step == "announce_walk" and ("shoot" in past or "announce_walk" in past):
        clauses.add("A-5.5")  # said before the shot, and said once
    if step == "shoot":
        clauses |= against_shot(facts, past)
    if step == "mystic" and "caster" not in facts:
        clauses.add("A-5.6")
    return clauses


def against_disengaging(facts: Facts, past: Past) -> set[str]:
    """M-7.1: in contact, at the start, not assaulted in this phase, not surrounded.

    Mystic actions may come first; one try. After an exclusive action, nothing (A-5.4).
    """
    clauses = {"A-5.4"} if exclusive_before(past) else set()
    others = [step for step in past if step != "mystic"]
    if others or "free" in facts or "assaulted" in facts or "surrounded" in facts:
        clauses.add("M-7.1")
    return clauses


def against_exclusive(older: bool, facts: Facts, past: Past, step: str) -> set[str]:
    """M-3.1, M-4.1, M-4.2, M-6.1: free of enemies, and what each of them needs."""
    clauses = set()
    own = {"charge": "M-4.1", "engage": "M-4.2", "run": "M-3.1", "under_cover": "M-6.1"}[step]
    disengaged = "disengaged" in past
    if "failed" in past:
        clauses.add("M-7.5")  # it stays where it is
    if disengaged and step != "engage":
        clauses.add(own if older else "M-7.4")  # was not free when it was activated
    if not disengaged and "free" not in facts:
        clauses.add(own)
    if step == "charge" and "sees_target" not in facts:
        clauses.add("M-4.1")
    if step == "engage" and not disengaged and "target_unseen" not in facts:
        clauses.add("M-4.2")  # after disengaging, whoever it likes
    if step == "under_cover" and not older and "level_0" not in facts:
        clauses.add("M-6.1")
    return clauses


def against_walk(older: bool, facts: Facts, past: Past, step: str) -> set[str]:
    """M-2: free of enemies or disengaged; once; announced before a shot (A-5.5).

    Turning on the spot is a walk in the older edition (M-9); else it needs a walk's freedom
    and leaves the walk (M-1.5).
    """
    clauses = set()
    if "failed" in past:
        clauses.add("M-7.5")
    elif "free" not in facts and "disengaged" not in past:
        clauses.add("M-2.1")
    if walked(older, past) and (older or step != "turn"):
        clauses.add("M-2.2")
    if "shoot" in past and "announce_walk" not in past:
        clauses.add("A-5.5")
    return clauses


def against_shot(facts: Facts, past: Past) -> set[str]:
    """A-5.5: TIR, a ranged weapon, a line of sight, no enemy in contact; once."""
    able = {"aim", "ranged_weapon", "line_of_sight"} <= set(facts)
    free = "free" in facts or "disengaged" in past
    return set() if able and free and "shoot" not in past else {"A-5.5"}


def is_still(past: Past) -> bool:
    """Whether a shot now has the bonus of who does not move in this activation (A-5.5).

    A shot after a disengagement is one after a walk; an announced walk is a move to come.
    """
    moves = (*EXCLUSIVE, "walk", "turn", "announce_walk", "disengaged")
    return not any(step in moves for step in past)


def potential(past: Past, action: str) -> int:
    """How far an action moves, as a multiple of MOU (M-8)."""
    if action in ("shoot", "mystic"):
        return 0
    if "disengaged" in past or action in ("walk", "under_cover"):
        return 1
    return 2


def acting_order(
    fighters: Sequence[str], first: dict[str, str], rank: dict[str, int], dead: Collection[str]
) -> list[str]:
    """Who acts when: exclusive actions first, each group in the player's order (A-5.2, A-5.3)."""
    living = [fighter for fighter in fighters if fighter not in dead]
    exclusive = [fighter for fighter in living if first[fighter] in EXCLUSIVE]
    others = [fighter for fighter in living if fighter not in exclusive]
    return [
        *sorted(exclusive, key=lambda fighter: rank[fighter]),
        *sorted(others, key=lambda fighter: rank[fighter]),
    ]
