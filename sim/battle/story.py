"""A battle told in words, step by step, in lines of at most 80 columns."""

from collections.abc import Callable, Iterable, Sequence
from textwrap import fill
from typing import Any

from ...profiles.compile.combat import UNHURT
from ..base.options import SIDES
from ..combat.events import feat_words
from ..text.speech import translated
from .log import Step
from .words import BANDS, MOVES, Bouts, against, centimetres, chains, listed, number

WIDTH = 80
NAME = 28  # most letters of a name in a table
_STATS = ("PA", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS", " MOU")

_AFTER_MOVES = ("penalties", "speak", "melee", "score")
_MAINTENANCE = ("rally", "faith", "mana", "upkeep", "lasting", "markers")
_STEPS = ("harm", "passive", "active", "other", "return")  # of T-5.3

Data = dict[str, Any]


def told(steps: Iterable[Step]) -> str:
    """Return a battle in words.

    Parameters
    ----------
    steps : iterable of Step
        A transcript, its header first.
    """
    story = Story()
    for step in steps:
        story.tell(step)
    return "\n".join(story.lines)


class Story:
    """Tells steps one after the other; what a step says stands in `lines`."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: list[str] = []
        self.sides: list[int] = []
        self.cards: list[dict[int, str]] = [{}, {}]
        self.mystics: list[str] = []
        self.announced: list[int] = []  # who has announced a move and not made it yet
        self.maintained = False  # whether the maintenance phase of the turn has begun
        self.bouts = Bouts(self)
        self.tellers: dict[str, Callable[[Data], None]] = {
            **self.bouts.tellers,
            "battle": self.tell_battle,
            "turn": self.tell_turn,
            "sequence": self.tell_sequence,
            "first": self.tell_first,
            "speak": self.tell_speak,
            "announce": self.tell_announce,
            "disengage": self.tell_disengage,
            "courage": self.tell_courage,
            "move": self.tell_move,
            "announce_walk": self.tell_walk,
            "shoot": self.tell_shoot,
            "throw": self.tell_throw,
            "cast": self.tell_cast,
            "effect": self.tell_effect,
            "nothing": self.tell_nothing,
            "feat": self.tell_feat,
            "fall": self.tell_fall,
            "penalties": self.tell_penalties,
            "rally": self.tell_rally,
            "mana": self.tell_purse("mana"),
            "faith": self.tell_purse("faith"),
            "lasting": self.tell_lasting,
            "upkeep": self.tell_upkeep,
            "markers": self.tell_markers,
            "score": self.tell_score,
            "end": self.tell_end,
        }

    def tell(self, step: Step) -> None:
        """Add what a step says."""
        if step.kind in _MAINTENANCE and not self.maintained:
            self.maintained = True
            self.head("Maintenance (T-5)", "-")
        if step.kind in _AFTER_MOVES:
            self.tell_unmoved()
        self.tellers[step.kind](step.data)

    # --- how it is written

    def say(self, text: str, indent: int = 0) -> None:
        """Add a paragraph, its later lines further in than its first."""
        self.lines.append(
            fill(
                translated(text),
                WIDTH,
                initial_indent=" " * indent,
                subsequent_indent=" " * (indent + 4),
                break_on_hyphens=False,
            )
        )

    def head(self, text: str, rule: str = "") -> None:
        """Add a heading."""
        text = translated(text)
        self.lines += ["", text, *([rule * len(text)] if rule else [])]

    def name(self, i: int) -> str:
        """Return what a fighter is called."""
        return self.names[i]

    def named(self, fighters: Sequence[int]) -> str:
        """Return fighters as ``a, b and c``."""
        return listed([self.names[i] for i in fighters])

    # --- header and strategic phase

    def tell_battle(self, data: Data) -> None:
        """Say who fights, where and for what."""
        fighters = data["fighters"]
        self.names = [fighter["label"] for fighter in fighters]
        self.sides = [fighter["side"] for fighter in fighters]
        self.mystics = [mystic["name"] for mystic in data["mystics"]]
        for fighter in fighters:
            self.cards[fighter["side"]].setdefault(fighter["card"], fighter["name"])
        self.say(f"{data['scenario']}: trial {data['trial']} of seed {data['seed']}")
        a, b = data["policies"]
        policy = a if a == b else f"A={a} B={b}"
        self.say(f"{data['turns']} turns, policy {policy}, edition {data['edition']}")
        self._table(fighters)
        for zone in data["zones"]:
            self.say(f"{zone['name']}: {zone['points']} points to who holds it at the end")
        for alive in data["survival"]:
            name = self.name(alive["fighter"])
            self.say(f"{name}: {alive['points']} points to its side if it is alive at the end")

    def _table(self, fighters: Sequence[Data]) -> None:
        width = min(max(map(len, self.names)), NAME)
        heads = "".join(f"{stat:>{len(stat) + 1}}" for stat in _STATS)
        self.lines += ["", f"   {'':<{width}}{heads}"]
        for fighter in fighters:
            cells = [fighter[stat.strip()] for stat in _STATS]
            shown = ["–" if cell is None else number(cell) for cell in cells]
            values = "".join(
                f"{cell:>{len(stat) + 1}}" for cell, stat in zip(shown, _STATS, strict=True)
            )
            label = fighter["label"]
            label = label if len(label) <= width else f"{label[: width - 1]}…"
            self.lines.append(f"{SIDES[fighter['side']]}  {label:<{width}}{values}")
        self.lines.append("")
        for fighter in fighters:
            words = [] if fighter["state"] == UNHURT else [fighter["state"]]
            words += ["in rout"] if fighter["routed"] else []
            if words:
                self.say(f"{fighter['label']} begins {listed(words)}")

    def tell_turn(self, data: Data) -> None:
        """Begin a turn."""
        self.maintained = False
        self.head(f"Turn {data['turn']}", "=")

    def tell_sequence(self, data: Data) -> None:
        """Say how a side's pile is arranged."""
        side = data["side"]
        pile = ", ".join(self.cards[side][card] for card in data["cards"])
        self.say(f"{SIDES[side]}'s pile, the top first: {pile or 'no card'}")

    def tell_first(self, data: Data) -> None:
        """Say who speaks first."""
        side, winner = SIDES[data["side"]], SIDES[data["winner"]]
        choice = "speaks first" if side == winner else f"lets {side} speak first"
        self.say(f"{winner} wins the Tactics roll and {choice} (A-1.3).")

    # --- activation phase

    def tell_speak(self, data: Data) -> None:
        """Say what a player does with his cards."""
        side = data["side"]
        top, reserve = (self.cards[side].get(data[key], "") for key in ("top", "reserve"))
        text = {
            "top": f"plays {top} (A-2.1)",
            "to_reserve": f"puts {top or reserve} in reserve (A-2.2)",
            "reserve": f"plays {reserve} from the reserve (A-2.3)",
            "both": f"plays {reserve} from the reserve, and {top} (A-2.4)",
            "refuse": f"refuses, with {data['refusals']} left (A-2.5)",
        }[data["move"]]
        if data["move"] in ("top", "reserve", "both") and not data["fighters"]:
            text += ": nobody of it is alive"
        self.head(f"{SIDES[side]} {text}")

    def tell_announce(self, data: Data) -> None:
        """Say what a fighter announces."""
        what, _, clause = MOVES[data["action"]]
        upon = f" on {self.named(data['targets'])}" if data["targets"] else ""
        way = f", after disengaging by {data['disengages']}" if data["disengages"] else ""
        self.announced.append(data["fighter"])
        self.say(f"{self.name(data['fighter'])} announces {what}{upon}{way} ({clause})", 2)

    def tell_unmoved(self) -> None:
        """Say who announced a move that he could not make."""
        for fighter in self.announced:
            self.say(f"{self.name(fighter)} stays where it is", 2)
        self.announced = []

    def tell_disengage(self, data: Data) -> None:
        """Tell a try to disengage."""
        stat = {"agility": "INI", "force": "FOR"}[data["way"]]
        enemies = f"{data['enemies']} enem{'y' if data['enemies'] == 1 else 'ies'}"
        end = "succeeds" if data["success"] else "fails: all dice in defence (M-7.5)"
        who = self.name(data["fighter"])
        self.say(
            f"{who} disengages from {enemies} by {data['way']}: {against(data, stat)}: {end}", 2
        )

    def tell_courage(self, data: Data) -> None:
        """Tell a test of Courage."""
        who, enemy = self.name(data["fighter"]), self.name(data["against"])
        end = "stands" if data["success"] else "is in rout (W-4.3)"
        self.say(f"{who} tests Courage against {enemy} (W-4.1): {against(data, 'COU')}: {end}", 2)

    def tell_move(self, data: Data) -> None:
        """Tell a move: whom it is on, how far it goes, whom it touches at the end."""
        _, does, _ = MOVES[data["action"]]
        self.announced = [i for i in self.announced if i != data["fighter"]]
        text = f"{self.name(data['fighter'])} {does}"
        text += f" {self.named(data['targets'])}" if data["targets"] else ""
        if data["short"]:
            aimed = data.get("aimed")
            text += f" {self.name(aimed)}" if aimed is not None else ""
            text += " and falls short (M-4.4)"
        text += ", redirected (M-4.7)" if data["redirected"] else ""
        text += f": {centimetres(data['length'])}" if data["length"] else ""
        text += f" and {number(data['toll'])} for relief" if data["toll"] else ""
        text += f", to {', '.join(map(number, data['at']))}" if data["length"] else ""
        text += f"; touches {self.named(data['touched'])}" if data["touched"] else ""
        self.say(text, 2)

    def tell_walk(self, data: Data) -> None:
        """Say that a walk follows a shot."""
        self.say(f"{self.name(data['fighter'])} announces a walk after its shot (A-5.5)", 2)

    def tell_shoot(self, data: Data) -> None:
        """Tell a shot."""
        shooter, target = self.name(data["shooter"]), self.name(data["target"])
        how = f"{centimetres(data['distance'])}, {BANDS[data['band']]} range"
        how += ", moved" if data["moved"] else ", still"
        how += f", Target/+{data['cover']}" if data["cover"] else ""
        end = "hit" if data["hit"] else "missed"
        self.say(f"{shooter} shoots at {target} ({how}): {against(data, 'TIR')}: {end}", 2)

    def tell_throw(self, data: Data) -> None:
        """Say who throws itself to cover."""
        who, shooter = self.name(data["fighter"]), self.name(data["shooter"])
        self.say(f"{who} throws itself to cover from {shooter} (M-6.3)", 2)

    def tell_cast(self, data: Data) -> None:
        """Tell a mystic action."""
        caster, target = self.name(data["fighter"]), self.name(data["target"])
        outside = ", outside its activation (A-5.4)" if data["outside"] else ""
        end = "succeeds" if data["success"] else "fails"
        text = f"{caster} casts {self.mystics[data['mystic']]} on {target}{outside}"
        self.say(f"{text}: {against(data, 'rank')}: {end}; {data['held']} left", 2)

    def tell_effect(self, data: Data) -> None:
        """Tell what a mystic action does."""
        self._change(data["fighter"], self.mystics[data["mystic"]], data)

    def _change(self, i: int, what: str, data: Data) -> None:
        before, after = data["before"], data["after"]
        now = f"still {after}" if before == after else f"{before}, now {after}"
        self.say(f"{what}: {self.name(i)} {now}", 4)

    def tell_nothing(self, data: Data) -> None:
        """Say that a fighter does nothing."""
        self.say(f"{self.name(data['fighter'])} does nothing", 2)

    def tell_feat(self, data: Data) -> None:
        """Tell what an ability does."""
        other = "" if data["against"] is None else self.name(data["against"])
        dice = []
        if data["effect"] == "luck":
            dice = chains(self.bouts.give_up(data), data["fighter"])
        self.say(feat_words(self.name(data["fighter"]), other, data, dice), 4)

    def tell_fall(self, data: Data) -> None:
        """Tell the death of one who was killed before."""
        self.say(f"{self.name(data['fighter'])} falls (W-7)", 4)

    def tell_penalties(self, data: Data) -> None:
        """Say who suffers from a charge."""
        if data["fighters"]:
            self.say(f"charged (M-5.1): {self.named(data['fighters'])}", 2)

    # --- maintenance, score, end

    def tell_rally(self, data: Data) -> None:
        """Tell a try to rally."""
        who = self.name(data["fighter"])
        if data["barred"]:
            self.say(f"{who} cannot rally: it touches an enemy whom it fears (W-4.4)")
            return
        end = "still in rout" if data["routed"] else "rallied"
        self.say(f"{who} tries to rally (W-4.4): {against(data, 'COU or DIS')}: {end}")

    def tell_purse(self, what: str) -> Callable[[Data], None]:
        """Return what tells how mana or faith comes back."""

        def tell(data: Data) -> None:
            """Say what a caster holds."""
            before, after = data["before"], data["after"]
            self.say(f"{self.name(data['fighter'])}: {what} {before}, now {after} (T-5.2)")

        return tell

    def tell_lasting(self, data: Data) -> None:
        """Tell a lasting effect that is resolved."""
        step = _STEPS.index(data["stage"]) + 1
        self._change(data["fighter"], f"lasting effect, step {step} (T-5.3)", data)

    def tell_upkeep(self, data: Data) -> None:
        """Tell what a caster pays for an effect that lasts."""
        who = self.name(data["fighter"])
        if not data["goes_on"]:
            self.say(f"{who} does not pay an upkeep (T-5.3): the effect ends")
            return
        paid = f"{data['before']} before, {data['after']} left"
        self.say(f"{who} pays an upkeep (T-5.3): {paid}")

    def tell_markers(self, data: Data) -> None:
        """Say what ends with the turn."""
        who = self.name(data["fighter"])
        if data["what"] == "state":
            self.say(f"{who}: {data['before']}, now {data['after']} (T-5.3)")
            return
        gone = [marker for marker in data["before"] if marker not in data["after"]]
        self.say(f"{who}: no longer marked {listed(gone)} (T-5.3)")

    def tell_score(self, data: Data) -> None:
        """Say what each side has destroyed."""
        a, b = data["destroyed"]
        self.head(f"After turn {data['turn']}: A has destroyed {a} points, B {b}.")

    def tell_end(self, data: Data) -> None:
        """Say who won."""
        a, b = data["points"]
        won = "a draw" if data["winner"] < 0 else f"{SIDES[data['winner']]} wins"
        self.head(f"End after turn {data['turn']}: {a} points to {b}: {won}.")
