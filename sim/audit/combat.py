"""One combat of a transcript: dice, initiative, passes of arms, parries (C-3 to C-7)."""

from collections.abc import Sequence
from math import inf

from .dice import check_roll_off, many_dice, one_die, passes, use_luck
from .hands import Hand
from .ledger import Data, Fighter, Ledger
from .shots import Blow, read_wound


class Combat:
    """A combat that is read, from the placing of dice to its end.

    Parameters
    ----------
    ledger : Ledger
    members : sequence of Fighter
        The lone fighter, then his enemies (C-1.2).
    chooser : {0, 1}
        Side that chose it (C-3.3).
    """

    def __init__(self, ledger: Ledger, members: Sequence[Fighter], chooser: int) -> None:
        self.ledger = ledger
        self.lone, self.others = members[0], list(members[1:])
        self.members = [f for f in members if f.alive]
        self.chooser = chooser
        self.hands = {f.number: Hand() for f in members}
        self.struck: set[int] = set()  # who has struck, or was struck by the lone one, in this part

    def read(self) -> None:
        """Check the whole combat."""
        self._places()
        first = self._initiative()
        self._passes(first)
        self.ledger.read_falls()
        self.ledger.take("end_combat", "C-5.5")

    def side(self, group: int) -> list[Fighter]:
        """Return the living of the lone fighter's side, 0, or of his enemies, 1."""
        fighters = self.others if group else [self.lone]
        return [f for f in fighters if f.alive]

    # C-3

    def _places(self) -> None:
        ledger = self.ledger
        placed: list[Fighter] = []
        while ledger.coming("place") is not None:
            feats = self._feats("fury", "chain")
            data = ledger.take("place", "C-3.2")
            fighter = ledger.fighters[data["fighter"]]
            name = fighter.label
            if not ledger.check(
                fighter in self.members, "C-3.1", f"{name} has no dice to place in this combat"
            ):
                continue
            ledger.check(fighter not in placed, "C-3.2", f"{name} places its dice twice")
            self._check_dice(data, fighter, feats)
            if placed:
                self._check_order(placed[-1], fighter)
            placed.append(fighter)
        for fighter in self.members:
            if fighter not in placed:
                ledger.breach("C-3.2", f"{fighter.label} has placed no dice", ledger.at)

    def _feats(self, *effects: str) -> list[Data]:
        """Take the steps that come of these abilities (W-7)."""
        found: list[Data] = []
        while self.ledger.peek() == "feat" and self.ledger.next()["effect"] in effects:
            found.append(self.ledger.read())
        return found

    def _check_dice(self, data: Data, fighter: Fighter, feats: Sequence[Data]) -> None:
        ledger, rule, name = self.ledger, self.ledger.rule, fighter.label
        enemies = len(self.side(1)) if fighter is self.lone else 1
        dice = rule["dice.base"] + rule["dice.per_enemy"] * enemies
        dice += fighter.amount("extra_dice", "extra_dice")
        attack, defence = data["attack"], data["defence"]
        routed = fighter.routed and rule["fear.routed_all_defence"]
        bound = routed or "defence" in fighter.markers
        ledger.check(attack == 0 or not bound, "C-3.6", f"{name} has all its dice in defence")
        hand = self.hands[fighter.number]
        whole = dice if bound else self._whole(fighter, hand, dice, feats, data)
        ledger.check(not bound or not feats, "C-3.6", f"{name} may only defend")
        right = attack + defence == whole and min(attack, defence) >= 0
        ledger.check(right, "C-3.1", f"{name} has {whole} dice, not {attack} and {defence}")
        held = data.get("held", 0) == hand.held
        ledger.check(held, "W-7", f"{name} holds {hand.held} dice back")
        hand.attack = hand.into_attack = attack
        hand.defence = hand.into_defence = defence
        hand.fresh = fighter.charging

    def _whole(
        self, fighter: Fighter, hand: Hand, dice: int, feats: Sequence[Data], data: Data
    ) -> int:
        """Return the dice to place of one who has some by abilities (W-7); note those held back."""
        ledger, name = self.ledger, fighter.label
        used = {feat["effect"]: feat["x"] for feat in feats}
        own = all(feat["fighter"] == fighter.number for feat in feats)
        ledger.check(own and len(used) == len(feats), "W-7", f"{name} places its dice now")
        held = min(fighter.amount("hold_back", "held_dice"), dice)
        hand.chain = used.get("chain", 0)
        most = fighter.amount("chain", "chain_dice")
        ledger.check(0 <= hand.chain <= most, "W-7", f"{name} may take {most} dice in a chain")
        whole = dice - held + hand.chain
        if "fury" in used:
            right = fighter.has("fury") and used["fury"] == fighter.amount("fury", "fury_dice")
            ledger.check(right and data["defence"] == 0, "W-7", f"{name} cannot be furious so")
            whole, held = whole + used["fury"] + held, 0
        hand.held = held
        if fighter.charging:
            more = fighter.amount("charge_dice", "charge_dice")
            ledger.check(data["attack"] >= more, "W-7", f"{name} has {more} attack dice more")
            whole += more
        return whole

    def _rank(self, fighter: Fighter) -> tuple[bool, float, bool]:
        """Return a key that ascends in the order of placing (C-3.2 to C-3.4)."""
        worth = fighter.card["PA"]
        if worth is None:
            worth = self._unknown_worth()
        return not fighter.card["caster"], worth, fighter.side == self.chooser

    def _unknown_worth(self) -> float:
        rule, lone = self.ledger.rule["defaults.missing_PA"], self.lone.card["PA"]
        if rule == "equal" and lone is not None:
            return float(lone)
        first = rule == "first" or (rule == "equal" and self.lone.side != self.chooser)
        return -inf if first else inf

    def _check_order(self, before: Fighter, fighter: Fighter) -> None:
        one, other = self._rank(before), self._rank(fighter)
        if one <= other:
            return
        clause = "C-3.4" if one[0] != other[0] else "C-3.2" if one[1] != other[1] else "C-3.3"
        self.ledger.breach(clause, f"{fighter.label} places its dice before {before.label}")

    # C-4

    def _initiative(self) -> int:
        """Check the Initiative test; the group that strikes first."""
        ledger = self.ledger
        if not self.side(0) or not self.side(1):
            return 0
        chooser = 0 if self.lone.side == self.chooser else 1
        while True:
            data = ledger.take("opposed", "C-4.1")
            ledger.check(data["purpose"] == "initiative", "C-4.1", "an Initiative test comes here")
            data = {**data, "purpose": "initiative"}
            for group, tester in enumerate(data["testers"]):
                self._check_tester(data, group, tester)
            winner = check_roll_off(ledger, data, chooser)
            if winner < 0 and ledger.peek() == "coin":
                winner = ledger.read()["winner"]
            if winner >= 0:
                return winner

    def _check_tester(self, data: Data, group: int, tester: int) -> None:
        ledger, friends = self.ledger, self.side(group)
        fighter = ledger.fighters[tester]
        name = ledger.name(tester)
        if not ledger.check(
            tester >= 0 and fighter in friends, "C-4.1", f"{name} is not of that side of the combat"
        ):
            return
        value = ledger.value(fighter, "INI")
        value += ledger.rule["initiative.numbers_bonus"] * (len(friends) - 1)
        value += self._despair(fighter, self.side(1 - group))
        said, failed = data["values"][group], data["results"][group] is None
        ledger.check(said == value or failed, "C-4.2", f"{name} tests with {value}, not {said}")

    def _despair(self, fighter: Fighter, enemies: Sequence[Fighter]) -> int:
        """Return what is added for one outnumbered, or against a dearer enemy (W-7)."""
        own = fighter.card["PA"]
        alone = fighter is self.lone and len(self.side(1)) > 1
        worths = [enemy.card["PA"] for enemy in enemies]
        dearer = own is not None and any(worth is not None and worth > own for worth in worths)
        return fighter.amount("desperate", "desperate_result") if alone or dearer else 0

    def _bonus(self, fighter: Fighter, enemy: Fighter) -> int:
        """Return what abilities add to ATT and DEF of a fighter against an enemy (W-7)."""
        cost = fighter.amount("chain", "chain_cost") * self.hands[fighter.number].chain
        return self._despair(fighter, [enemy]) - cost

    # C-5

    def _passes(self, first: int) -> None:
        ledger, striking, idle = self.ledger, first, 0
        while self.side(0) and self.side(1):
            coming = ledger.coming("strike")
            if not any(hand.attack for hand in self.hands.values()) and coming is None:
                break
            if not self._able(striking) and not self._by_held(striking, coming):
                striking, idle = 1 - striking, idle + 1
                self.struck.clear()
                if idle > 2:
                    break
                continue
            if coming is None and ledger.peek() == "end_combat":
                clause = "C-5.4" if striking else "C-5.3"
                names = ledger.name([f.number for f in self._able(striking)])
                ledger.breach(clause, f"an attack is due: of {names}", ledger.at)
                return
            idle = 0
            self._strike(striking)
        while ledger.coming("strike") is not None:
            data = ledger.coming("strike") or {}
            text = f"{ledger.name(data['striker'])} strikes though the combat is over"
            ledger.breach("C-5.5", text, ledger.at)
            self._strike(int(data["striker"] != self.lone.number))

    def _able(self, group: int) -> list[Fighter]:
        """Return who can be struck by the lone one, or who can strike him, in this part."""
        if group == 0 and self.hands[self.lone.number].attack <= 0:
            return []
        left = [f for f in self.side(1) if f.number not in self.struck]
        return left if group == 0 else [f for f in left if self.hands[f.number].attack > 0]

    def _by_held(self, group: int, coming: Data | None) -> bool:
        """Whether the strike that comes is one of this part, with a die held back (W-7)."""
        if coming is None or (coming["striker"] == self.lone.number) != (group == 0):
            return False
        foe = coming["target"] if group == 0 else coming["striker"]
        return bool(coming.get("held")) and foe not in self.struck

    def _strike(self, group: int) -> None:
        """Check an attack from its announcement on (C-6)."""
        ledger = self.ledger
        feats = self._feats("hold_back", "master_stroke")
        data = ledger.take("strike", "C-5.1")
        striker, target = ledger.fighters[data["striker"]], ledger.fighters[data["target"]]
        name, number = striker.label, striker.number
        if number not in self.hands or target.number not in self.hands:
            ledger.breach("C-1.2", f"{name} and {target.label} are not both in this combat")
            for one in (striker, target):
                self.hands.setdefault(one.number, Hand())
        ledger.check(striker.alive, "C-6.6", f"{name} is dead and strikes")
        ledger.check(target.alive, "C-6.6", f"{target.label} is dead and is struck")
        is_lone = striker is self.lone
        ledger.check(
            is_lone == (group == 0), "C-5.1", f"it is not the turn of the side of {name} to strike"
        )
        foe = target if is_lone else striker
        ledger.check(
            foe.number not in self.struck,
            "C-5.3" if is_lone else "C-5.4",
            f"{name} strikes {target.label} a second time in this pass",
        )
        ledger.check(
            foe in self.others and self.lone in (striker, target),
            "C-1.2",
            f"{name} strikes {target.label}, who is not its enemy here",
        )
        self.struck.add(foe.number)
        self._use_dice(data, striker, target, feats)
        readied = self._ready(striker, target, feats)
        for feat in feats:
            who = ledger.name(feat["fighter"])
            ledger.breach("W-7", f"{who}: {feat['effect']} has nothing to do with this attack")
        self._commit(data, target, readied)
        self._attack(data, striker, target)

    def _use_dice(self, data: Data, striker: Fighter, target: Fighter, feats: list[Data]) -> None:
        """Check with which dice an attack is made (C-5.2, W-7)."""
        ledger, name, hand = self.ledger, striker.label, self.hands[striker.number]
        held, master = bool(data.get("held")), bool(data.get("master"))
        told = _taken(feats, "hold_back", striker, target, 0)
        ledger.check(told == held, "W-7", f"{name} attacks with a held die, or does not")
        if held:
            ledger.check(hand.held > 0, "W-7", f"{name} holds no die back")
            hand.held = max(hand.held - 1, 0)
            hand.into_attack += 1
            return
        dice = striker.amount("master_stroke", "master_dice") if master else 1
        told = _taken(feats, "master_stroke", striker, target, dice)
        right = told == master and (not master or striker.has("master_stroke"))
        ledger.check(right, "W-7", f"{name} makes a master stroke, or does not")
        ledger.check(hand.attack >= dice, "C-5.2", f"{name} has no attack die left")
        hand.attack = max(hand.attack - dice, 0)

    def _ready(self, striker: Fighter, target: Fighter, feats: list[Data]) -> bool:
        """Check whether the target readies a die that it held back (W-7)."""
        if not _taken(feats, "hold_back", target, striker, 1):
            return False
        hand = self.hands[target.number]
        self.ledger.check(hand.held > 0, "W-7", f"{target.label} holds no die back")
        hand.held = max(hand.held - 1, 0)
        hand.defence += 1
        hand.into_defence += 1
        return True

    # C-6, C-7

    def _commit(self, data: Data, target: Fighter, readied: bool) -> None:
        """Check the defence dice that are committed (C-6.2, C-7)."""
        ledger, name, hand = self.ledger, target.label, self.hands[target.number]
        committed, left = data["committed"], hand.defence
        right = 0 <= committed <= left
        ledger.check(
            right, "C-6.2", f"{name} commits {committed} defence dice, and has {left} left"
        )
        ledger.check(not readied or committed > 0, "W-7", f"{name} uses the die it held back")
        if hand.sustains:
            must = bool(data["sustained"]) and committed == 1
            ledger.check(must, "C-7.3", f"{name} must sustain its defence against every attack")
            return
        if data["sustained"]:
            last = left == 1 and committed == 1
            ledger.check(last, "C-7.1", f"{name} sustains with its last defence die, alone")
            may = hand.into_defence >= hand.into_attack
            ledger.check(may, "C-7.1", f"{name} placed more dice in attack than in defence")
            ledger.check(hand.held == 0, "C-7.5", f"{name} has a die unplaced, and sustains")
            hand.sustains, hand.slowed = True, not readied

    def _attack(self, strike: Data, striker: Fighter, target: Fighter) -> None:
        ledger, name, hand = self.ledger, striker.label, self.hands[striker.number]
        committed = strike["committed"]
        value = ledger.value(striker, "ATT") + self._bonus(striker, target)
        if hand.all_attack:
            value += striker.amount("all_attack_result", "all_attack_result")
        rule = ledger.rule
        may_fail = rule["tests.natural_one_fails"] or 1 + value <= rule["tests.automatic_failure"]
        if ledger.peek() == "attack":
            data = ledger.read()
            self._check_pair(data["striker"], data["target"], striker, target)
            for luck in ledger.take_lucks():
                first = one_die(ledger, luck["dice"], striker.number, "attack")
                self._check_given_up(luck, striker, first.natural + value, first.failed)
            tested = one_die(ledger, data["dice"], striker.number, "attack")
            result = tested.natural + value
            ledger.check(
                tested.failed or data["result"] == result,
                "W-1.1",
                f"{name}: {tested.natural} and ATT {value} make {result}, not {data['result']}",
            )
            failed = not passes(ledger, tested, value, -99)
            text = f"the attack of {name} {'fails' if failed else 'does not fail'}"
            ledger.check(bool(data["failed"]) == failed, "W-1.3", text)
            if data["failed"]:
                return  # no defence die is lost (C-6.3)
            if committed > 0 and self._parry(strike, data, striker, target):
                return
        elif committed > 0 or may_fail:
            ledger.breach("C-6.3", f"{name} does not roll its attack on {target.label}", ledger.at)
        self._hit(strike, striker, target)

    def _check_given_up(self, luck: Data, fighter: Fighter, result: int, failed: bool) -> None:
        """Check a test that is rolled again by luck (W-7)."""
        use_luck(self.ledger, luck, fighter.number)
        said = luck["y"] == (None if failed else result)
        text = f"{fighter.label} gives up {result}, not {luck['y']}"
        self.ledger.check(said, "W-7", text)

    def _check_pair(self, a: int, b: int, striker: Fighter, target: Fighter) -> None:
        pair = (a, b) == (striker.number, target.number)
        text = f"{striker.label} has struck {target.label}; this step is of others"
        self.ledger.check(pair, "C-6.1", text)

    def _parry(self, strike: Data, attack: Data, striker: Fighter, target: Fighter) -> bool:
        """Check a defence test (C-6.4); whether it parries."""
        ledger, name, number = self.ledger, target.label, target.number
        committed, hand = strike["committed"], self.hands[target.number]
        data = ledger.take("parry", "C-6.4")
        self._check_pair(data["striker"], data["fighter"], striker, target)
        value = ledger.value(target, "DEF") + self._bonus(target, striker)
        if hand.sustains and hand.slowed:
            value -= ledger.rule["defence.sustained_penalty"]
        lucks = ledger.take_lucks()
        for luck in lucks:
            first = many_dice(ledger, luck["dice"], number, committed)
            self._check_given_up(luck, target, first.natural + value, first.failed)
            stood = passes(ledger, first, value, attack["result"] or 0)
            ledger.check(not stood, "W-7", f"{name} rolls a parry again that stands")
        ledger.check(len(lucks) < 2, "W-7", f"{name} rolls a parry again twice")
        tested = many_dice(ledger, data["dice"], number, committed)
        ledger.check(
            tested.failed or data["natural"] == tested.natural,
            "W-1.4",
            f"the best die of {name} makes {tested.natural}, not {data['natural']}",
        )
        result = tested.natural + value
        ledger.check(
            tested.failed or data["result"] == result,
            "C-7.2" if hand.sustains else "W-1.1",
            f"{name}: {tested.natural} and DEF {value} make {result}, not {data['result']}",
        )
        parried = passes(ledger, tested, value, attack["result"] or 0)
        text = f"{name} {'parries' if parried else 'does not parry'} the attack"
        ledger.check(bool(data["parried"]) == parried, "C-6.4", text)
        if not strike["sustained"]:
            hand.defence = max(hand.defence - committed, 0)
            if parried:
                lead = result - (attack["result"] or 0)
                self._answer(strike, striker, target, lead)
        return bool(data["parried"])

    def _answer(self, strike: Data, striker: Fighter, target: Fighter, lead: int) -> None:
        """Check the attack dice that a parry gives (C-7.4, W-7)."""
        margin = target.amount("counter_attack", "counter_margin")
        counters = target.has("counter_attack") and not strike.get("held") and lead >= margin
        for effect, number, due in (
            ("counter_attack", "counter_dice", counters),
            ("parry_dice", "parry_dice", target.has("parry_dice")),
        ):
            data, dice = self.ledger.take_feat(effect, target), target.amount(effect, number)
            told = data is not None and (data["x"], data["against"]) == (dice, striker.number)
            if due != told or (data is not None) != due:
                text = f"{target.label} has {dice if due else 0} dice more by {effect}"
                self.ledger.breach("W-7", text, self.ledger.at)
            self.hands[target.number].attack += dice if due else 0

    def _hit(self, strike: Data, striker: Fighter, target: Fighter) -> None:
        """Check what an attack does that landed: a wound roll, or a feint (C-6.5, W-7)."""
        ledger, own = self.ledger, self.hands[striker.number]
        feint = ledger.take_feat("feint", striker)
        if feint is not None:
            self._feint(feint, striker, target)
            return
        strength = ledger.value(striker, "FOR")
        if strike.get("master"):
            strength += int(striker.card["ATT"] or 0)
            strength += striker.amount("master_stroke", "master_strength")
        if own.all_attack:
            strength += striker.amount("all_attack_wound", "all_attack_wound")
        more = own.fresh and striker.has("wound_dice")
        dice = striker.amount("wound_dice", "wound_dice") if more else 2
        if read_wound(ledger, striker, target, Blow(strength, dice=dice)):
            own.fresh = False
        if not target.alive:
            self.hands[target.number] = Hand()

    def _feint(self, data: Data, striker: Fighter, target: Fighter) -> None:
        """Check the dice that a feint takes: in attack, in defence, held back (W-7)."""
        hand, most = self.hands[target.number], striker.amount("feint", "feint_dice")
        attack = min(most, hand.attack)
        defence = min(most - attack, hand.defence)
        held = min(most - attack - defence, hand.held)
        told = (data["x"], data["y"], data["z"]) == (attack, defence, held)
        right = striker.has("feint") and told and attack + defence + held > 0
        text = f"{target.label} loses {attack}, {defence} and {held} dice by a feint"
        self.ledger.check(right, "W-7", text)
        hand.attack, hand.defence = hand.attack - attack, hand.defence - defence
        hand.held -= held
        hand.sustains = hand.sustains and hand.defence > 0


def _taken(feats: list[Data], effect: str, fighter: Fighter, other: Fighter, x: int) -> bool:
    """Take a step of an ability out of those before an attack, if it is there (W-7)."""
    for feat in feats:
        if feat["effect"] == effect and feat["fighter"] == fighter.number and feat["x"] == x:
            feats.remove(feat)
            return bool(feat["against"] == other.number)
    return False
