"""Small battles made at random: tables, terrain and fighters of every sort, for the checker."""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, radians, sin
from random import Random

from random_battles import policies

from estoc.profiles import Edition, Profile
from estoc.profiles.armies.scenario import Placed, Scenario, Side, Survival, Terrain, Victory, Zone
from estoc.sim.battle.odds import ready_battle
from estoc.sim.battle.policy import player_of
from estoc.sim.battle.steps import battle_steps

PEOPLE = "Griffons"
WIDTH, DEPTH = 72.0, 48.0
CELL = 12.0  # cm: bases whose aim points are the middles of two cells do not overlap
MYSTICS = {"magician": ("example-bolt",), "faithful": ("example-mend",)}
REACH = 5.7  # cm: no part of a base is farther from its aim point


def profile(rng: Random, number: int, **known: object) -> Profile:
    """A fighter whose figures are any that a card may have, but for those that are known."""
    frightens = rng.random() < 0.25
    caster = rng.choice(["", "", "", "magician", "faithful"])
    size = rng.choice(["petite", "moyenne", "moyenne", "grande", "très grande"])
    abilities = ("Commandement/10",) if rng.random() < 0.2 else ()
    figures = {
        "people": PEOPLE if rng.random() < 0.9 else "Others",
        "role": {"magician": "magicien initié", "faithful": "dévot", "": ""}[caster],
        "caster": caster,
        "MOU": rng.choice([0, 7.5, 10, 12.5, 15]),
        "INI": rng.randint(1, 5),
        "ATT": rng.randint(1, 6),
        "FOR": rng.randint(3, 12),
        "DEF": rng.randint(1, 6),
        "RES": rng.randint(3, 9),
        "TIR": rng.randint(1, 5) if rng.random() < 0.4 else None,
        "COU": None if frightens else rng.randint(1, 6),
        "PEUR": rng.randint(4, 8) if frightens else None,
        "DIS": rng.randint(0, 5),
        "PA": rng.randint(5, 40),
        "size": size,
        "base": rng.choice(["", "", "30", "40"]),
        "weapon": rng.choice(["pistol", "bow", "rifle"]),
        "abilities": abilities,
    }
    return Profile(f"Fighter {number}", **(figures | known))


def _terrain(rng: Random, k: int) -> Terrain:
    x, y = rng.uniform(14, 50), rng.uniform(2, 38)
    impassable = rng.random() < 0.5
    w, d = rng.uniform(1, 8), rng.uniform(1, 8 if impassable else 20)
    corners = ((x, y), (x + w, y), (x + w, y + d), (x, y + d))
    size = rng.choice(["petite", "moyenne", "grande", "très grande"])
    return Terrain(f"piece {k}", corners, impassable, 0.0 if impassable else 2.0, size)


def _free(x: float, y: float, pieces: tuple[Terrain, ...]) -> bool:
    """Whether no terrain is near the middle of a cell."""
    return all(
        x + REACH < piece.corners[0][0]
        or x - REACH > piece.corners[2][0]
        or y + REACH < piece.corners[0][1]
        or y - REACH > piece.corners[2][1]
        for piece in pieces
    )


