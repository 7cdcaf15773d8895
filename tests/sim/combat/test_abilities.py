"""What a person sees of abilities in a combat: remarks, dice, commands; the cards of the shops."""

import shlex

import pytest
from running import ROSTER, answered, estoc, own_dice

from estoc.kernels.layout.abilities import COMBAT, Effect
from estoc.profiles import InputError, Profile
from estoc.profiles.fighters.abilities import abilities_of, compile_abilities
from estoc.profiles.fighters.card import CHARACTERISTICS
from estoc.sim.base.options import Options
from estoc.sim.base.policy import BEST_PLAY
from estoc.sim.combat.combat import ask, combat
from estoc.sim.combat.duel import duel
from estoc.sim.combat.exact import Engine
from estoc.sim.combat.sweep import sweep
from estoc.sim.worth.solve import NO_RULES, solve

CLOSE = 1e-12
CARD = "name;INI;ATT;FOR;DEF;RES;PA;origin;abilities"
CARDS = (
    "Tueur;3;4;6;3;5;20;x;Tueur né",
    "Fine;3;4;6;3;5;21;x;Bretteur",
    "Mixte;3;4;6;3;5;22;x;Tueur né/2|Vol|Toxique/2|Chance",
    "Fou;3;4;6;3;5;23;x;Furie guerrière",
    "Simple;3;4;6;3;5;24;x;",
)


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    """A file of fighters, as arguments."""
    path = tmp_path_factory.mktemp("cards") / "cards.csv"
    path.write_text("\n".join((CARD, *CARDS)) + "\n", encoding="utf-8")
    return "--fighters", str(path)


def fighter(name="fighter", *texts, **stats):
    usual = {"INI": 3, "ATT": 4, "FOR": 6, "DEF": 3, "RES": 5, "PA": 20}
    return Profile(name, origin="x", abilities=texts, **{**usual, **stats})


# --- remarks ----------------------------------------------------------------------------


def test_remarks_name_what_is_not_played_and_what_is_assumed(cards):
    done = estoc("duel", *cards, "Mixte", "Simple")
    assert done.code == 0
    lines = done.out.splitlines()
    assert "abilities not modelled: Mixte (Vol)" in lines
    assert "abilities assumed: Mixte (Tueur né/2, Toxique/2)" in lines
    assert not [line for line in lines if "left out" in line]


def test_remarks_name_what_is_left_out(cards):
    lines = estoc("duel", *cards, "Mixte", "Simple", "--no-abilities").out.splitlines()
    assert "abilities left out: Mixte (Tueur né/2, Vol, Toxique/2, Chance)" in lines
    assert not [line for line in lines if "not modelled" in line or "abilities assumed" in line]


def test_rows_of_each_format_have_the_remarks(cards):
    (row,) = answered("duel", *cards, "Mixte", "Simple")
    assert "abilities not modelled: Mixte (Vol)" in row["remarks"]


# --- dice -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "told", "wrong", "message"),
    [
        ("Tueur", "3/0", "2/0", "should be 3 in all: 1 + the number of his enemies (C-3.1), +1 by"),
        ("Tueur", "1/2", "3/1", "+1 by abilities (W-7)"),
        ("Fine", "1/0", "1/1", "should be 1 in all: 1 + the number of his enemies (C-3.1), −1 by"),
        ("Mixte", "2/2", "1/1", "should be 4 in all"),
        ("Simple", "2/0", "3/0", "should be 2 in all: 1 + the number of his enemies (C-3.1)"),
    ],
)
def test_dice_of_a_card(cards, name, told, wrong, message):
    (row,) = answered("duel", *cards, name, "Simple", "--dice", told, "1/1")
    assert row["dice_a"] == told
    done = estoc("duel", *cards, name, "Simple", "--dice", wrong, "1/1")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    plain = estoc("duel", *cards, name, "Simple", "--dice", "2/0", "1/1", "--no-abilities")
    assert plain.code == 0


@pytest.mark.parametrize(
    ("texts", "placed"),
    [
        (("Tueur né",), "A 3/0, B 2/0"),
        (("Tueur né/2", "Charge bestiale"), "A 4/0, B 2/0"),
        (("Furie guerrière",), "A 3/0, B 2/0"),
        (("Bretteur",), "A 1/0, B 2/0"),
        (("Bretteur", "Tueur né"), "A 2/0, B 2/0"),
        (("Enchaînement/3",), "A 3/0, B 2/0"),
    ],
)
def test_dice_told_are_those_placed(texts, placed):
    """What a note says, whatever C-3.1 gives."""
    result = combat(fighter("one", *texts), fighter("other", PA=30), method="exact")
    assert result.notes[0] == f"dice placed: {placed}"


def test_best_play_tells_its_dice_and_no_rules_in_words():
    result = solve(fighter("one", "Enchaînement/1"), fighter("other", PA=30))
    assert NO_RULES in result.notes
    assert not [row for row in result if row["section"] == "rule"]
    placed = [row["what"] for row in result if row["section"] == "placement"]
    assert len(placed) == len(set(placed)) == (3 + 4) * 3
    best = next(row for row in result if row["section"] == "value")
    (played,) = [row for row in result if row["text"] == "played"]
    assert played["what"] == best["what"]
    assert played["value"] == pytest.approx(best["value"], abs=CLOSE)


