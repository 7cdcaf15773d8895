"""Small battles made at random, as scenarios: all that a kernel and a reader can disagree on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import atan2, cos, degrees, radians, sin
from pathlib import Path
from types import MappingProxyType

import numpy as np

from estoc.profiles.armies.scenario import Placed, Scenario, Side, Survival, Terrain, Victory, Zone
from estoc.profiles.fighters.card import Profile
from estoc.sim.battle.policy import policies
from reference.geometry import Plain, disc, edges, gap, rectangle

BATTLE_POLICIES = tuple(policies())

WIDTH, DEPTH = 60.0, 44.0
BASES = {"petite": "25x25", "moyenne": "25x25", "grande": "25x50", "très grande": "50x50"}
WEAPONS = ("", "", "bow", "pistol", "rifle")
# All abilities that the file knows, some of them with a number.
ABILITIES = (
    *("Dur à cuire", "Fléau/people", "Féroce", "Épée-hache", "Arme sacrée", "Armure sacrée"),
    *("Éthéré", "Vulnérable", "Toxique/2", "Immunité/jambes", "Immunité/tête", "Immunité/Sonné"),
    *("Brute épaisse", "Cri de guerre/7", "Cible/1", "Ambidextre", "Contre-attaque"),
    *("Enchaînement/2", "Coup de maître/2", "Bretteur", "Bretteur/2", "Feinte", "Tueur né"),
    *("Furie guerrière", "Charge bestiale", "Assassin", "Esquive", "Réflexes", "Stratège"),
    *("Précision", "Aguerri", "Bravoure", "Juste", "Fanatisme", "Possédé", "Endurance"),
    *("Acharné", "Instinct de survie/4", "Régénération/4", "Chance", "Chance/2", "Désespéré"),
    *("Maudit", "Inébranlable", "Brutal", "Rapidité", "Implacable/1", "Désengagement/5"),
    *("Mort-vivant", "Guerrier-mage", "Moine-guerrier"),
)


# Of magicians, then of faithful: killing while others act, at once, and lasting ones.
MYSTICS = {
    "magician": {
        "bolt": "cost = 1\ndifficulty = 4\nrange = 40\ntarget = 'enemy'\noutside = true\n"
        "[effect]\nkind = 'damage'\nlevels = 3\n",
        "blight": "cost = 2\ndifficulty = 3\nrange = 30\ntarget = 'enemy'\ntimes = 0\n"
        "[effect]\nkind = 'damage'\noutcome = 'light'\n[upkeep]\ncost = 1\n",
    },
    "faithful": {
        "daze": "cost = 1\ndifficulty = 5\nrange = 25\ntarget = 'enemy'\nline_of_sight = false\n"
        "[effect]\nkind = 'damage'\noutcome = 'stunned'\n",
        "mend": "cost = 1\ndifficulty = 4\nrange = 50\ntarget = 'friend'\noutside = true\n"
        "[effect]\nkind = 'heal'\nlevels = 2\n[upkeep]\ncost = 1\n",
    },
}


def write_mystics(folder: Path) -> dict[str, tuple[str, ...]]:
    """The files of the mystic actions, for each kind of caster."""
    for caster, actions in MYSTICS.items():
        for name, text in actions.items():
            head = f"name = '{name}'\ncaster = '{caster}'\n"
            (folder / f"{name}.toml").write_text(head + text, encoding="utf-8")
    return {
        caster: tuple(str(folder / f"{name}.toml") for name in actions)
        for caster, actions in MYSTICS.items()
    }


def able(rng: np.random.Generator, card: Profile) -> Profile:
    """The card with up to four abilities, any of them."""
    names = rng.choice(ABILITIES, rng.integers(0, 5), replace=False)
    return replace(card, abilities=(*card.abilities, *map(str, names)))


def profile(rng: np.random.Generator, name: str) -> Profile:
    """A card: any characteristics, now and then fear, a weapon, Command/X, magic."""
    size = str(rng.choice(list(BASES), p=[0.2, 0.5, 0.2, 0.1]))
    base = BASES[size] if rng.random() < 0.7 else str(rng.choice(["30", "40", "50"]))
    frightening = rng.random() < 0.25
    weapon = str(rng.choice(WEAPONS))
    stats = {stat: int(rng.integers(2, 8)) for stat in ("INI", "ATT", "FOR", "DEF", "DIS")}
    return Profile(
        name=name,
        people="people",
        MOU=float(rng.choice([7.5, 10.0, 12.5, 15.0])),
        RES=int(rng.integers(3, 8)),
        TIR=int(rng.integers(1, 6)) if weapon else None,
        weapon=weapon,
        COU=None if frightening else int(rng.integers(2, 7)),
        PEUR=int(rng.integers(3, 9)) if frightening else None,
        PA=int(rng.integers(5, 12)),
        size=size,
        base=base,
        abilities=("Commandement/15",) if rng.random() < 0.2 else (),
        caster=str(rng.choice(["", "", "", "magician", "faithful"])),
        **stats,
    )


def policies(seed: int) -> tuple[str, str]:
    """Of each side: the random one, who does what no other does, half of the time; else any."""
    many = len(BATTLE_POLICIES)
    picks = seed // 4, seed // (4 * many)
    names = [BATTLE_POLICIES[pick % many] for pick in picks]
    a, b = ("random" if seed >> k & 1 else names[k] for k in range(2))
    return a, b


def shape(placed: Placed) -> Plain:
    """A fighter's base."""
    if "x" not in placed.profile.base:
        return disc(placed.at, placed.direction, float(placed.profile.base) / 10)
    width, depth = (float(side) / 10 for side in placed.profile.base.split("x"))
    return rectangle(placed.at, placed.direction, width, depth)


