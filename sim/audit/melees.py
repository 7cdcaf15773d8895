"""The combat phase of a transcript: melees, separations, who speaks, pursuit (C-1, C-2, C-8)."""

from collections.abc import Iterable, Sequence
from math import ceil

from ...profiles.message import say
from .combat import Combat
from .dice import check_tester, opposed_winner
from .fear import read_courage
from .fighters import SIDES, Fighter, names
from .ledger import Ledger
from .moves import Way, read_move
from .steps import Coin, Courage, Fight, Melee, Move, Named, Opposed, Pursuit, Separation

Group = frozenset[Fighter]


class Phase:
    """The combat phase while it is read."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.pending: list[Group] = []
        self.due: dict[Fighter, str] = {}  # survivors who fight again at once, and by which clause

    def read(self) -> None:
        """Check the phase step by step (C-1 to C-8)."""
        ledger = self.ledger
        for number, melee in self._melees():
            if ledger.over():
                return
            self._separate(number, melee)
        if self.pending:
            self._resolve()
        if not ledger.over():
            for fighter in ledger.living():
                right = fighter.fought or ledger.free(fighter)
                ledger.check_next(right, "T-4", "{} touches an enemy and has not fought", fighter)

    # C-1

    def _melees(self) -> list[tuple[int, Group]]:
        ledger = self.ledger
        melees = _components(ledger, ledger.living())
        listed = []
        while data := ledger.accept(Melee):
            group = frozenset(data.fighters)
            right = group in melees and len(group) == len(data.fighters)
            ledger.check(
                right, "C-1.1", "{} are no melee: those in contact, and nobody else", names(group)
            )
            listed.append((data.melee, group))
        for group in melees:
            right = group in [melee for _, melee in listed]
            ledger.check_next(right, "C-1.1", "the melee of {} is left out", names(group))
        return listed

    def _separate(self, number: int, melee: Group) -> None:
        """Check the separation of a melee and the test for it (C-1.2 to C-1.6)."""
        ledger = self.ledger
        sides = [[f for f in melee if f.side == side] for side in (0, 1)]
        winner, test = -1, ledger.coming(Opposed) or ledger.coming(Coin)
        if all(len(side) > 1 for side in sides):
            able = [[f for f in side if not f.routed] for side in sides]
            winner, rows = opposed_winner(ledger, "separation", (bool(able[0]), bool(able[1])))
            for side, fighters in enumerate(able):
                _check_best(ledger, rows, side, fighters)
        elif test and test.purpose == "separation":
            ledger.breach_next("C-1.6", "a lone fighter: there is nothing to separate")
            ledger.read(test)
        data, check = ledger.take(Separation, "C-1.3"), ledger.check
        check(data.melee == number, "C-1.6", "melee {} is separated here", number)
        check(data.cause == "melee", "C-1.6", "it is a separation before the combats")
        if data.side != winner and winner >= 0:
            ledger.breach("C-1.4", "{} separates melee {}", SIDES[winner], number)
        elif data.side != winner:
            ledger.breach("C-1.4", "no side separates melee {}", number)
        self.pending += _stars(ledger, data, melee)

    # C-2

    def _resolve(self) -> None:
        ledger, check = self.ledger, self.ledger.check
        named = [self._named(side) for side in (0, 1)]
        able = (named[0].fighter is not None, named[1].fighter is not None)
        speaker, rows = opposed_winner(ledger, "authority", able)
        for side, tester in enumerate(one.fighter for one in named):
            for row in rows:
                right = row.testers[side] is tester
                check(right, "C-2.1", "{} is named for the Authority roll", tester or "nobody")
            if tester:
                check_tester(ledger, rows, side, ledger.with_command(tester, "DIS"))
        first = True
        while self.pending and not ledger.over():
            data = ledger.take(Fight, "C-2.3")
            group, who = frozenset(data.fighters), SIDES[speaker]
            if first:
                check(data.side == speaker, "C-2.2", "side {} speaks first", who)
                right = group == frozenset(named[data.side].combat)
                check(right, "C-2.2", "side {} starts with the combat it named", SIDES[data.side])
            else:
                check(data.side == speaker, "C-2.3", "it is the turn of side {}", who)
            first, speaker = False, data.side
            self._chosen(data, group)
            self._follow(speaker)
            speaker = 1 - speaker

    def _named(self, side: int) -> Named:
        """Check the combat and the fighter that a side names (C-2.1)."""
        ledger = self.ledger
        data, check = ledger.take(Named, "C-2.1"), ledger.check
        check(data.side == side, "C-2.1", "side {} names its combat here", SIDES[side])
        group, tester = frozenset(data.combat), data.fighter
        check(group in self.pending, "C-2.1", "{} are no combat of this phase", names(group))
        able = [f for f in group if f.side == side and not f.routed]
        right = tester in able if able else tester is None
        if (
            check(
                right,
                "C-2.1",
                "{} may not make the Authority roll for side {}",
                tester or "nobody",
                SIDES[side],
            )
            and tester
        ):
            best = _discipline(ledger, tester) == max(_discipline(ledger, f) for f in able)
            check(best, "C-2.1", "{} has not the best Discipline", tester)
        return data

    def _chosen(self, data: Fight, group: Group) -> None:
        check = self.ledger.check
        check(data.cause == "chosen", "C-8.3", "no pursuit has caused this combat")
        check(data.chooser == data.side, "C-3.3", "who speaks has chosen the combat")
        again = [f for f in group if f.fought]
        text = (
            say("{} would fight twice", names(again)) if again else say("there is no such combat")
        )
        if check(group in self.pending, "C-1.3", text):
            self.pending.remove(group)
        else:
            self.pending = [other for other in self.pending if not other & group]
        self._fight(data)

    def _fight(self, data: Fight) -> None:
        """Check a combat and the pursuit moves after it."""
        ledger = self.ledger
        for fighter in data.fighters:
            ledger.check(fighter.alive, "C-6.6", "{} is dead and fights", fighter)
            fighter.fought = True
            self.due.pop(fighter, None)
        _check_star(ledger, data.fighters)
        Combat(ledger, data.fighters, data.chooser).read()
        for fighter in data.fighters:
            fighter.charging = False
        self._pursuits(data.fighters)

    # C-8

    def _pursuits(self, members: Sequence[Fighter]) -> None:
        """Check who pursues (C-8.1), and note who fights again at once (C-8.3, C-8.5)."""
        ledger, check = self.ledger, self.ledger.check
        living = [f for f in members if f.alive]
        won = len({f.side for f in living}) == 1
        # the first pursuit move of a phase, and those of abilities (W-7)
        rested = [f for f in living if f.pursued <= f.amount("extra_pursuits")]
        able = [f for f in rested if won and not f.routed]
        done: list[Fighter] = []
        while data := ledger.accept(Pursuit):
            who = data.fighter
            if not check(won, "C-8.1", "{} pursues though enemies in its combat are alive", who):
                able = living
            check(who not in done, "C-8.1", "{} pursues twice", who)
            may = who in able or (who in living and data.choice == "stay")
            check(may, "C-8.1", "{} may not pursue after this combat", who)
            done.append(who)
            self._pursue(data)
        if won and not ledger.over():
            for who in able:
                ledger.check_next(who in done, "C-8.1", "{} may pursue, and is not asked", who)
            for who in living:
                if self._unfought(who):
                    self.due[who] = "C-8.3" if who.pursued else "C-8.5"

    def _pursue(self, data: Pursuit) -> None:
        ledger, who, choice = self.ledger, data.fighter, data.choice
        if choice == "engage":
            test, move = ledger.coming(Courage, who), ledger.coming(Move, who)
            engaged = [test.against] if test else move.targets if move else []
            read_courage(ledger, who, engaged)
        moves = ledger.coming(Move, who)
        if choice == "stay":
            ledger.check(not moves, "C-8.1", "{} stays, and moves", who)
        if not moves:
            return
        who.pursued += 1
        ledger.check_next(not who.routed, "W-4.3", "{} is in rout, and pursues", who)
        way = Way("pursue", ceil((who.card.MOU or 0) / 2), (), "C-8.1")
        before = ledger.contacts(who)
        moved = read_move(ledger, who, way, ())
        right = choice != "engage" or moved.targets or moved.short
        ledger.check(right, "C-8.1", "{} engages nobody", who)
        for enemy in ledger.contacts(who) if choice == "engage" else ():
            if enemy in moved.targets or enemy not in before:
                read_courage(ledger, enemy, [who])

    def _unfought(self, fighter: Fighter) -> list[Fighter]:
        """Return the enemies in contact who have not fought, or are to fight again (C-8.3)."""
        if not fighter.alive:
            return []
        return [e for e in self.ledger.contacts(fighter) if not e.fought or e in self.due]

    def _follow(self, speaker: int) -> None:
        """Check the combats that pursuit moves cause, at once (C-8.3 to C-8.5)."""
        ledger = self.ledger
        while not ledger.over():
            if data := ledger.accept(Separation):
                self._new_separation(data)
            elif (fight := ledger.coming(Fight)) and fight.cause == "pursuit":
                self._caused(ledger.read(fight), speaker)
            else:
                break
        if ledger.over():
            return
        for fighter, clause in sorted(self.due.items(), key=lambda item: item[0].number):
            enemies = self._unfought(fighter)
            ledger.check_next(
                not enemies or fighter.routed,
                clause,
                "the combat of {} with {} should come at once",
                fighter,
                names(enemies),
            )
        self.due.clear()

    def _new_separation(self, data: Separation) -> None:
        """Check a separation that a pursuit has made necessary (C-8.4)."""
        ledger, by = self.ledger, data.by
        right = data.cause == "pursuit"
        ledger.check(right, "C-1.6", "all melees have been separated before")
        ledger.check(by in self.due, "C-8.4", "{} is no pursuer in contact", by or "nobody")
        own = by is None or by.side == data.side
        ledger.check(own, "C-8.4", "the side of {} makes the separation", by)
        here = [f for f in ledger.living() if not f.fought or f in self.due]
        melee = next((group for group in _components(ledger, here) if by in group), frozenset())
        fresh = _stars(ledger, data, melee, "C-8.4")
        covered: Group = frozenset().union(*fresh)
        self.pending = [group for group in self.pending if not group & covered] + fresh

    def _caused(self, data: Fight, speaker: int) -> None:
        """Check one combat caused by a pursuit (C-8.3, C-8.5)."""
        check, group = self.ledger.check, frozenset(data.fighters)
        check(data.side == speaker, "C-2.3", "side {} is speaking", SIDES[speaker])
        check(data.chooser == speaker, "C-3.3", "a combat caused by a pursuit: who speaks chose it")
        pursuers = group & {*self.due}
        check(pursuers, "C-8.3", "nobody of {} has pursued", names(group))
        again = [f for f in group if f.fought and f not in self.due]
        check(not again, "C-8.3", "{} has fought in this phase already", names(again))
        for other in self.pending:
            check(
                other <= group or not other & group,
                "C-8.4",
                "{} is left out of a combat without a separation",
                names(other - group),
            )
        self.pending = [other for other in self.pending if not other & group]
        self._fight(data)


def _discipline(ledger: Ledger, fighter: Fighter) -> int:
    """Return a Discipline, a leader's if that is higher (W-4.5); unknown ones below all."""
    value = ledger.with_command(fighter, "DIS")
    return -1 if value is None else value


