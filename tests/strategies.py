"""Hypothesis strategies shared by the tests."""

from hypothesis import strategies as st

from estoc.profiles import Profile
from estoc.profiles.cells import is_name
from estoc.profiles.names import tidy
from estoc.profiles.schema import CASTERS, SIZES

texts = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=12)
names = texts.map(tidy).filter(is_name)
abilities = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="|;"), max_size=12
)


def whole(high: int) -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(0, high)


STATS = {stat: whole(40) for stat in ("INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR")}

# Any card that can exist, half of its cells unknown.
profiles = st.builds(
    Profile,
    name=names,
    people=texts,
    role=texts,
    caster=st.sampled_from(["", *CASTERS]),
    MOU=st.none() | st.integers(0, 10000).map(lambda hundredths: hundredths / 100),
    **STATS,
    DIS=whole(40),
    PA=whole(9999),
    size=st.sampled_from(["", *SIZES]),
    power=whole(20),
    base=st.sampled_from(["", "25x25", "25x50", "37.5x37.5", "30"]),
    abilities=st.lists(abilities, max_size=4).map(tuple),
    origin=texts,
    confidence=texts,
    source=texts,
    note=texts,
)

rosters = st.lists(profiles, max_size=5, unique_by=lambda profile: profile.key)

# Cards whose five characteristics of combat are known and of a usual size.
fighters = st.builds(
    Profile,
    name=st.just("fighter"),
    caster=st.sampled_from(["", *CASTERS]),
    **{stat: st.integers(0, 12) for stat in ("INI", "ATT", "FOR", "DEF", "RES")},
    PA=whole(50),
    abilities=st.sampled_from([(), ("Guerrier-mage",), ("Moine-guerrier",)]),
)
