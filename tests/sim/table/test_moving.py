"""Moves that change the table, each legal or refused with its clause (M-1 to M-6)."""

import math

import numpy as np
import pytest
import tables

from estoc.kernels.layout.table import ROUTE, TOUCH, Base
from estoc.kernels.table import contacts, paths, places
from estoc.kernels.table.geometry import gap_between
from estoc.profiles import InputError, Profile, edition_names, load_edition
from estoc.profiles.armies.scenario import Placed, Scenario, Terrain
from estoc.sim.base.options import Options
from estoc.sim.table.measuring import estimated, thought_in_reach
from estoc.sim.table.moving import Moving
from estoc.sim.table.tabletop import Tabletop
from reference.movement import may_pivot, point_at

FAST = {"MOU": 10.0, "INI": 4, "power": 1, "size": "moyenne", "base": "25x25"}


def put(label, side, x, y, facing=90.0, level=0, **card):
    return Placed(label, Profile(label, **(FAST | card)), side, (x, y), facing, level)


def table(*fighters, speak=(), terrain=(), **options):
    scenario = Scenario("test", 100.0, 100.0, tuple(terrain), fighters)
    moving = Moving(Tabletop(scenario, Options(**options)))
    moving.speak(speak)
    return moving


def wall(x, y, width, depth):
    corners = ((x, y), (x + width, y), (x + width, y + depth), (x, y + depth))
    return Terrain("wall", corners, impassable=True, size="très grande")


def refused(clause, call, *args, **more):
    """The refusal cites the clause, and the table is as it was."""
    moving = call.__self__
    before = moving.tables.copy(), set(moving.activated), set(moving.assaulted)
    with pytest.raises(InputError, match=rf"\({clause}\)$") as caught:
        call(*args, **more)
    assert "\n" not in str(caught.value)
    assert (moving.tables == before[0]).all()
    assert (moving.activated, moving.assaulted) == before[1:]


A, FOE = put("A", "A", 50, 50), put("Z", "B", 50, 65, 270)


# Walk, run, turning


def test_rounding_does_not_decide_how_far_one_may_go():  # M-1.1, M-2.2, M-4.1
    for degree in range(360):
        x, y = math.cos(math.radians(degree)), math.sin(math.radians(degree))
        moving = table(A, put("Z", "B", 50 + 20 * x, 50 + 20 * y, degree + 180.0), speak="A")
        assert not moving.charge("A", "Z").short
        moving = table(A, put("Z", "B", 50 + 20.1 * x, 50 + 20.1 * y, degree + 180.0), speak="A")
        assert moving.charge("A", "Z").short
        moving = table(A, speak="A")
        refused("M-2.2", moving.walk, "A", (50 + 10.1 * x, 50 + 10.1 * y))
        assert moving.walk("A", (50 + 10 * x, 50 + 10 * y)).length == pytest.approx(10)


def test_a_walk_goes_as_far_as_mou_any_way_round():  # M-2.2
    moving = table(A, speak="A")
    refused("M-2.2", moving.walk, "A", (50, 60.01))
    move = moving.walk("A", (50, 60), 200.0)
    assert move == ("walk", pytest.approx(10), (), False)
    assert moving.place("A") == pytest.approx((50, 60, 200))


def test_a_walk_goes_round_what_is_in_its_way():  # M-1.1, M-1.2
    moving = table(A, put("Y", "B", 50, 58), speak="A")
    refused("M-2.2", moving.walk, "A", (50, 60), 270.0)
    assert moving.run("A", (50, 60), 270.0).length > 10.5


def test_a_gap_narrower_than_the_base_is_no_way():  # M-1.2
    walls = (wall(0, 55, 49, 2), wall(51, 55, 49, 2))
    moving = table(A, speak="A", terrain=walls)
    refused("M-1.2", moving.run, "A", (50, 62))


def test_a_place_where_the_base_does_not_fit():  # M-1.2
    moving = table(A, put("friend", "A", 50, 58), speak="A")
    refused("M-1.2", moving.walk, "A", (50, 57.5))


def test_friends_of_the_speaking_turn_are_passed_through():  # M-1.3
    friend = put("B", "A", 50, 57)
    assert table(A, friend, speak="A").run("A", (50, 60)).length > 10.1
    assert table(A, friend, speak=("A", "B")).walk("A", (50, 60)).length == pytest.approx(10)
    # not through one that touches an enemy
    foe = put("Z", "B", 52.5, 57, 90)
    assert table(A, friend, foe, speak=("A", "B")).run("A", (50, 60)).length > 10.1