def fits(placed: Placed, others: list[Placed], terrain: list[Terrain]) -> bool:
    """Whether a base is on the table, beside all others and off the terrain."""
    base = shape(placed)
    r = base.radius
    on = all(r <= x <= WIDTH - r and r <= y <= DEPTH - r for x, y in base.corners)
    shapes = [shape(other) for other in others]
    shapes += [Plain(piece.corners, 0.0) for piece in terrain]
    return on and all(gap(base, other) > -1e-9 for other in shapes)


def beside(rng: np.random.Generator, placed: Placed, foe: Placed) -> Placed:
    """The fighter with the middle of his front on some side of an enemy's base."""
    edge = edges(shape(foe).corners)[rng.integers(len(shape(foe).corners))]
    if edge[0] == edge[1]:  # round: his front on the foremost point
        return replace(placed, at=foe.at, facing=foe.facing + 180.0)
    (ax, ay), (bx, by) = edge
    share = rng.uniform(0, 1)
    at = (ax + share * (bx - ax), ay + share * (by - ay))
    return replace(placed, at=at, facing=degrees(atan2(bx - ax, ay - by)))


def put(rng: np.random.Generator, placed: Placed, others: list[Placed], contact: float) -> Placed:
    """The fighter somewhere in his half, or by an enemy."""
    foes = [other for other in others if other.side != placed.side]
    if foes and rng.random() < contact:
        return beside(rng, placed, foes[rng.integers(len(foes))])
    x = rng.uniform(4, WIDTH / 2) if placed.side == "A" else rng.uniform(WIDTH / 2, WIDTH - 4)
    facing = float(rng.choice([0.0, 90.0, 180.0, rng.uniform(0, 360)]))
    return replace(placed, at=(x, rng.uniform(4, DEPTH - 4)), facing=facing)


def piece(rng: np.random.Generator, number: int) -> Terrain:
    """A rectangle, turned, impassable or not."""
    x, y, turn = rng.uniform(15, WIDTH - 15), rng.uniform(8, DEPTH - 8), rng.uniform(0, 360)
    ux, uy = cos(radians(turn)), sin(radians(turn))
    a, b = rng.uniform(1, 5, 2)
    corners = [(a, b), (-a, b), (-a, -b), (a, -b)]
    return Terrain(
        f"piece {number}",
        tuple((x + p * ux - q * uy, y + p * uy + q * ux) for p, q in corners),
        bool(rng.random() < 0.6),
        float(rng.uniform(0, 3)),
        str(rng.choice(list(BASES))),
    )


def scenario(
    seed: int,
    mystics: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    turns: int = 3,
    *,
    abilities: bool = False,
) -> Scenario:
    """A battle of a few fighters a side; every third one of many who touch and die easily."""
    rng = np.random.default_rng(seed)
    crowded = seed % 3 == 2
    terrain = [piece(rng, k) for k in range(rng.integers(0, 3))]
    fighters: list[Placed] = []
    for side in "AB":
        cards = [profile(rng, f"{side} {k}") for k in range(rng.integers(1, 4))]
        if crowded:
            cards = [replace(card, FOR=8, RES=2, weapon="", TIR=None) for card in cards]
        if abilities:
            cards = [able(rng, card) for card in cards]
        for _ in range(rng.integers(2, 5) + 2 * crowded):
            card = cards[rng.integers(len(cards))]
            label = f"fighter {len(fighters)}"
            routed = bool(rng.random() < 0.08)
            wounds = str(rng.choice(["", "", "", "light", "serious", "stunned"]))
            placed = Placed(label, card, side, (0.0, 0.0), 0.0, wounds=wounds, routed=routed)
            known = mystics.get(card.caster, ())
            placed = replace(placed, mystics=known, mana=4, faith=3)
            for _ in range(200):
                placed = put(rng, placed, fighters, 0.95 if crowded else 0.3)
                if fits(placed, fighters, terrain):
                    fighters.append(placed)
                    break
    zone = Zone("zone", ((20.0, 10.0), (40.0, 10.0), (40.0, 34.0), (20.0, 34.0)), 9)
    return Scenario(
        "random",
        WIDTH,
        DEPTH,
        tuple(terrain),
        tuple(fighters),
        turns=turns,
        sides=(Side(people="people"), Side(people="people" if rng.random() < 0.8 else "others")),
        zones=(zone,) if rng.random() < 0.5 else (),
        survival=(Survival(int(rng.integers(len(fighters))), 4),),
        victory=Victory(margin=int(rng.integers(1, 12)), destroyed=bool(rng.random() < 0.8)),
    )