def test_single_positions_are_not_told_of_abilities():
    best = Options(policies=(BEST_PLAY, BEST_PLAY))
    with pytest.raises(InputError, match="without abilities only"):
        Engine().played(ask([fighter("one", "Féroce")], [fighter("other")], best))


def test_a_sweep_tries_the_dice_of_each():
    one, other = fighter("one", "Tueur né"), fighter("other", "Bretteur")
    rows = sweep(one, other, best=True).rows
    assert [(row["dice_a"], row["dice_b"]) for row in rows] == [
        (mine, his) for mine in ("3/0", "2/1", "1/2", "0/3") for his in ("1/0", "0/1")
    ]
    assert own_dice(one) == ["3/0", "2/1", "1/2", "0/3"]
    assert sum(row["best_a"] for row in rows) == 2
    bare = sweep(one, other, options=Options(abilities=False)).rows
    assert len(bare) == 9


# --- the same answer again --------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("Mixte", "Simple"),
        ("Mixte", "Simple", "--no-abilities", "--turns", "2"),
        ("Fou", "Fine", "--charge", "A"),
        ("Tueur", "Fine", "--dice", "1/2", "1/0"),
        ("Fou", "Simple", "--policy", "A=sensible:fury=always,luck=never"),
        ("Mixte", "Fine", "--trials", "500", "--seed", "3"),
        ("Mixte", "Fine", "--trials", "500", "--seed", "3", "--no-abilities"),
    ],
)
def test_a_command_gives_the_same_answer_again(cards, words):
    (row,) = answered("duel", *cards, *words)
    assert ("--no-abilities" in row["command"]) == ("--no-abilities" in words)
    assert answered(*shlex.split(row["command"])[1:]) == [row]


def test_no_abilities_are_those_of_a_card_without():
    mixed = fighter("one", "Tueur né", "Acharné", "Toxique/2")
    for asked in ({"method": "exact"}, {"trials": 2000, "seed": 4}):
        off = duel(mixed, fighter("other"), options=Options(abilities=False), **asked).rows[0]
        bare = duel(fighter("one"), fighter("other"), **asked).rows[0]
        differ = {key for key in off if off[key] != bare[key]}
        assert differ == {"command", "remarks"}


def test_both_may_die_where_one_fights_on():
    """Acharné: killed, he kills, and dies at the end: nobody wins; shares add up to 1."""
    one = fighter("one", "Acharné", FOR=40)
    row = duel(one, fighter("other", FOR=40, PA=25)).rows[0]
    sides = row["p_a"] + row["p_b"] + row["p_undecided"]
    assert sides == pytest.approx(1, abs=CLOSE)
    law = Engine().law(ask([one], [fighter("other", FOR=40, PA=25)], Options()))
    assert law.sides[-1, -1] > 0.05
    counted = duel(one, fighter("other", FOR=40, PA=25), trials=500, seed=1).rows[0]
    assert counted["wins_a"] + counted["wins_b"] + counted["undecided"] == counted["trials"]


# --- the cards that are shipped ---------------------------------------------------------

PUBLISHED = ("C2 (Divination)", "C3", "C5")


def complete() -> list[Profile]:
    """The cards of the published editions C2, C3 and C5 with all that a combat asks for."""
    return [
        f
        for f in ROSTER
        if f.origin in PUBLISHED
        and f.PA is not None
        and None not in [getattr(f, stat) for stat in CHARACTERISTICS]
    ]


def test_there_are_77_complete_cards():
    assert len(complete()) == 77


@pytest.mark.parametrize("card", complete(), ids=lambda card: card.name)
def test_a_shipped_card_fights(card):
    """Exactly, by its abilities; each of them is modelled, or named in the remarks."""
    other = fighter("other", PA=30)
    question = ask([card], [other], Options(charge=("A",)))
    law = Engine().law(question)
    assert law.joint.sum() == pytest.approx(1, abs=1e-12)
    known = {ability.entry.name for ability in abilities_of(card)}
    told = " ".join(question.remarks())
    for text in card.abilities:
        assert text.partition("/")[0].strip() in known or text in told
    flags = compile_abilities(card)[0]
    assert question.able == bool(flags & COMBAT)
    assert law.placed[0].attack + law.placed[0].defence >= len(own_dice(card)) - 1
    plain = Engine().law(ask([card], [other], Options(charge=("A",), abilities=False)))
    acts = question.able or flags & (1 << Effect.LIGHTER_PENALTY | 1 << Effect.IGNORE_PENALTY)
    assert acts or abs(law.joint - plain.joint).max() <= CLOSE


def test_most_shipped_cards_fight_otherwise_by_their_abilities():
    """Not in name only: more than half of the 77 have other odds."""
    other, differ = fighter("other", PA=30), 0
    for card in complete():
        laws = [
            Engine().law(ask([card], [other], Options(charge=("A",), abilities=played))).joint
            for played in (True, False)
        ]
        differ += abs(laws[0] - laws[1]).max() > 1e-3
    assert differ > 45