def test_turning_alone_is_a_move_of_who_can_move():  # M-1.5
    moving = table(A, put("S", "A", 20, 20, MOU=0.0), speak="AS")
    refused("M-1.5", moving.turn, "S", 0.0)
    refused("M-1.5", moving.walk, "A", (50, 50), 0.0)
    assert moving.turn("A", 0.0).length == 0
    assert moving.place("A") == pytest.approx((50, 50, 0))
    moving.walk("A", (50, 55))  # conffede: it is no walk


def test_turning_into_something():  # M-1.2, M-2.2
    beside = put("Z", "B", 51.25, 50, 90)  # the turned base would stand on it, or touch it
    moving = table(put("A", "A", 48, 50), beside, speak="A")
    refused("M-1.2", moving.turn, "A", 180.0)
    touching = table(put("A", "A", 48, 50), put("Z", "B", 51.75, 50, 90), speak="A")
    refused("M-2.2", touching.turn, "A", 180.0)


def test_no_walk_or_run_ends_in_contact():  # M-2.2, M-3.1, M-6.1
    moving = table(A, put("Z", "B", 50, 60, 270), speak="A")
    refused("M-2.2", moving.walk, "A", (50, 60))
    refused("M-8", moving.run, "A", (50, 60))
    refused("M-8", moving.under_cover, "A", (50, 60))
    assert moving.walk("A", (50, 59.9)).meets == ()


def test_one_walk_a_speaking_turn():  # M-2.2
    moving = table(A, speak="A")
    moving.walk("A", (50, 53))
    refused("M-2.2", moving.walk, "A", (50, 55))
    refused("A-5.4", moving.run, "A", (50, 55))


def test_a_walk_from_a_contact_follows_a_disengagement():  # M-2.1, M-7.1
    near = put("Z", "B", 50, 50, 270)
    moving = table(A, near, speak="A")
    refused("M-2.1", moving.walk, "A", (45, 45))
    moving.disengage("A", True)
    moving.walk("A", (45, 45))
    assert moving.enemies("A") == ()
    failed = table(A, near, speak="A")
    failed.disengage("A", False)
    refused("M-7.5", failed.walk, "A", (45, 45))


def test_touching_a_friend_only_is_free():  # M-2.1
    moving = table(A, put("B", "A", 52.5, 50), speak="A")
    moving.walk("A", (50, 55))


def test_a_run_goes_twice_as_far_and_is_all():  # M-3.1
    moving = table(A, speak="A")
    refused("M-3.1", moving.run, "A", (50, 70.01))
    assert moving.run("A", (50, 70), 0.0).length == pytest.approx(20)
    refused("A-5.4", moving.walk, "A", (50, 72))


def test_no_run_from_a_contact():  # M-3.1
    refused("M-3.1", table(A, put("Z", "B", 50, 50, 270), speak="A").run, "A", (40, 50))


def test_only_who_speaks_moves_once():
    moving = table(A, put("B", "A", 20, 20), speak="A")
    refused("A-5.1", moving.walk, "B", (20, 25))
    moving.walk("A", (50, 52))
    with pytest.raises(InputError, match=r"A-5\.1"):
        moving.speak("A")
    moving.next_turn()
    moving.speak("A")
    moving.walk("A", (50, 54))


# Assaults


def test_a_charge_ends_at_the_edge_facing_the_target():  # M-4.1, M-4.3
    moving = table(A, FOE, speak="A")
    move = moving.charge("A", "Z")
    assert move == ("charge", pytest.approx(15), ("Z",), False)
    assert moving.place("A") == pytest.approx((50, 65, 90))
    assert moving.place("Z") == pytest.approx((50, 65, 270))  # the target does not turn
    assert moving.penalties() == ("Z",)


def test_a_charge_needs_sight_and_freedom_an_engagement_none():  # M-4.1, M-4.2
    hidden = (A, FOE), {"speak": "A", "terrain": (wall(45, 57, 10, 1),)}
    refused("M-4.1", table(*hidden[0], **hidden[1]).charge, "A", "Z")
    moving = table(*hidden[0], **hidden[1])
    move = moving.engage("A", "Z")
    assert (move.action, move.meets) == ("engage", ("Z",))
    assert moving.penalties() == ()  # M-5.3
    refused("M-4.2", table(A, FOE, speak="A").engage, "A", "Z")
    held = table(A, put("Y", "B", 50, 50, 270), put("Z", "B", 50, 40), speak="A")
    refused("M-4.1", held.charge, "A", "Z")


