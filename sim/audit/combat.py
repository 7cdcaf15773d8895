"""One combat of a transcript: from its beginning through passes of arms, parries (C-3 to C-7)."""

from .dice import many_dice, one_die, passes, use_luck
from .initiative import Beginning
from .ledger import Data, Fighter, Hand
from .shots import Blow, read_wound


class Combat(Beginning):
    """A combat that is read, from the placing of dice to its end."""

    def read(self) -> None:
        """Check the whole combat."""
        self._places()
        first = self._initiative()
        self._passes(first)
        self.ledger.read_falls()
        self.ledger.take("end_combat", "C-5.5")

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
