"""The penalty of a charge in the kernels, against the reference (M-5)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from estoc.kernels.combat.charge import charge_penalties
from estoc.kernels.layout.combat import Sharing
from estoc.profiles import Profile, load_edition
from estoc.profiles.compile.combat import charge_sharing
from estoc.sim.base.options import Options
from estoc.sim.combat.combat import ask
from reference.penalties import Assault, penalised

SHARINGS = ("pooled", "equal")


def by_kernel(assaults: list[Assault], powers: dict[str, int], sharing: str) -> set[str]:
    """Who has the penalty, by the kernel."""
    names = list(powers)
    charges = np.array([[name in a.on for name in names] for a in assaults], np.bool_)
    flags = charge_penalties(
        np.array([a.turn for a in assaults], np.int64),
        np.array([a.kind == "charge" for a in assaults], np.int64),
        charges.reshape(len(assaults), len(names)),
        np.array([a.power for a in assaults], np.int64),
        np.array(list(powers.values()), np.int64),
        Sharing[sharing.upper()].value,
    )
    assert flags.dtype == np.bool_
    return {name for name, flag in zip(names, flags, strict=True) if flag}


def charge(power: int, on: str, turn: int = 0) -> Assault:
    return Assault(turn, power, frozenset(on))


# What the seed's table says, with its letters.
EXAMPLES = {
    "A charges Z": ([charge(1, "Z")], {"Z": 1}, "Z"),
    "B charges Y": ([charge(1, "Y")], {"Y": 2}, ""),
    "C, D, E in three speaking turns": (
        [charge(1, "X", 0), charge(1, "X", 1), charge(1, "X", 2)], {"X": 2}, "",
    ),
    "F and G in the same": ([charge(1, "W"), charge(1, "W")], {"W": 2}, "W"),
    "H charges V and U": ([charge(1, "VU")], {"V": 1, "U": 1}, ""),
    "I charges T and S": ([charge(2, "TS")], {"T": 1, "S": 1}, "TS"),
}  # fmt: skip


@pytest.mark.parametrize("sharing", SHARINGS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_seeds_examples(example, sharing):
    """M-5.1, M-5.2: both readings fit all of them."""
    assaults, powers, hit = EXAMPLES[example]
    assert penalised(assaults, powers, sharing) == set(hit)
    assert by_kernel(assaults, powers, sharing) == set(hit)


@pytest.mark.parametrize("sharing", SHARINGS)
def test_the_seeds_examples_all_in_one_phase(sharing):
    """M-5.1: groups that share nobody do not count together, nor do speaking turns."""
    assaults = [assault for found, _, _ in EXAMPLES.values() for assault in found]
    powers = {k: v for _, found, _ in EXAMPLES.values() for k, v in found.items()}
    assert (
        by_kernel(assaults, powers, sharing) == penalised(assaults, powers, sharing) == set("ZWTS")
    )


@pytest.mark.parametrize(
    ("assaults", "powers", "pooled", "equal"),
    [
        # A charges X and Y, B charges Y: 2 on 2; shares: 1/2 on X, 3/2 on Y
        ([charge(1, "XY"), charge(1, "Y")], {"X": 1, "Y": 1}, "XY", "Y"),
        # a chain whose ends share nobody: 3 on 4; 1/2, 1, 1, 1/2
        ([charge(1, "WX"), charge(1, "XY"), charge(1, "YZ")], dict.fromkeys("WXYZ", 1), "", "XY"),
        # linked by the last charge only: 1 + 1 + 2 on 4
        ([charge(1, "W"), charge(1, "Z"), charge(2, "WZ")], {"W": 2, "Z": 2}, "WZ", "WZ"),
        # the strong one's surplus: 3 on 1 + 2, an equal share of it is not enough for 2
        ([charge(3, "XY")], {"X": 1, "Y": 2}, "XY", "X"),
        # thirds that make exactly one
        ([charge(1, "XYZ")] * 3, dict.fromkeys("XYZ", 1), "XYZ", "XYZ"),
        # a chain over two speaking turns is none
        ([charge(1, "XY", 0), charge(1, "Y", 1)], {"X": 1, "Y": 1}, "Y", "Y"),
        # charged with the penalty in two turns: one penalty (M-5.3)
        ([charge(1, "X", 0), charge(1, "X", 1)], {"X": 1}, "X", "X"),
    ],
)  # fmt: skip
def test_fighters_that_charge_some_of_the_same_enemies(assaults, powers, pooled, equal):
    """M-5.2: where the two readings part."""
    for sharing, hit in zip(SHARINGS, (pooled, equal), strict=True):
        assert penalised(assaults, powers, sharing) == set(hit)
        assert by_kernel(assaults, powers, sharing) == set(hit)


@pytest.mark.parametrize("sharing", SHARINGS)
def test_engaging_causes_none_and_adds_nothing(sharing):
    """M-5.3."""
    engage = Assault(0, 1, frozenset("X"), "engage")
    for assaults in ([engage], [engage, charge(1, "X")]):
        assert penalised(assaults, {"X": 2}, sharing) == set()
        assert by_kernel(assaults, {"X": 2}, sharing) == set()


NAMES = "abcdefgh"
assault_lists = st.lists(
    st.builds(
        Assault,
        turn=st.integers(0, 2),
        power=st.integers(0, 4),
        on=st.frozensets(st.sampled_from(NAMES), max_size=4),
        kind=st.sampled_from(["charge", "charge", "charge", "engage"]),
    ),
    max_size=8,
)


@given(
    assault_lists,
    st.lists(st.integers(0, 4), min_size=8, max_size=8),
    st.sampled_from(SHARINGS),
)
@settings(max_examples=400, deadline=None)
def test_kernel_and_reference_agree(assaults, powers, sharing):
    """M-5.1 to M-5.3."""
    charged = dict(zip(NAMES, powers, strict=True))
    assert by_kernel(assaults, charged, sharing) == penalised(assaults, charged, sharing)


def test_the_last_places_of_a_mask():
    """64 assailed fighters, the last 16 of them charged at once, and a share of each."""
    names = [str(j) for j in range(64)]
    last = Assault(0, 16, frozenset(names[-16:]))
    powers = dict.fromkeys(names, 1)
    for sharing in SHARINGS:
        assert by_kernel([last], powers, sharing) == set(names[-16:])


def test_the_edition_says_how_power_is_shared():
    """M-5.2."""
    edition = load_edition("conffede")
    assert edition.entry("charge.sharing").mark == "reading"
    assert charge_sharing(edition) == Sharing.POOLED
    assert charge_sharing(edition.with_rule("sharing=equal")) == Sharing.EQUAL


# --- in one combat --------------------------------------------------------------------


def flags_of(powers: list[int], charge: tuple[str, ...], *rules: str) -> list[bool]:
    """Who is charged in the combat of the first fighter against the others."""
    cards = [
        Profile(f"F{i}", INI=3, ATT=3, FOR=3, DEF=3, RES=3, PA=10, power=p)
        for i, p in enumerate(powers)
    ]
    question = ask(cards[:1], cards[1:], Options(charge=charge, rules=rules))
    return question.setup.fighters[:, 6].astype(bool).tolist()


@pytest.mark.parametrize("sharing", SHARINGS)
@pytest.mark.parametrize(
    ("powers", "chargers", "flags"),
    [  # the seed's examples; the lone fighter is the first
        ([1, 1], ("B",), [True, False]),  # A charges Z
        ([2, 1], ("B",), [False, False]),  # B charges Y
        ([2, 1, 1, 1], ("B1",), [False] * 4),  # C, then D, then E charge X
        ([2, 1, 1], ("B",), [True, False, False]),  # F and G charge W
        ([1, 1, 1], ("A",), [False, False, False]),  # H charges V and U
        ([2, 1, 1], ("A",), [False, True, True]),  # I charges T and S
        ([2, 1, 1], (), [False, False, False]),
        ([2, 2, 1], ("A", "B1"), [True, False, True]),  # he charges those who do not charge him
    ],
)
def test_one_combat(powers, chargers, flags, sharing):
    """M-5."""
    assert flags_of(powers, chargers, f"sharing={sharing}") == flags


def test_one_combat_by_the_other_reading():
    """M-5.2."""
    assert flags_of([3, 1, 2], ("A",)) == [False, True, True]
    assert flags_of([3, 1, 2], ("A",), "sharing=equal") == [False, True, False]


def test_the_reading_is_told_where_it_counts():
    """M-5.2: who charges one enemy shares nothing."""
    card = Profile("F", INI=3, ATT=3, FOR=3, DEF=3, RES=3, PA=10, power=1)
    two = ask([card], [card, card], Options(charge=("A",)))
    assert "charge.sharing" in two.assumed
    assert "charge.sharing" not in ask([card], [card, card], Options(charge=("B",))).assumed
    assert "charge.sharing" not in ask([card], [card], Options(charge=("A",))).assumed
    yours = Options(charge=("A",), rules=("sharing=equal",))
    assert "charge.sharing" not in ask([card], [card, card], yours).assumed
