"""The combat phase of a transcript: melees, separations, who speaks, pursuit (C-1, C-2, C-8)."""

from collections.abc import Iterable, Sequence
from math import ceil

from .combat import Combat
from .dice import check_tester, opposed_winner
from .fear import read_courage
from .ledger import SIDES, Data, Fighter, Ledger
from .moves import Way, read_move

Group = frozenset[int]


def combat_phase(ledger: Ledger) -> None:
    """Check the combat phase (C-1 to C-8)."""
    Phase(ledger).read()


class Phase:
    """The combat phase while it is read."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.pending: list[Group] = []
        self.due: dict[int, str] = {}  # survivors who fight again at once, and by which clause

    def read(self) -> None:
        """Check the phase step by step."""
        ledger = self.ledger
        for number, melee in self._melees():
            if ledger.over():
                return
            self._separate(number, melee)
        if self.pending:
            self._resolve()
        if not ledger.over():
            for fighter in ledger.living():
                if not fighter.fought and ledger.contacts(fighter):
                    text = f"{fighter.label} touches an enemy and has not fought"
                    ledger.breach("T-4", text, ledger.at)

    # C-1

    def _melees(self) -> list[tuple[int, Group]]:
        ledger = self.ledger
        found = _components(ledger, ledger.living())
        listed = []
        while ledger.peek() == "melee":
            data = ledger.read()
            group = frozenset(data["fighters"])
            text = f"{ledger.name(sorted(group))} are no melee: those in contact, and nobody else"
            ledger.check(group in found and len(group) == len(data["fighters"]), "C-1.1", text)
            listed.append((data["melee"], group))
        for group in found:
            if group not in [melee for _, melee in listed]:
                text = f"the melee of {ledger.name(sorted(group))} is left out"
                ledger.breach("C-1.1", text, ledger.at)
        return listed

    def _separate(self, number: int, melee: Group) -> None:
        """Check the separation of a melee and the test for it (C-1.2 to C-1.6)."""
        ledger = self.ledger
        sides = [
            [ledger.fighters[i] for i in melee if ledger.fighters[i].side == s] for s in (0, 1)
        ]
        several = all(len(side) > 1 for side in sides)
        winner = -1
        rows: list[Data] = []
        if several:
            able = [[f for f in side if not f.routed] for side in sides]
            winner, rows = opposed_winner(ledger, "separation", (bool(able[0]), bool(able[1])))
            for side, fighters in enumerate(able):
                _check_best(ledger, rows, side, fighters)
        elif ledger.peek() in ("opposed", "coin") and ledger.next()["purpose"] == "separation":
            ledger.breach("C-1.6", "a lone fighter: there is nothing to separate", ledger.at)
            ledger.read()
        data = ledger.take("separation", "C-1.3")
        ledger.check(data["melee"] == number, "C-1.6", f"melee {number} is separated here")
        ledger.check(data["cause"] == "melee", "C-1.6", "it is a separation before the combats")
        who = SIDES[winner] if winner >= 0 else "no side"
        ledger.check(data["side"] == winner, "C-1.4", f"{who} separates melee {number}")
        self.pending += _stars(ledger, data, melee)

    # C-2

    def _resolve(self) -> None:
        ledger = self.ledger
        named = [self._named(side) for side in (0, 1)]
        able = (named[0][1] >= 0, named[1][1] >= 0)
        speaker, rows = opposed_winner(ledger, "authority", able)
        for side, (_, tester) in enumerate(named):
            for data in rows:
                ledger.check(
                    data["testers"][side] == tester,
                    "C-2.1",
                    f"{ledger.name(tester)} is named for the Authority roll",
                )
            if tester >= 0:
                value = ledger.with_command(ledger.fighters[tester], "DIS")
                check_tester(ledger, rows, side, value)
        first = True
        while self.pending and not ledger.over():
            data = ledger.take("combat", "C-2.3")
            group = frozenset(data["fighters"])
            if first:
                ledger.check(
                    data["side"] == speaker, "C-2.2", f"side {SIDES[speaker]} speaks first"
                )
                ledger.check(
                    group == named[data["side"]][0],
                    "C-2.2",
                    f"side {SIDES[data['side']]} starts with the combat it named",
                )
            else:
                ledger.check(
                    data["side"] == speaker, "C-2.3", f"it is the turn of side {SIDES[speaker]}"
                )
            first, speaker = False, data["side"]
            self._chosen(data, group)
            self._follow(speaker)
            speaker = 1 - speaker

    def _named(self, side: int) -> tuple[Group, int]:
        """Check the combat and the fighter that a side names (C-2.1)."""
        ledger = self.ledger
        data = ledger.take("named", "C-2.1")
        ledger.check(data["side"] == side, "C-2.1", f"side {SIDES[side]} names its combat here")
        group, tester = frozenset(data["combat"]), data["fighter"]
        text = f"{ledger.name(sorted(group))} are no combat of this phase"
        ledger.check(group in self.pending, "C-2.1", text)
        able = [
            f for f in map(ledger.fighters.__getitem__, group) if f.side == side and not f.routed
        ]
        right = tester in [f.number for f in able] if able else tester == -1
        text = f"{ledger.name(tester)} may not make the Authority roll for side {SIDES[side]}"
        if ledger.check(right, "C-2.1", text) and able:
            values = [_discipline(ledger, f) for f in able]
            best = _discipline(ledger, ledger.fighters[tester]) == max(values)
            ledger.check(best, "C-2.1", f"{ledger.name(tester)} has not the best Discipline")
        return group, tester

    def _chosen(self, data: Data, group: Group) -> None:
        ledger = self.ledger
        ledger.check(data["cause"] == "chosen", "C-8.3", "no pursuit has caused this combat")
        ledger.check(data["chooser"] == data["side"], "C-3.3", "who speaks has chosen the combat")
        if group in self.pending:
            self.pending.remove(group)
        else:
            again = [i for i in sorted(group) if ledger.fighters[i].fought]
            text = f"{ledger.name(again)} would fight twice" if again else "there is no such combat"
            ledger.breach("C-1.3", text)
            self.pending = [other for other in self.pending if not other & group]
        self._fight(data)

    def _fight(self, data: Data) -> None:
        """Check a combat and the pursuit moves after it."""
        ledger = self.ledger
        members = [ledger.fighters[i] for i in data["fighters"]]
        for fighter in members:
            ledger.check(fighter.alive, "C-6.6", f"{fighter.label} is dead and fights")
            fighter.fought = True
            self.due.pop(fighter.number, None)
        _check_star(ledger, data["fighters"])
        Combat(ledger, members, data["chooser"]).read()
        for fighter in members:
            fighter.charging = False
        self._pursuits(members)

    # C-8

    def _pursuits(self, members: Sequence[Fighter]) -> None:
        """Check who pursues (C-8.1), and note who fights again at once (C-8.3, C-8.5)."""
        ledger = self.ledger
        living = [f for f in members if f.alive]
        won = len({f.side for f in living}) == 1
        able = [f for f in living if won and not f.routed and f.pursued <= _more_pursuits(f)]
        done: list[Fighter] = []
        while ledger.peek() == "pursuit":
            data = ledger.read()
            fighter = ledger.fighters[data["fighter"]]
            name = fighter.label
            if not ledger.check(
                won, "C-8.1", f"{name} pursues though enemies in its combat are alive"
            ):
                able = living
            ledger.check(fighter not in done, "C-8.1", f"{name} pursues twice")
            may = fighter in able or (fighter in living and data["choice"] == "stay")
            ledger.check(may, "C-8.1", f"{name} may not pursue after this combat")
            done.append(fighter)
            self._pursue(data, fighter)
        if won and not ledger.over():
            for fighter in able:
                if fighter not in done:
                    text = f"{fighter.label} may pursue, and is not asked"
                    ledger.breach("C-8.1", text, ledger.at)
            for fighter in living:
                if self._unfought(fighter):
                    self.due[fighter.number] = "C-8.3" if fighter.pursued else "C-8.5"

    def _pursue(self, data: Data, fighter: Fighter) -> None:
        ledger, choice = self.ledger, data["choice"]
        if choice == "engage":
            read_courage(ledger, fighter, self._engaged(fighter))
        moves = ledger.peek() == "move" and ledger.next()["fighter"] == fighter.number
        if choice == "stay":
            ledger.check(not moves, "C-8.1", f"{fighter.label} stays, and moves")
        if not moves:
            return
        fighter.pursued += 1
        way = Way("pursue", ceil((fighter.card["MOU"] or 0) / 2), frozenset(), "C-8.1")
        if fighter.routed:
            ledger.breach("W-4.3", f"{fighter.label} is in rout, and pursues", ledger.at)
        moved = read_move(ledger, fighter, way, ())
        ledger.check(
            choice != "engage" or bool(moved["targets"]) or bool(moved["short"]),
            "C-8.1",
            f"{fighter.label} engages nobody",
        )
        for number in moved["targets"]:
            read_courage(ledger, ledger.fighters[number], [fighter])

    def _engaged(self, fighter: Fighter) -> list[Fighter]:
        """Return whom a pursuer engages, as the steps that follow say."""
        kind, data = self.ledger.peek(), self.ledger.steps[self.ledger.at].data
        if kind == "courage" and data["fighter"] == fighter.number:
            return [self.ledger.fighters[data["against"]]]
        if kind == "move" and data["fighter"] == fighter.number:
            return [self.ledger.fighters[number] for number in data["targets"]]
        return []

    def _unfought(self, fighter: Fighter) -> list[Fighter]:
        """Return the enemies in contact who have not fought, or are to fight again (C-8.3)."""
        if not fighter.alive:
            return []
        return [e for e in self.ledger.contacts(fighter) if not e.fought or e.number in self.due]

    def _follow(self, speaker: int) -> None:
        """Check the combats that pursuit moves cause, at once (C-8.3 to C-8.5)."""
        ledger = self.ledger
        while not ledger.over():
            kind = ledger.peek()
            if kind == "separation":
                self._new_separation()
            elif kind == "combat" and ledger.next()["cause"] == "pursuit":
                self._caused(speaker)
            else:
                break
        if ledger.over():
            return
        for number, clause in sorted(self.due.items()):
            fighter = ledger.fighters[number]
            enemies = self._unfought(fighter)
            if enemies and not fighter.routed:
                names = ledger.name([e.number for e in enemies])
                text = f"the combat of {fighter.label} with {names} should come at once"
                ledger.breach(clause, text, ledger.at)
        self.due.clear()

    def _new_separation(self) -> None:
        """Check a separation that a pursuit has made necessary (C-8.4)."""
        ledger = self.ledger
        data = ledger.read()
        by = data["by"]
        ledger.check(data["cause"] == "pursuit", "C-1.6", "all melees have been separated before")
        ledger.check(by in self.due, "C-8.4", f"{ledger.name(by)} is no pursuer in contact")
        if by >= 0:
            own = ledger.fighters[by].side == data["side"]
            ledger.check(own, "C-8.4", f"the side of {ledger.name(by)} makes the separation")
        here = [f for f in ledger.living() if not f.fought or f.number in self.due]
        melee = next((group for group in _components(ledger, here) if by in group), frozenset())
        fresh = _stars(ledger, data, melee, "C-8.4")
        covered = frozenset().union(*fresh) if fresh else frozenset()
        self.pending = [group for group in self.pending if not group & covered] + fresh

    def _caused(self, speaker: int) -> None:
        """Check one combat caused by a pursuit (C-8.3, C-8.5)."""
        ledger = self.ledger
        data = ledger.read()
        group = frozenset(data["fighters"])
        ledger.check(data["side"] == speaker, "C-2.3", f"side {SIDES[speaker]} is speaking")
        ledger.check(
            data["chooser"] == speaker, "C-3.3", "a combat caused by a pursuit: who speaks chose it"
        )
        pursuers = sorted(group & set(self.due))
        ledger.check(bool(pursuers), "C-8.3", f"nobody of {ledger.name(sorted(group))} has pursued")
        again = [i for i in sorted(group) if ledger.fighters[i].fought and i not in self.due]
        ledger.check(not again, "C-8.3", f"{ledger.name(again)} has fought in this phase already")
        for other in self.pending:
            if other & group and not other <= group:
                left = ledger.name(sorted(other - group))
                ledger.breach("C-8.4", f"{left} is left out of a combat without a separation")
        self.pending = [other for other in self.pending if not other & group]
        self._fight(data)


def _more_pursuits(fighter: Fighter) -> int:
    """Return the pursuit moves of a phase after the first (C-8.1, W-7)."""
    return fighter.amount("pursuits", "extra_pursuits")


def _discipline(ledger: Ledger, fighter: Fighter) -> int:
    """Return a Discipline, a leader's if that is higher (W-4.5); unknown ones below all."""
    value = ledger.with_command(fighter, "DIS")
    return -1 if value is None else value