def _check_best(
    ledger: Ledger, rows: Sequence[Opposed], side: int, able: Sequence[Fighter]
) -> None:
    """Check who makes the test for a separation (C-1.4)."""
    for data in rows:
        tester = data.testers[side]
        if (
            not ledger.check(
                tester in able, "C-1.4", "{} may not make the test", tester or "nobody"
            )
            or tester is None
        ):
            return
        best = max(_discipline(ledger, f) for f in able)
        right = _discipline(ledger, tester) == best
        ledger.check(right, "C-1.4", "{} has not the best Discipline of its side", tester)
        check_tester(ledger, [data], side, ledger.with_command(tester, "DIS"))


def _components(ledger: Ledger, fighters: Iterable[Fighter]) -> list[Group]:
    """Return the melees of these fighters (C-1.1)."""
    here = list(fighters)
    links = {f: [e for e in here if e.side != f.side and ledger.touches(f, e)] for f in here}
    left = [fighter for fighter, enemies in links.items() if enemies]
    melees = []
    while left:
        group: set[Fighter] = set()
        new = {left[0]}
        while new:
            group |= new
            new = {e for f in new for e in links[f]} - group
        melees.append(frozenset(group))
        left = [fighter for fighter in left if fighter not in group]
    return melees


def _stars(ledger: Ledger, data: Separation, melee: Group, clause: str = "C-1.3") -> list[Group]:
    """Check that combats are stars that leave nobody out (C-1.2, C-1.3)."""
    there = [fighter for combat in data.combats for fighter in combat]
    for combat in data.combats:
        _check_star(ledger, combat)
    twice = {fighter for fighter in there if there.count(fighter) > 1}
    left, strange = melee - {*there}, {*there} - melee
    ledger.check(not twice, clause, "{} is in two combats", names(twice))
    ledger.check(not left, clause, "{} is left out of the separation", names(left))
    ledger.check(not strange, clause, "{} is not of this melee", names(strange))
    return [frozenset(combat) for combat in data.combats]


def _check_star(ledger: Ledger, combat: Sequence[Fighter]) -> None:
    lone, *others = combat
    for other in others:
        right = other.side != lone.side and ledger.touches(lone, other)
        ledger.check(right, "C-1.2", "{} touches no enemy {}", lone, other)