def scenario(seed: int) -> Scenario:
    """A small battle: two to four fighters a side, two turns; every third one is a crowd."""
    rng = Random(seed)
    if seed % 3 == 2:
        return _crowd(rng, seed)
    pieces = tuple(_terrain(rng, k) for k in range(rng.randint(0, 3)))
    cells = [
        (CELL * (a + 0.5), CELL * (b + 0.5))
        for a in range(int(WIDTH / CELL))
        for b in range(int(DEPTH / CELL))
    ]
    cells = [(x, y) for x, y in cells if _free(x, y, pieces)]
    rng.shuffle(cells)
    placed: list[Placed] = []
    counts = {"A": rng.randint(2, 4), "B": rng.randint(2, 4)}
    cards = {side: [profile(rng, 10 * k + n) for n in range(3)] for k, side in enumerate("AB")}
    for side, count in counts.items():
        for number in range(count):
            x, y = cells.pop()
            facing = rng.choice([0.0, 90.0, 180.0, 270.0, rng.uniform(0, 360)])
            chosen = rng.choice(cards[side])
            placed.append(
                Placed(
                    f"{side}{number}",
                    chosen,
                    side,
                    (x, y),
                    facing,
                    wounds=rng.choice(["", "", "", "light", "serious"]),
                    mystics=MYSTICS.get(chosen.caster, ()),
                    mana=rng.randint(0, 4) if chosen.caster == "magician" else 0,
                    faith=rng.randint(0, 4) if chosen.caster == "faithful" else 0,
                    routed=rng.random() < 0.05,
                )
            )
    if rng.random() < 0.5:
        placed[-1] = _face_to_face(placed, pieces)
    zone = Zone("well", ((24.0, 12.0), (48.0, 12.0), (48.0, 36.0), (24.0, 36.0)), 15)
    return Scenario(
        f"random {seed}",
        WIDTH,
        DEPTH,
        pieces,
        tuple(placed),
        turns=2,
        sides=(Side(people=PEOPLE), Side(people=PEOPLE)),
        zones=(zone,) if rng.random() < 0.5 else (),
        survival=(Survival(0, 7),) if rng.random() < 0.3 else (),
        victory=Victory(margin=rng.randint(1, 9), destroyed=rng.random() < 0.9),
    )


def _crowd(rng: Random, seed: int) -> Scenario:
    """Squares beside one another, friends and enemies mixed, who kill easily (C-1, C-8)."""
    known = {"size": "moyenne", "base": "", "MOU": rng.choice([4, 7.5, 10]), "FOR": 12, "RES": 3}
    cards = {
        side: [profile(rng, 10 * k + n, **known) for n in range(2)]
        for k, side in ((0, "A"), (1, "B"))
    }
    spots = [(a, b) for a in range(rng.randint(2, 5)) for b in range(rng.randint(2, 3))]
    rng.shuffle(spots)
    spots = spots[: rng.randint(4, 8)]
    left, low = rng.uniform(10, 40), rng.uniform(5, 30)
    placed = []
    for number, (a, b) in enumerate(spots):
        side = "AB"[number % 2] if rng.random() < 0.8 or number < 2 else rng.choice("AB")
        at = (left + 2.5 * a, low + 2.5 * b)
        placed.append(Placed(f"{side}{number}", rng.choice(cards[side]), side, at, 0.0))
    return Scenario(
        *(f"crowd {seed}", WIDTH, DEPTH, (), tuple(placed)),
        turns=2,
        sides=(Side(people=PEOPLE), Side(people=PEOPLE)),
    )


def _face_to_face(placed: list[Placed], pieces: tuple[Terrain, ...]) -> Placed:
    """The last fighter, front edge to front edge with the first, if there is room behind it."""
    first, last = placed[0], placed[-1]
    ahead = (cos(radians(first.facing)), sin(radians(first.facing)))
    x, y = first.at[0] + 2.5 * ahead[0], first.at[1] + 2.5 * ahead[1]
    room = REACH < x < WIDTH - REACH and REACH < y < DEPTH - REACH and _free(x, y, pieces)
    for other in placed[1:-1]:
        room = room and hypot(other.at[0] - x, other.at[1] - y) > 2 * REACH
    if not room:
        return last
    return replace(last, at=first.at, facing=(first.facing + 180.0) % 360.0)


def transcript(seed: int, edition: Edition) -> list:
    """The steps of a battle made at random, and its policies."""
    table, names = scenario(seed), policies(seed)
    players = [player_of(name) for name in names]
    battles = ready_battle(table, edition, players, seed=seed)
    return battle_steps(battles, table, edition, seed % 7, names)
