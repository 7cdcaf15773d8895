"""Hypothesis strategies shared by the tests."""

from hypothesis import strategies as st

from estoc.kernels.layout.cards import ANY
from estoc.profiles import Profile
from estoc.profiles.armies.army import Army, Gain
from estoc.profiles.armies.army import Card as ArmyCard
from estoc.profiles.armies.card_policy import MOVE_WORDS, CardPolicy, Condition
from estoc.profiles.armies.card_policy import Rule as PolicyRule
from estoc.profiles.fighters.card import CASTERS, SIZES, WEAPONS
from estoc.profiles.fighters.cells import is_name
from estoc.profiles.letters import hidden, tidy
from reference.book import OUTCOMES, UNHURT, Book, Wounds
from reference.cards import MOVES, Card, Plan, Player, Rule
from reference.state import Combat, Fighter, Policy

texts = st.text(st.characters().filter(lambda letter: hidden(letter) is None), max_size=12)
names = texts.map(tidy).filter(is_name)
abilities = st.text(
    st.characters(exclude_characters="|;").filter(lambda letter: hidden(letter) is None),
    max_size=12,
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
    weapon=st.sampled_from(["", *WEAPONS]),
    weapon_FOR=whole(40),
    ranges=st.sampled_from(["", "10/15/20", "-/5/10", "12.5/25/62.5"]),
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
    automatic_failure=st.sampled_from([0, 0, 0, 1, 3, 5, -99]),
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


# Players of an activation phase as the reference describes them, and as armies.

ORDERS = ("listed", "random", "cheap", "dear", "threat", "patient")
SIGNS = ("=", "<", "<=", ">", ">=")
SEEN = (
    *("own_cards", "enemy_cards", "lead", "pile", "held", "refusals", "enemy_held"),
    *("enemy_refusals", "turn", "top", "reserved"),
)


def card_name(side: int, number: int) -> str:
    return f"{'ab'[side]}{number}"


def card_conditions(side: int, sizes: tuple[int, int]) -> st.SearchStrategy[str]:
    """Conditions of a rule of a side's player, in the words of a policy file."""

    def acted(own: bool) -> st.SearchStrategy[str]:
        whose = side if own else 1 - side
        names = st.integers(1, sizes[whose]).map(lambda n: card_name(whose, n))
        begins = "own acted" if own else "acted"
        no = st.sampled_from(["", "not "])
        return st.builds(lambda no, name: f"{no}{begins} {name}", no, names)

    compared = st.builds(
        lambda name, sign, number: f"{name} {sign} {number}",
        st.sampled_from(SEEN),
        st.sampled_from(SIGNS),
        st.integers(-2, 6),
    )
    return compared | acted(True) | acted(False)


@st.composite
def card_plans(
    draw: st.DrawFn, side: int, sizes: tuple[int, int], orders: tuple[str, ...] = ORDERS
) -> Plan:
    """A plan without moves told in advance; at most four rules hang on chance."""
    rules = []
    for _ in range(draw(st.integers(0, 6))):
        when = draw(st.lists(card_conditions(side, sizes), max_size=2))
        by_chance = sum(rule.chance < 100 for rule in rules) < 4 and draw(st.booleans())
        chance = draw(st.integers(1, 99)) if by_chance else 100
        rules.append(Rule(draw(st.sampled_from((*MOVES, "any"))), tuple(when), chance))
    return Plan(
        draw(st.sampled_from(orders)),
        draw(st.sampled_from(["PA", "threat"])),
        draw(st.sampled_from(["first", "second"])),
        (),
        tuple(rules),
    )


@st.composite
def card_players(
    draw: st.DrawFn, most: int = 5, orders: tuple[str, ...] = ORDERS
) -> tuple[Player, Player]:
    """Two players whose cards are often worth the same."""
    sizes = draw(st.integers(1, most)), draw(st.integers(1, most))
    players = []
    for side in (0, 1):
        cards = tuple(
            Card(
                card_name(side, n + 1),
                draw(st.integers(0, 4)),
                draw(st.integers(0, 4)),
                draw(st.integers(1, 3)),
            )
            for n in range(sizes[side])
        )
        players.append(Player(cards, draw(card_plans(side, sizes, orders))))
    return players[0], players[1]


def policy_of(plan: Plan) -> CardPolicy:
    """A plan as a policy for cards."""
    rules = tuple(
        PolicyRule(
            MOVE_WORDS.get(rule.do, ANY),
            tuple(Condition.parse(text, "test") for text in rule.when),
            rule.chance,
        )
        for rule in plan.rules
    )
    moves = tuple(MOVE_WORDS[word] for word in plan.moves)
    return CardPolicy("test", "", plan.order, plan.value, plan.speak, moves, rules)


def army_of(
    player: Player,
    name: str = "army",
    discipline: int | None = None,
    gains: dict[tuple[str, str], float] | None = None,
) -> Army:
    """A player as an army; ``gains`` are of (own card, enemy's card)."""
    cards = tuple(
        ArmyCard(c.name, c.fighters, PA=c.PA, threat=c.threat, DIS=discipline) for c in player.cards
    )
    wanted = tuple(Gain(own, enemy, gain) for (own, enemy), gain in (gains or {}).items())
    return Army(name, cards, policy=policy_of(player.plan), gains=wanted, file=f"{name}.toml")