def _check_best(ledger: Ledger, rows: Sequence[Data], side: int, able: Sequence[Fighter]) -> None:
    """Check who makes the test for a separation (C-1.4)."""
    for data in rows:
        tester = data["testers"][side]
        name = ledger.name(tester)
        if not ledger.check(
            tester in [f.number for f in able], "C-1.4", f"{name} may not make the test"
        ):
            return
        fighter = ledger.fighters[tester]
        best = max(_discipline(ledger, f) for f in able)
        text = f"{name} has not the best Discipline of its side"
        ledger.check(_discipline(ledger, fighter) == best, "C-1.4", text)
        check_tester(ledger, [data], side, ledger.with_command(fighter, "DIS"))


def _components(ledger: Ledger, fighters: Iterable[Fighter]) -> list[Group]:
    """Return the melees of these fighters (C-1.1)."""
    here = list(fighters)
    links = {
        f.number: [e.number for e in here if e.side != f.side and ledger.touches(f, e)]
        for f in here
    }
    left = [number for number, enemies in links.items() if enemies]
    found = []
    while left:
        group: set[int] = set()
        new = {left[0]}
        while new:
            group |= new
            new = {e for i in new for e in links[i]} - group
        found.append(frozenset(group))
        left = [number for number in left if number not in group]
    return found


def _stars(ledger: Ledger, data: Data, melee: Group, clause: str = "C-1.3") -> list[Group]:
    """Check that combats are stars that leave nobody out (C-1.2, C-1.3)."""
    count: dict[int, int] = {}
    for combat in data["combats"]:
        _check_star(ledger, combat)
        for number in combat:
            count[number] = count.get(number, 0) + 1
    twice = [number for number, times in count.items() if times > 1]
    ledger.check(not twice, clause, f"{ledger.name(twice)} is in two combats")
    left = sorted(melee - set(count))
    ledger.check(not left, clause, f"{ledger.name(left)} is left out of the separation")
    strange = sorted(set(count) - melee)
    ledger.check(not strange, clause, f"{ledger.name(strange)} is not of this melee")
    return [frozenset(combat) for combat in data["combats"]]


def _check_star(ledger: Ledger, combat: Sequence[int]) -> None:
    lone, others = ledger.fighters[combat[0]], [ledger.fighters[i] for i in combat[1:]]
    for other in others:
        ledger.check(
            other.side != lone.side and ledger.touches(lone, other),
            "C-1.2",
            f"{lone.label} touches no enemy {other.label}",
        )