def test_sight_is_of_the_start_of_the_speaking_turn():  # M-4.1, A-5.2
    screen = put("B", "A", 50, 58, base="50x25", size="moyenne")
    moving = table(A, screen, put("Z", "B", 50, 66, 270), speak="AB")
    moving.run("B", (70, 58))
    refused("M-4.1", moving.charge, "A", "Z")
    assert moving.engage("A", "Z").meets == ("Z",)
    moving = table(A, screen, put("Z", "B", 50, 66, 270), speak="B")
    moving.run("B", (70, 58))
    moving.speak("A")
    refused("M-4.2", moving.engage, "A", "Z")
    moving.charge("A", "Z")


def test_an_engagement_after_disengaging_goes_half_as_far():  # M-4.2, M-7.4
    near = put("Z", "B", 50, 50, 270)
    far = put("Y", "B", 57, 45, 90)
    moving = table(A, near, far, speak="A")
    moving.disengage("A", True)
    refused("M-7.4", moving.charge, "A", "Y")
    assert moving.engage("A", "Y").length <= 10
    again = table(A, near, speak="A")
    again.disengage("A", True)
    assert again.engage("A", "Z").meets == ("Z",)
    out = table(A, near, put("Y", "B", 70, 50, 90), speak="A")
    out.disengage("A", True)
    assert out.engage("A", "Y").short


def test_a_target_with_no_room_round_it():  # M-4.1
    box = (wall(48, 60, 4, 1), wall(48, 66, 4, 1), wall(47, 60, 1, 7), wall(52, 60, 1, 7))
    moving = table(A, put("Z", "B", 50, 62, 270, size="très grande"), speak="A", terrain=box)
    refused("M-4.3", moving.engage, "A", "Z")
    places = ((50, 62.5), (50, 67.5), (47.5, 65), (52.5, 65))
    crowd = [put(f"Y{n}", "B", x, y) for n, (x, y) in enumerate(places)]
    seen = put("Z", "B", 50, 65, size="très grande")
    moving = table(A, seen, *crowd, speak="A", rules=("hides=higher",))
    refused("M-4.1", moving.charge, "A", "Z")


def test_the_player_picks_an_edge():  # M-4.3
    moving = table(A, put("Z", "B", 50, 60, 270), speak="A")
    moving.charge("A", "Z", at=(48.75, 61))
    assert moving.place("A") == pytest.approx((48.75, 61, 0))
    friend = put("B", "A", 47, 61.25, 0)
    taken = table(A, put("Z", "B", 50, 60, 270), friend, speak="A")
    refused("M-4.3", taken.charge, "A", "Z", at=(48.75, 61))
    round_one = table(A, put("Z", "B", 50, 60, 270, base="30"), speak="A")
    round_one.charge("A", "Z", at=(40, 61.5))
    assert round_one.place("A") == pytest.approx((48.5, 61.5, 0))


def test_out_of_reach_it_goes_its_potential_and_faces_the_target():  # M-4.4
    moving = table(A, put("Z", "B", 50, 75, 270), speak="A")
    move = moving.charge("A", "Z")
    assert (move.length, move.short, move.meets) == (pytest.approx(20), True, ())
    assert moving.place("A") == pytest.approx((50, 70, 90))
    assert moving.penalties() == ()
    assert moving.assaulted == set()


def test_short_of_its_target_it_keeps_to_its_way():  # M-4.4
    moving = table(A, put("Z", "B", 50, 80, 270), speak="A", terrain=(wall(40, 57, 20, 2),))
    move = moving.engage("A", "Z")
    x, y, facing = moving.place("A")
    assert move.short
    assert move.length == pytest.approx(20, abs=0.06)
    assert facing == pytest.approx(math.degrees(math.atan2(81.25 - y, 50 - x)))
    assert y > 55


