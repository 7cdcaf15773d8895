"""A battle told in words, step by step, in lines of at most 80 columns."""

from collections.abc import Iterable, Sequence

from ...profiles.compile.combat import UNHURT
from ..base.options import SIDES
from ..combat.events import number
from .log import Step
from .words import Bouts, Data, against, listed

NAME = 28  # most letters of a name in a table
_STATS = ("PA", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS", " MOU")
_BANDS = ("short", "medium", "long")

# What a move is called as something announced, as something done, and its clause.
_MOVES = {
    "charge": ("a charge", "charges", "M-4.1"),
    "engage": ("an engagement", "engages", "M-4.2"),
    "run": ("a run", "runs", "M-3.1"),
    "under_cover": ("a move under cover", "moves under cover", "M-6.1"),
    "walk": ("a walk", "walks", "M-2.2"),
    "turn": ("a turn", "turns on the spot", "M-1.5"),
    "flee": ("flight", "flees", "W-4.3"),
    "pursue": ("a pursuit", "pursues", "C-8.1"),
}
_AFTER_MOVES = ("penalties", "speak", "melee", "score")
_MAINTENANCE = ("rally", "faith", "mana", "upkeep", "lasting", "markers")
_STEPS = ("harm", "passive", "active", "other", "return")  # of T-5.3


def battle_text(steps: Iterable[Step]) -> str:
    """Return a battle in words.

    Parameters
    ----------
    steps : iterable of Step
        A transcript, its header first.
    """
    story = Story()
    for step in steps:
        story.tell(step)
    return str(story)


class Story(Bouts):
    """Tells steps one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[dict[int, str]] = [{}, {}]
        self.mystics: list[str] = []
        self.announced: list[int] = []  # who has announced a move and not made it yet
        self.maintained = False  # whether the maintenance phase of the turn has begun

    def tell(self, step: Step) -> None:
        """Add what a step says."""
        if step.kind in _MAINTENANCE and not self.maintained:
            self.maintained = True
            self.head("Maintenance (T-5)", "-")
        if step.kind in _AFTER_MOVES:
            for fighter in self.announced:
                self.say(f"{self.name(fighter)} stays where it is", 2)
            self.announced = []
        getattr(self, f"_{step.kind}")(step.data)

    # --- header and strategic phase

    def _battle(self, data: Data) -> None:
        fighters = data["fighters"]
        self.names = [fighter["label"] for fighter in fighters]
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

    def _turn(self, data: Data) -> None:
        self.maintained = False
        self.head(f"Turn {data['turn']}", "=")

    def _sequence(self, data: Data) -> None:
        side = data["side"]
        pile = ", ".join(self.cards[side][card] for card in data["cards"])
        self.say(f"{SIDES[side]}'s pile, the top first: {pile or 'no card'}")

    def _first(self, data: Data) -> None:
        side, winner = SIDES[data["side"]], SIDES[data["winner"]]
        choice = "speaks first" if side == winner else f"lets {side} speak first"
        self.say(f"{winner} wins the Tactics roll and {choice} (A-1.3).")

    # --- activation phase

    def _speak(self, data: Data) -> None:
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

    def _announce(self, data: Data) -> None:
        what, _, clause = _MOVES[data["action"]]
        upon = f" on {self.named(data['targets'])}" if data["targets"] else ""
        way = f", after disengaging by {data['disengages']}" if data["disengages"] else ""
        self.announced.append(data["fighter"])
        self.say(f"{self.name(data['fighter'])} announces {what}{upon}{way} ({clause})", 2)

    def _disengage(self, data: Data) -> None:
        stat = {"agility": "INI", "force": "FOR"}[data["way"]]
        enemies = f"{data['enemies']} enem{'y' if data['enemies'] == 1 else 'ies'}"
        end = "succeeds" if data["success"] else "fails: all dice in defence (M-7.5)"
        who = self.name(data["fighter"])
        self.say(
            f"{who} disengages from {enemies} by {data['way']}: {against(data, stat)}: {end}", 2
        )

    def _courage(self, data: Data) -> None:
        who, enemy = self.name(data["fighter"]), self.name(data["against"])
        end = "stands" if data["success"] else "is in rout (W-4.3)"
        self.say(f"{who} tests Courage against {enemy} (W-4.1): {against(data, 'COU')}: {end}", 2)

    def _move(self, data: Data) -> None:
        _, does, _ = _MOVES[data["action"]]
        self.announced = [i for i in self.announced if i != data["fighter"]]
        text = f"{self.name(data['fighter'])} {does}"
        text += f" {self.named(data['targets'])}" if data["targets"] else ""
        if data["short"]:
            aimed = data.get("aimed")
            text += f" {self.name(aimed)}" if aimed is not None else ""
            text += " and falls short (M-4.4)"
        text += ", redirected (M-4.7)" if data["redirected"] else ""
        text += f": {number(data['length'])} cm" if data["length"] else ""
        text += f" and {number(data['toll'])} for relief" if data["toll"] else ""
        text += f", to {', '.join(map(number, data['at']))}" if data["length"] else ""
        text += f"; touches {self.named(data['touched'])}" if data["touched"] else ""
        self.say(text, 2)

    def _announce_walk(self, data: Data) -> None:
        self.say(f"{self.name(data['fighter'])} announces a walk after its shot (A-5.5)", 2)

    def _shoot(self, data: Data) -> None:
        shooter, target = self.name(data["shooter"]), self.name(data["target"])
        how = f"{number(data['distance'])} cm, {_BANDS[data['band']]} range"
        how += ", moved" if data["moved"] else ", still"
        how += f", Target/+{data['cover']}" if data["cover"] else ""
        end = "hit" if data["hit"] else "missed"
        self.say(f"{shooter} shoots at {target} ({how}): {against(data, 'TIR')}: {end}", 2)

    def _throw(self, data: Data) -> None:
        who, shooter = self.name(data["fighter"]), self.name(data["shooter"])
        self.say(f"{who} throws itself to cover from {shooter} (M-6.3)", 2)

    def _cast(self, data: Data) -> None:
        caster, target = self.name(data["fighter"]), self.name(data["target"])
        outside = ", outside its activation (A-5.4)" if data["outside"] else ""
        end = "succeeds" if data["success"] else "fails"
        text = f"{caster} casts {self.mystics[data['mystic']]} on {target}{outside}"
        self.say(f"{text}: {against(data, 'rank')}: {end}; {data['held']} left", 2)

    def _effect(self, data: Data) -> None:
        self._change(data["fighter"], self.mystics[data["mystic"]], data)

    def _change(self, i: int, what: str, data: Data) -> None:
        before, after = data["before"], data["after"]
        now = f"still {after}" if before == after else f"{before}, now {after}"
        self.say(f"{what}: {self.name(i)} {now}", 4)

    def _nothing(self, data: Data) -> None:
        self.say(f"{self.name(data['fighter'])} does nothing", 2)

    def _feat(self, data: Data) -> None:
        other = "" if data["against"] is None else self.name(data["against"])
        self.say(self.feat_words(data, self.name(data["fighter"]), other), 4)

    def _fall(self, data: Data) -> None:
        self.say(f"{self.name(data['fighter'])} falls (W-7)", 4)

    def _penalties(self, data: Data) -> None:
        if data["fighters"]:
            self.say(f"charged (M-5.1): {self.named(data['fighters'])}", 2)

    # --- maintenance, score, end

    def _rally(self, data: Data) -> None:
        who = self.name(data["fighter"])
        if data["barred"]:
            self.say(f"{who} cannot rally: it touches an enemy whom it fears (W-4.4)")
            return
        end = "still in rout" if data["routed"] else "rallied"
        self.say(f"{who} tries to rally (W-4.4): {against(data, 'COU or DIS')}: {end}")

    def _mana(self, data: Data) -> None:
        self._purse("mana", data)

    def _faith(self, data: Data) -> None:
        self._purse("faith", data)

    def _purse(self, what: str, data: Data) -> None:
        before, after = data["before"], data["after"]
        self.say(f"{self.name(data['fighter'])}: {what} {before}, now {after} (T-5.2)")

    def _lasting(self, data: Data) -> None:
        step = _STEPS.index(data["stage"]) + 1
        self._change(data["fighter"], f"lasting effect, step {step} (T-5.3)", data)

    def _upkeep(self, data: Data) -> None:
        who = self.name(data["fighter"])
        if not data["goes_on"]:
            self.say(f"{who} does not pay an upkeep (T-5.3): the effect ends")
            return
        paid = f"{data['before']} before, {data['after']} left"
        self.say(f"{who} pays an upkeep (T-5.3): {paid}")

    def _markers(self, data: Data) -> None:
        who = self.name(data["fighter"])
        if data["what"] == "state":
            self.say(f"{who}: {data['before']}, now {data['after']} (T-5.3)")
            return
        gone = [marker for marker in data["before"] if marker not in data["after"]]
        self.say(f"{who}: no longer marked {listed(gone)} (T-5.3)")

    def _score(self, data: Data) -> None:
        a, b = data["destroyed"]
        self.head(f"After turn {data['turn']}: A has destroyed {a} points, B {b}.")

    def _end(self, data: Data) -> None:
        a, b = data["points"]
        won = "a draw" if data["winner"] < 0 else f"{SIDES[data['winner']]} wins"
        self.head(f"End after turn {data['turn']}: {a} points to {b}: {won}.")
