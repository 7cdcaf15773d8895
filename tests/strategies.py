"""Hypothesis strategies shared by the tests."""

from hypothesis import strategies as st

from estoc.profiles import Profile
from estoc.profiles.cells import is_name
from estoc.profiles.names import tidy
from estoc.profiles.schema import CASTERS, SIZES
from reference.book import OUTCOMES, UNHURT, Book, Wounds
from reference.state import Combat, Fighter, Policy

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


# Combats as the reference describes them (`witness.Compiled` compiles them).

REROLLS = st.sampled_from(["needed", "never", "always"])

policies = st.builds(
    Policy,
    placement=st.sampled_from(["answer", "even", "attack", "defence"]),
    initiative=st.sampled_from(["best", "listed"]),
    strike_order=st.sampled_from(["weakest", "strongest", "listed"]),
    target=st.sampled_from(["wounded", "undefended", "dearest", "frail", "listed"]),
    parry=st.sampled_from(["none", "spread", "all", 1, 2, 3]),
    sustain=st.sampled_from(["useful", "never", "always"]),
    reroll_attack=REROLLS,
    margin=st.integers(-3, 9),
    reroll_defence=REROLLS,
    reroll_initiative=REROLLS,
)

penalties = st.lists(st.integers(0, 4), min_size=25, max_size=25).map(
    lambda values: "\n".join(
        [" ".join(("INI", "ATT", "FOR", "DEF", "RES"))]
        + [
            " ".join([name, *map(str, values[5 * line : 5 * line + 5])])
            for line, name in enumerate(("light", "serious", "critical", "stunned", "charged"))
        ]
    )
)

wound_tables = st.lists(
    st.lists(st.sampled_from(OUTCOMES), min_size=5, max_size=5).map(" ".join),
    min_size=11,
    max_size=11,
).map(tuple)

books = st.builds(
    Book,
    wound_table=st.just(Book().wound_table) | wound_tables,
    double_six_kills=st.booleans(),
    killing=st.sampled_from([4, 4, 4, 3, 2, 1]),
    penalties=st.just(Book().penalties) | penalties,
    stunned_stacks=st.booleans(),
    dice_base=st.sampled_from([1, 1, 1, 2, 0]),
    dice_per_enemy=st.sampled_from([1, 1, 1, 2, 0]),
    numbers_bonus=st.integers(0, 2),
    sustained_penalty=st.integers(0, 3),
    reroll_one=st.sampled_from(["reset", "add", "fail"]),
    natural_one_fails=st.booleans(),
    automatic_failure=st.sampled_from([0, 0, 0, 1, 3, 5]),
    many_dice=st.sampled_from(["best_chain", "one_chain"]),
    opposed_tie=st.sampled_from(["reroll", "coin", "higher_characteristic", "first"]),
)


@st.composite
def combat_fighters(draw: st.DrawFn, book: Book) -> Fighter:
    stats = {stat: draw(st.integers(0, 7)) for stat in ("INI", "ATT", "FOR", "DEF", "RES")}
    attack = draw(st.integers(0, 4))
    placed = attack, draw(st.integers(0 if attack else 1, 4))
    return Fighter(
        "fighter",
        **stats,
        PA=draw(st.none() | st.integers(10, 13)),
        pure_caster=draw(st.integers(0, 5)) == 0,
        wounds=Wounds(
            draw(st.sampled_from(range(book.killing))),
            draw(st.integers(0, 3 if book.stunned_stacks else 1)),
        )
        if draw(st.booleans())
        else UNHURT,
        charged=draw(st.booleans()),
        all_defence=draw(st.integers(0, 7)) == 0,
        placed=placed if draw(st.integers(0, 2)) == 0 else None,
    )


@st.composite
def combats(draw: st.DrawFn, most: int = 4, least: int = 1, any_book: bool = True) -> Combat:
    """A combat of one against ``least`` to ``most``."""
    book = draw(books if any_book else st.just(Book()))
    count = draw(st.integers(least, most))
    listed = tuple(draw(combat_fighters(book)) for _ in range(1 + count))
    order = draw(st.none() | st.permutations(range(1 + count)).map(tuple))
    return Combat(
        listed,
        (draw(policies), draw(policies)),
        draw(st.integers(0, 1)),
        book,
        draw(st.integers(1, 4)),
        order,
    )