def test_several_enemies_are_charged_where_it_touches_all():  # M-4.5
    pair = put("Y", "B", 48.75, 60, 270), put("Z", "B", 51.25, 60, 270)
    moving = table(A, *pair, speak="A")
    assert moving.charge("A", ("Y", "Z")).meets == ("Y", "Z")
    assert moving.assaulted == {1, 2}
    assert moving.penalties() == ()  # 1 on 1 + 1 (M-5.2)
    apart = table(A, pair[0], put("Z", "B", 54, 60, 270), speak="A")
    refused("M-4.5", apart.charge, "A", ("Y", "Z"))
    refused("M-4.5", table(A, *pair, speak="A").charge, "A", ("Y", "Z"), at=(48, 60))


def test_a_nook_between_two_enemies_is_found():  # M-4.5
    nook = put("Y", "B", 50, 60, 270), put("Z", "B", 51.97, 58.5, 180)
    moving = table(A, *nook, speak="A")
    moving.charge("A", ("Y", "Z"))
    assert moving.place("A")[0] == pytest.approx(51.97 - 1.25, abs=TOUCH)


PAIR = {"Y": put("Y", "B", 48.6, 60, 272), "Z": put("Z", "B", 51.4, 60, 268)}


@pytest.mark.parametrize("turned", ["Y", "Z", "YZ"])
def test_a_charger_of_power_2_turns_two_of_power_1(turned):  # M-4.6, the seed's first example
    moving = table(put("A", "A", 50, 50, power=2, base="50x50"), *PAIR.values(), speak="A")
    moving.charge("A", list(turned), pivots=dict.fromkeys(turned, 270.0))
    for name in turned:
        assert moving.place(name)[2] == pytest.approx(270)


def test_a_charger_of_power_2_turns_one_of_1_and_not_one_of_3():  # M-4.6, the second example
    foes = put("B", "B", 48.6, 60, 272), put("C", "B", 51.4, 60, 268, power=3)
    moving = table(put("A", "A", 50, 50, power=2, base="50x50"), *foes, speak="A")
    for turned in ("C", "BC"):
        refused("M-4.6", moving.charge, "A", list("BC"), pivots=dict.fromkeys(turned, 270.0))
    moving.charge("A", "B", pivots={"B": 270.0})
    assert moving.place("B")[2] == pytest.approx(270)


def test_whom_no_charger_turns():  # M-4.6
    foe, beside = put("Z", "B", 50, 60, 270), put("Y", "B", 52.5, 60, 270)
    alone = table(A, foe, put("X", "B", 20, 20), speak="A")
    refused("M-4.6", alone.charge, "A", "Z", pivots={"X": 90.0})  # it charges it not
    refused("M-4.6", table(A, foe, beside, speak="A").charge, "A", "Z", pivots={"Z": 265.0})
    round_one = table(put("A", "A", 50, 50, base="30"), foe, speak="A")
    refused("M-4.6", round_one.charge, "A", "Z", pivots={"Z": 265.0})
    near = table(A, foe, put("Y", "B", 52.6, 60, 270), speak="A")
    refused("M-4.6", near.charge, "A", "Z", pivots={"Z": 225.0})  # no room


def dying(*more, speak="A", foe=FOE, kill="Z", terrain=()):
    moving = table(A, foe, *more, speak=speak, terrain=terrain)
    moving.kill(kill)
    return moving


def test_an_assault_on_the_dead_is_redirected():  # M-4.7
    refused("M-4.7", dying().charge, "A", "Z")
    refused("M-4.7", table(A, FOE, speak="A").redirect, "A", "charge", "Z")
    moving = dying(put("Y", "B", 50, 69, 270))
    move = moving.redirect("A", "charge", "Z", targets="Y")
    assert move == ("charge", pytest.approx(19), ("Y",), False)
    assert moving.penalties() == ("Y",)


def test_a_redirected_charge_out_of_sight_is_an_engagement():  # M-4.7
    foe, other = put("Z", "B", 50, 60, 270), put("Y", "B", 50, 66, 270)
    moving = dying(other, foe=foe, terrain=(wall(48, 63, 4, 0.2),))
    assert moving.redirect("A", "charge", "Z", targets="Y").action == "engage"
    assert moving.penalties() == ()
    assert moving.assaulted == {2}


def test_a_redirected_engagement_is_one_though_it_sees():  # M-4.7
    walls = (wall(45, 57, 10, 1),)
    moving = dying(put("Y", "B", 50, 67, 270), terrain=walls, foe=put("Z", "B", 50, 64, 90))
    move = moving.redirect("A", "engage", "Z", targets="Y")
    assert (move.action, moving.penalties()) == ("engage", ())


