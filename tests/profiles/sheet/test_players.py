"""Players of the sheet: named, assumed, and what they write into a record."""

import pytest

from estoc.kernels.layout.sheet import DEEDS, MAX_SIDES, Deed, Style
from estoc.profiles import InputError
from estoc.profiles.sheet.players import deeds_of, fill_player, load_sheet_players, sheet_player
from estoc.sim.sheet.question import ask_sheet


def test_the_players():
    players = load_sheet_players()
    assert {"bold", "careful", "still", "random"} == players.keys()
    for name, player in players.items():
        assert player.name == name
        assert player.text
        assert player.wanted == (Deed.SHOCK, Deed.FIRE, Deed.ATTACK_MOVE)  # 8, question 3
        assert len(set(player.ranks)) == len(player.ranks)
        assert (player.style == Style.RANDOM) == (name == "random") == (not player.ranks)
    assert sheet_player("BOLD") is players["bold"]


def test_a_player_in_a_record():
    sheet = ask_sheet("skirmish", players=["Raven=careful"]).compiled().sheets[0]
    bold, careful = sheet_player("bold"), sheet_player("careful")
    for side, player in enumerate((bold, careful)):
        best_first = sorted(player.ranks, key=lambda deed: -sheet["rank"][side, deed])
        assert best_first == list(player.ranks)
        assert sheet["wanted"][side] == sum(1 << deed for deed in player.wanted)
        assert sheet["hides"][side] == player.hides
        others = [deed for deed in Deed if deed not in player.ranks]
        assert {int(sheet["rank"][side, deed]) for deed in others} == {0}
    assert sheet["rank"].max() == DEEDS


def test_refusals():
    with pytest.raises(InputError, match=r'^player: no "bolt"; .*bold'):
        sheet_player("bolt")
    with pytest.raises(InputError, match=r'^here: no action "shok"; .*shock'):
        deeds_of(["fire", "shok"], "here")
    sheet = ask_sheet("skirmish").compiled().sheets[0]
    with pytest.raises(InputError, match="at most"):
        fill_player(sheet, MAX_SIDES, sheet_player("bold"))
