"""One combat of a transcript: from its beginning through passes of arms, parries (C-3 to C-7)."""

from ...profiles.message import say_n
from .dice import Tested, many_dice, one_die, passes, use_luck
from .fighters import Fighter, names
from .initiative import Beginning
from .ledger import Hand
from .shots import Blow, read_wound
from .steps import Attack, EndCombat, Feat, Parry, Strike


class Combat(Beginning):
    """A combat that is read, from the placing of dice to its end."""

    def read(self) -> None:
        """Check the whole combat."""
        self._places()
        self._passes(self._initiative())
        self.ledger.read_falls()
        self.ledger.take(EndCombat, "C-5.5")

    def _bonus(self, fighter: Fighter, enemy: Fighter) -> int:
        """Return what abilities add to ATT and DEF of a fighter against an enemy (W-7)."""
        cost = fighter.amount("chain_cost") * self.hands[fighter].chain
        return self._despair(fighter, [enemy]) - cost

    # C-5

    def _passes(self, first: int) -> None:
        ledger, striking, idle = self.ledger, first, 0
        while self.side(0) and self.side(1):
            coming = ledger.after_feats(Strike)
            if not any(hand.attack for hand in self.hands.values()) and coming is None:
                break
            if not self._able(striking) and not self._by_held(striking, coming):
                striking, idle = 1 - striking, idle + 1
                self.struck.clear()
                if idle > 2:
                    break
                continue
            if coming is None and ledger.coming(EndCombat):
                clause = "C-5.4" if striking else "C-5.3"
                ledger.breach_next(clause, "an attack is due: of {}", names(self._able(striking)))
                return
            idle = 0
            self._strike(striking)
        while coming := ledger.after_feats(Strike):
            ledger.breach_next("C-5.5", "{} strikes though the combat is over", coming.striker)
            self._strike(int(coming.striker is not self.lone))

    def _able(self, group: int) -> list[Fighter]:
        """Return who can be struck by the lone one, or who can strike him, in this part."""
        if group == 0 and self.hands[self.lone].attack <= 0:
            return []
        left = [f for f in self.side(1) if f not in self.struck]
        return left if group == 0 else [f for f in left if self.hands[f].attack > 0]

    def _by_held(self, group: int, coming: Strike | None) -> bool:
        """Whether the strike that comes is one of this part, with a die held back (W-7)."""
        if coming is None or (coming.striker is self.lone) != (group == 0):
            return False
        foe = coming.target if group == 0 else coming.striker
        return coming.held and foe not in self.struck

    def _strike(self, group: int) -> None:
        """Check an attack from its announcement on (C-6)."""
        ledger, check = self.ledger, self.ledger.check
        feats = self._feats("hold_back", "master_stroke")
        data = ledger.take(Strike, "C-5.1")
        striker, target = data.striker, data.target
        here = striker in self.hands and target in self.hands
        check(here, "C-1.2", "{} and {} are not both in this combat", striker, target)
        for one in (striker, target):
            self.hands.setdefault(one, Hand())
        check(striker.alive, "C-6.6", "{} is dead and strikes", striker)
        check(target.alive, "C-6.6", "{} is dead and is struck", target)
        is_lone = striker is self.lone
        right = is_lone == (group == 0)
        check(right, "C-5.1", "it is not the turn of the side of {} to strike", striker)
        foe = target if is_lone else striker
        check(
            foe not in self.struck,
            "C-5.3" if is_lone else "C-5.4",
            "{} strikes {} a second time in this pass",
            striker,
            target,
        )
        enemies = foe in self.others and self.lone in (striker, target)
        check(enemies, "C-1.2", "{} strikes {}, who is not its enemy here", striker, target)
        self.struck.add(foe)
        self._use_dice(data, feats)
        readied = self._ready(striker, target, feats)
        for feat in feats:
            ledger.breach(
                "W-7", "{}: {} has nothing to do with this attack", feat.fighter, feat.effect
            )
        self._commit(data, readied)
        self._attack(data)

    def _use_dice(self, data: Strike, feats: list[Feat]) -> None:
        """Check with which dice an attack is made (C-5.2, W-7)."""
        check, striker, target = self.ledger.check, data.striker, data.target
        hand = self.hands[striker]
        said = _remove(feats, "hold_back", striker, target, 0)
        check(said == data.held, "W-7", "{} attacks with a held die, or does not", striker)
        if data.held:
            check(hand.held > 0, "W-7", "{} holds no die back", striker)
            hand.held = max(hand.held - 1, 0)
            hand.into_attack += 1
            return
        dice = striker.amount("master_dice") if data.master else 1
        said = _remove(feats, "master_stroke", striker, target, dice)
        right = said == data.master and (not said or striker.has("master_stroke"))
        check(right, "W-7", "{} makes a master stroke, or does not", striker)
        check(hand.attack >= dice, "C-5.2", "{} has no attack die left", striker)
        hand.attack = max(hand.attack - dice, 0)

    def _ready(self, striker: Fighter, target: Fighter, feats: list[Feat]) -> bool:
        """Check whether the target readies a die that it held back (W-7)."""
        if not _remove(feats, "hold_back", target, striker, 1):
            return False
        hand = self.hands[target]
        self.ledger.check(hand.held > 0, "W-7", "{} holds no die back", target)
        hand.held = max(hand.held - 1, 0)
        hand.defence += 1
        hand.into_defence += 1
        return True

    # C-6, C-7

    def _commit(self, data: Strike, readied: bool) -> None:
        """Check the defence dice that are committed (C-6.2, C-7)."""
        check, who, hand = self.ledger.check, data.target, self.hands[data.target]
        committed, left = data.committed, hand.defence
        check(
            0 <= committed <= left,
            "C-6.2",
            say_n(
                "{1} commits {0} defence die, and has {2} left",
                "{1} commits {0} defence dice, and has {2} left",
                committed,
                who,
                left,
            ),
        )
        check(not readied or committed > 0, "W-7", "{} uses the die it held back", who)
        if hand.sustains:
            must = data.sustained and committed == 1
            check(must, "C-7.3", "{} must sustain its defence against every attack", who)
        elif data.sustained:
            last = left == 1 and committed == 1
            check(last, "C-7.1", "{} sustains with its last defence die, alone", who)
            may = hand.into_defence >= hand.into_attack
            check(may, "C-7.1", "{} placed more dice in attack than in defence", who)
            check(hand.held == 0, "C-7.5", "{} has a die unplaced, and sustains", who)
            hand.sustains, hand.slowed = True, not readied

    def _attack(self, strike: Strike) -> None:
        ledger, check, rule = self.ledger, self.ledger.check, self.ledger.rule
        striker, target, committed = strike.striker, strike.target, strike.committed
        value = ledger.value(striker, "ATT") + self._bonus(striker, target)
        if self.hands[striker].all_attack:
            value += striker.amount("all_attack_result")
        may_fail = rule["tests.natural_one_fails"] or 1 + value <= rule["tests.automatic_failure"]
        if data := ledger.accept(Attack):
            self._check_pair(data.striker, data.target, strike)
            for luck in ledger.take_lucks():
                first = one_die(ledger, luck.dice, striker, "attack")
                self._check_given_up(luck, striker, first, value)
            tested = one_die(ledger, data.dice, striker, "attack")
            result = tested.natural + value
            check(
                tested.failed or data.result == result,
                "W-1.1",
                "{}: {} and ATT {} make {}, not {}",
                striker,
                tested.natural,
                value,
                result,
                data.result,
            )
            failed = not passes(ledger, tested, value, -99)
            check(
                data.failed == failed,
                "W-1.3",
                "the attack of {} fails" if failed else "the attack of {} does not fail",
                striker,
            )
            # after a failure no defence die is lost (C-6.3)
            if data.failed or (committed > 0 and self._parry(strike, data.result or 0)):
                return
        elif committed > 0 or may_fail:
            ledger.breach_next("C-6.3", "{} does not roll its attack on {}", striker, target)
        self._hit(strike)

    def _check_given_up(self, luck: Feat, who: Fighter, first: Tested, value: int) -> None:
        """Check a test that is rolled again by luck (W-7)."""
        use_luck(self.ledger, luck, who)
        result = first.natural + value
        said = luck.y == (None if first.failed else result)
        self.ledger.check(said, "W-7", "{} gives up {}, not {}", who, result, luck.y)

    def _check_pair(self, one: Fighter, other: Fighter, strike: Strike) -> None:
        pair = (one, other) == (strike.striker, strike.target)
        self.ledger.check(
            pair, "C-6.1", "{} has struck {}; this step is of others", strike.striker, strike.target
        )

    def _parry(self, strike: Strike, attack: int) -> bool:
        """Check a defence test against the result of an attack (C-6.4); whether it parries."""
        ledger, check, who = self.ledger, self.ledger.check, strike.target
        committed, hand = strike.committed, self.hands[who]
        data = ledger.take(Parry, "C-6.4")
        self._check_pair(data.striker, data.fighter, strike)
        value = ledger.value(who, "DEF") + self._bonus(who, strike.striker)
        if hand.sustains and hand.slowed:
            value -= ledger.rule["defence.sustained_penalty"]
        lucks = ledger.take_lucks()
        for luck in lucks:
            first = many_dice(ledger, luck.dice, who, committed)
            self._check_given_up(luck, who, first, value)
            stood = passes(ledger, first, value, attack)
            check(not stood, "W-7", "{} rolls a parry again that stands", who)
        check(len(lucks) < 2, "W-7", "{} rolls a parry again twice", who)
        natural, failed = tested = many_dice(ledger, data.dice, who, committed)
        right = failed or data.natural == natural
        check(right, "W-1.4", "the best die of {} makes {}, not {}", who, natural, data.natural)
        result = natural + value
        clause, sums = "C-7.2" if hand.sustains else "W-1.1", (natural, value, result, data.result)
        right = failed or data.result == result
        check(right, clause, "{}: {} and DEF {} make {}, not {}", who, *sums)
        parried = passes(ledger, tested, value, attack)
        check(
            data.parried == parried,
            "C-6.4",
            "{} parries the attack" if parried else "{} does not parry the attack",
            who,
        )
        if not strike.sustained:
            hand.defence = max(hand.defence - committed, 0)
            if parried:
                self._answer(strike, result - attack)
        return data.parried

    def _answer(self, strike: Strike, lead: int) -> None:
        """Check the attack dice that a parry gives (C-7.4, W-7)."""
        who, wide = strike.target, lead >= strike.target.amount("counter_margin")
        for effect, number, due in (
            ("counter_attack", "counter_dice", wide and not strike.held),
            ("parry_dice", "parry_dice", True),
        ):
            due = due and who.has(effect)
            data, dice = self.ledger.accept_feat(effect, who), who.amount(number) if due else 0
            right = due and (data.x, data.against) == (dice, strike.striker) if data else not due
            self.ledger.check_next(
                right,
                "W-7",
                say_n(
                    "{1} has {0} die more by {2}", "{1} has {0} dice more by {2}", dice, who, effect
                ),
            )
            self.hands[who].attack += dice

    def _hit(self, strike: Strike) -> None:
        """Check what an attack does that landed: a wound roll, or a feint (C-6.5, W-7)."""
        ledger, striker, target = self.ledger, strike.striker, strike.target
        own = self.hands[striker]
        if feint := ledger.accept_feat("feint", striker):
            self._feint(feint, target)
            return
        strength = ledger.value(striker, "FOR")
        if strike.master:
            strength += (striker.card.ATT or 0) + striker.amount("master_strength")
        if own.all_attack:
            strength += striker.amount("all_attack_wound")
        more = own.fresh and striker.has("wound_dice")
        dice = striker.amount("wound_dice") if more else 2
        if read_wound(ledger, striker, target, Blow(strength, dice=dice)):
            own.fresh = False
        if not target.alive:
            self.hands[target] = Hand()

    def _feint(self, data: Feat, target: Fighter) -> None:
        """Check the dice that a feint takes: in attack, in defence, held back (W-7)."""
        hand, striker = self.hands[target], data.fighter
        most = striker.amount("feint_dice")
        attack = min(most, hand.attack)
        defence = min(most - attack, hand.defence)
        held = min(most - attack - defence, hand.held)
        said = (data.x, data.y, data.z) == (attack, defence, held)
        right = striker.has("feint") and said and attack + defence + held > 0
        self.ledger.check(
            right, "W-7", "{} loses {}, {} and {} dice by a feint", target, attack, defence, held
        )
        hand.attack, hand.defence = hand.attack - attack, hand.defence - defence
        hand.held -= held
        hand.sustains = hand.sustains and hand.defence > 0


def _remove(feats: list[Feat], effect: str, fighter: Fighter, other: Fighter, x: int) -> bool:
    """Take a step of an ability out of those before an attack, if it is there (W-7)."""
    for feat in feats:
        if feat.effect == effect and feat.fighter is fighter and feat.x == x:
            feats.remove(feat)
            return feat.against is other
    return False