def test_it_may_run_on_or_stay_there():  # M-4.7
    moving = dying()
    refused("M-3.1", moving.redirect, "A", "charge", "Z", to=(55.01, 65))
    assert moving.redirect("A", "charge", "Z", to=(55, 65), facing=0.0).length == pytest.approx(20)
    assert moving.place("A") == pytest.approx((55, 65, 0))
    stays = dying()
    stays.redirect("A", "charge", "Z", facing=180.0)
    assert stays.place("A") == pytest.approx((50, 65, 180))
    far = dying(foe=put("Z", "B", 50, 75, 270))
    refused("M-4.7", far.redirect, "A", "charge", "Z", to=(55, 70))
    assert far.redirect("A", "charge", "Z").short
    assert far.place("A") == pytest.approx((50, 70, 90))


def test_the_powers_that_are_pivoted():  # M-4.6: as the plain reading
    for own in (1, 2, 3):
        for powers in ((1, 1), (1, 2), (2, 2), (1, 3)):
            for turned in ("", "Y", "Z", "YZ"):
                foes = [
                    put(name, "B", x, 60, f, power=p)
                    for name, x, f, p in zip("YZ", (48.6, 51.4), (272, 268), powers, strict=True)
                ]
                moving = table(put("A", "A", 50, 50, power=own, base="50x50"), *foes, speak="A")
                chosen = [powers["YZ".index(name)] for name in turned]
                pivots = dict.fromkeys(turned, 270.0)
                if may_pivot(own, chosen, [False] * len(chosen), square=True):
                    moving.charge("A", list(turned) or "Y", pivots=pivots)
                else:
                    refused("M-4.6", moving.charge, "A", list(turned), pivots=pivots)


# The kernels against plain readings


def test_points_of_a_path_at_a_length():  # M-4.4
    rng, routes, bent = np.random.default_rng(5), np.zeros(1, ROUTE), 0
    for _ in range(40):
        rows = [tables.base(10, 10), *(tables.random_base(rng, 50) for _ in range(8))]
        made = tables.table(rows)
        far = paths.path_to_point(made, routes, 0, *rng.uniform(30, 60, 2), np.uint64(0))
        if far == math.inf:
            continue
        bent += int(routes[0]["leg_count"]) > 1
        line = np.zeros((20_000, 2))
        line = line[: paths.draw_path(routes, 1e-3, line)]
        for share in (0.0, 0.1, 0.37, 0.5, 0.81, 0.99, 1.0, 1.2):
            point = paths.point_along(routes, share * far)[:2]
            assert point == pytest.approx(point_at(line.tolist(), share * far), abs=1e-4)
    assert bent > 10


def all_places(made, goals, steps):
    """Places round the first enemy where the base touches all, by many small steps."""
    corners = made[0]["hull"][goals[0]]
    for a in range(4):
        b = corners[(a + 1) % 4] - corners[a]
        ux, uy = b / math.hypot(*b)
        for t in np.linspace(0, 1, steps):
            x, y = corners[a] + t * b
            if not paths.fits_facing(made, 0, x, y, -uy, ux):
                continue
            trial = made.copy()
            trial[0]["bases"][0][[Base.X, Base.Y, Base.FX, Base.FY]] = x, y, -uy, ux
            contacts.update(trial, 0)
            if all(abs(gap_between(trial, 0, j)) <= TOUCH for j in goals):
                yield x, y


def test_places_that_touch_several():  # M-4.5
    rng, routes, found = np.random.default_rng(3), np.zeros(1, ROUTE), 0
    for n in range(24):
        gap = rng.uniform(0, 3.5)
        x, y = rng.uniform(20, 40, 2)
        pair = [tables.base(x, y, 270, side=1), tables.base(x + 2.5 + gap, y, 270, side=1)]
        made = tables.table([tables.base(30, 8), *pair])
        made = tables.turned(made, 90 * n, (50, 50))
        before = made.copy()
        far = places.path_touching(made, routes, 0, 1, np.uint64(0b110), np.uint64(0))
        assert (made == before).all()
        ways = [
            paths.path_to_point(made, np.zeros(1, ROUTE), 0, *at, np.uint64(0))
            for at in all_places(made, (1, 2), 101)
        ]
        if far == math.inf:
            assert not ways
            continue
        found += 1
        made[0]["bases"][0][[Base.X, Base.Y, Base.FX, Base.FY]] = routes[0]["place"]
        contacts.update(made, 0)
        assert contacts.enemy_contacts(made, 0) == 0b110
        assert far <= min(ways, default=math.inf) + 2.5 / 16  # a step along the edge
    assert 5 < found < 24


def test_short_of_its_target_it_touches_no_other_enemy():  # M-4.4, reading
    moving = table(A, put("Z", "B", 50, 75, 270), put("Y", "B", 52.5, 68.5), speak="A")
    assert moving.charge("A", "Z").meets == ()
    assert 65.9 < moving.place("A")[1] < 66


def test_short_of_its_target_it_has_paid_for_relief():  # M-1.4, M-4.4
    corners = ((0, 55), (100, 55), (100, 58), (0, 58))
    moving = table(
        A, put("Z", "B", 50, 80, 270), speak="A", terrain=(Terrain("bank", corners, height=3.0),)
    )
    move = moving.engage("A", "Z")
    assert move.length == pytest.approx(20, abs=0.06)
    assert moving.place("A")[1] == pytest.approx(64, abs=0.06)


def test_who_is_assailed_is_an_enemy():  # M-4.3
    moving = table(A, put("B", "A", 50, 60), speak="A")
    refused("M-4.3", moving.charge, "A", "B")
    refused("M-4.3", moving.charge, "A", ())


def test_who_is_in_contact_is_not_pivoted():  # M-4.6
    foes = put("Z", "B", 50, 60, 270), put("Y", "B", 50, 65, 90)
    moving = table(A, *foes, speak="A")
    assert moving.tables[0]["touching"][1]
    refused("M-4.6", moving.charge, "A", "Z", pivots={"Z": 270.0})


def test_what_is_left_may_not_reach():  # M-4.7, M-4.4
    moving = dying(put("Y", "B", 50, 75, 270))
    move = moving.redirect("A", "charge", "Z", targets="Y")
    assert (move.length, move.short) == (pytest.approx(20), True)
    assert moving.place("A")[1] == pytest.approx(70)
    assert moving.assaulted == set()


def test_who_died_before_the_speaking_turn_was_no_target():  # M-4.7
    moving = dying()
    moving.speak("A")
    refused("M-4.7", moving.redirect, "A", "charge", "Z")


def test_who_is_surrounded_does_not_disengage():  # M-7.1
    foe = put("Z", "B", 50, 50, 270)
    moving = table(A, foe, speak="A", rules=("disengage.most.moyenne=1",))
    refused("M-7.1", moving.disengage, "A", True)


# Penalties of charges: the seed's table (M-5)


def line(side, names, powers, y, facing, gap=6.0):
    return [
        put(name, side, 20 + gap * n, y, facing, power=p)
        for n, (name, p) in enumerate(zip(names, powers, strict=True))
    ]


def test_charges_of_one_speaking_turn_count_together():  # M-5.1: A on Z, B on Y, F and G on W
    moving = table(*line("A", "AB", (1, 1), 50, 90), *line("B", "ZY", (1, 2), 60, 270), speak="AB")
    moving.charge("A", "Z")
    moving.charge("B", "Y")
    assert moving.penalties() == ("Z",)
    assert moving.charged == {2}
    foe = put("W", "B", 23, 60, 270, power=2)
    moving = table(*line("A", "FG", (1, 1), 50, 90), foe, speak="FG")
    moving.charge("F", "W", at=(21.75, 61))
    moving.charge("G", "W", at=(24.25, 61))
    assert moving.penalties() == ("W",)


def test_charges_of_three_speaking_turns_do_not():  # M-5.1: C, D and E on X
    foe = put("X", "B", 26, 60, 270, power=2)
    moving = table(*line("A", "CDE", (1, 1, 1), 50, 90), foe)
    for name, at in zip("CDE", ((24.75, 61), (26, 60), (27.25, 61)), strict=True):
        moving.speak(name)
        moving.charge(name, "X", at=at)
        assert moving.penalties() == ()
    refused("A-5.1", moving.charge, "C", "X")


@pytest.mark.parametrize(("power", "hit"), [(1, ()), (2, ("V", "U"))])
def test_a_charger_of_two_needs_the_power_of_both(power, hit):  # M-5.2: H, I
    foes = put("V", "B", 48.75, 60, 270), put("U", "B", 51.25, 60, 270)
    moving = table(put("H", "A", 50, 50, power=power), *foes, speak="H")
    moving.charge("H", ("V", "U"))
    assert moving.penalties() == hit


def test_the_mark_of_a_charge_lasts_for_the_turn():  # M-5.1
    moving = table(A, FOE, speak="A")
    moving.charge("A", "Z")
    moving.speak(())  # marks without being asked
    assert moving.charged == {1}
    moving.kill("A")
    assert moving.charged == {1}
    moving.next_turn()
    assert moving.charged == set()


def test_who_was_assaulted_does_not_disengage():  # M-7.1
    moving = table(A, FOE, speak="A")
    moving.charge("A", "Z")
    moving.speak("Z")
    refused("M-7.1", moving.disengage, "Z", True)
    moving.next_turn()
    moving.speak("Z")
    moving.disengage("Z", True)


# Cover


def test_under_cover_marks_until_its_next_activation():  # M-6.1, M-6.2
    moving = table(A, put("B", "A", 20, 20, level=1), speak="AB")
    refused("M-6.1", moving.under_cover, "A", (50, 60.01))
    refused("M-6.1", moving.under_cover, "B", (20, 25))
    moving.under_cover("A", (50, 60))
    assert moving.covered == {0}
    moving.next_turn()
    assert moving.covered == {0}
    moving.speak("A")
    moving.walk("A", (50, 61))
    assert moving.covered == set()


def test_no_move_under_cover_from_a_contact():  # M-6.1
    moving = table(A, put("Z", "B", 50, 50, 270), speak="A")
    refused("M-6.1", moving.under_cover, "A", (45, 45))


def test_throwing_to_cover_obliges():  # M-6.3
    moving = table(A, FOE, speak="Z")
    assert moving.throw_to_cover("A") == 2
    assert moving.covered == set()  # for this shot only
    moving.speak("A")
    refused("M-6.3", moving.run, "A", (40, 50))
    refused("M-6.3", moving.charge, "A", "Z")
    moving.under_cover("A", (40, 50))
    assert moving.covered == {0}


def test_who_cannot_throw_itself_to_cover():  # M-6.3
    held = table(A, put("Z", "B", 50, 50, 270), put("B", "A", 20, 20, level=1), speak="B")
    refused("M-6.3", held.throw_to_cover, "A")
    refused("M-6.3", held.throw_to_cover, "B")
    free = table(A, speak="A")
    refused("M-6.3", free.throw_to_cover, "A", assault_shot=True)
    free.walk("A", (50, 51))
    refused("M-6.3", free.throw_to_cover, "A")


def test_the_older_edition_throws_to_cover_from_any_level_and_shot():  # M-9
    up = put("B", "A", 20, 20, level=1)
    moving = table(A, up, edition_name="c3")
    assert moving.throw_to_cover("B", assault_shot=True) == 2
    for key in ("cover.target", "cover.throw_needs"):
        assert load_edition("c3").entry(key).mark == "seed"


def test_an_engaged_fighter_is_free_of_the_duty():  # M-6.3, reading
    moving = table(A, put("Z", "B", 50, 60, 270))
    moving.throw_to_cover("A")
    moving.speak("Z")
    moving.charge("Z", "A")
    moving.next_turn()
    moving.speak("A")
    moving.disengage("A", True)


# Estimates


def test_an_estimate_errs_by_a_share_of_the_distance():  # M-1.6
    for name in edition_names():
        edition = load_edition(name)
        sigma = edition["measuring.error"]
        found = [estimated(20.0, edition, 7, trial) for trial in range(4000)]
        assert abs(np.mean(found) - 20) < 5 * 20 * sigma / math.sqrt(4000)
        assert np.std(found) == pytest.approx(20 * sigma, rel=0.06)
        assert found[:9] == [estimated(20.0, edition, 7, trial) for trial in range(9)]
        assert estimated(20.0, edition, 8) != found[0]
        assert estimated(20.0, edition, 7, premeasure=True) == 20.0
        share = np.mean([guess <= 19.0 for guess in found])
        assert thought_in_reach(20.0, 19.0, edition) == pytest.approx(share, abs=0.04)


def test_measured_freely_nothing_is_in_doubt():  # M-1.6
    edition = load_edition("conffede")
    assert thought_in_reach(20.0, 19.0, edition, premeasure=True) == 0
    assert thought_in_reach(19.0, 19.0, edition, premeasure=True) == 1
    assert thought_in_reach(20.0, 20.0, edition) == 0.5
    with pytest.raises(InputError, match=r"M-1\.6"):
        estimated(-1.0, edition, 1)
