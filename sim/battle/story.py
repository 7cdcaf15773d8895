"""A battle told in words, step by step, in lines of at most 80 columns."""

from collections.abc import Iterable, Sequence

from ...profiles.compile.combat import UNHURT
from ...profiles.message import joined, say, say_all, say_n
from ..base.options import SIDES
from ..combat.events import number
from ..text.speech import translated
from .log import Step
from .words import Bouts, Data, against, listed

NAME = 28  # most letters of a name in a table
_STATS = ("PA", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS", " MOU")
_BANDS = say_all(("{} cm, short range", "{} cm, medium range", "{} cm, long range"))

# What a move is called as something announced, as something done, and its clause.
_MOVES = say_all(
    {
        "charge": ("a charge", "{} charges", "M-4.1"),
        "engage": ("an engagement", "{} engages", "M-4.2"),
        "run": ("a run", "{} runs", "M-3.1"),
        "under_cover": ("a move under cover", "{} moves under cover", "M-6.1"),
        "walk": ("a walk", "{} walks", "M-2.2"),
        "turn": ("a turn", "{} turns on the spot", "M-1.5"),
        "flee": ("flight", "{} flees", "W-4.3"),
        "pursue": ("a pursuit", "{} pursues", "C-8.1"),
    }
)
_ASSAULTS = say_all(
    {"charge": "{} charges {}", "engage": "{} engages {}", "pursue": "{} pursues {}"}
)
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
                self.say(say("{} stays where it is", self.name(fighter)), 2)
            self.announced = []
        getattr(self, f"_{step.kind}")(step.data)

    # --- header and strategic phase

    def _battle(self, data: Data) -> None:
        fighters = data["fighters"]
        self.names = [fighter["label"] for fighter in fighters]
        self.mystics = [mystic["name"] for mystic in data["mystics"]]
        for fighter in fighters:
            self.cards[fighter["side"]].setdefault(fighter["card"], fighter["name"])
        self.say(say("{}: trial {} of seed {}", data["scenario"], data["trial"], data["seed"]))
        a, b = data["policies"]
        policy = a if a == b else f"A={a} B={b}"
        self.say(
            say_n(
                "{} turn, policy {}, edition {}",
                "{} turns, policy {}, edition {}",
                data["turns"],
                policy,
                data["edition"],
            )
        )
        self._table(fighters)
        for zone in data["zones"]:
            self.say(say("{}: {} points to who holds it at the end", zone["name"], zone["points"]))
        for alive in data["survival"]:
            name = self.name(alive["fighter"])
            self.say(
                say("{}: {} points to its side if it is alive at the end", name, alive["points"])
            )

    def _table(self, fighters: Sequence[Data]) -> None:
        width = min(max(map(len, self.names)), NAME)
        heads = "".join(f"{stat:>{len(stat) + 1}}" for stat in _STATS)
        self.lines += ["", f"   {'':<{width}}{heads}"]
        for fighter in fighters:
            cells = [fighter[stat.strip()] for stat in _STATS]
            shown = ["–" if cell is None else translated(number(cell)) for cell in cells]
            values = "".join(
                f"{cell:>{len(stat) + 1}}" for cell, stat in zip(shown, _STATS, strict=True)
            )
            label = fighter["label"]
            label = label if len(label) <= width else f"{label[: width - 1]}…"
            self.lines.append(f"{SIDES[fighter['side']]}  {label:<{width}}{values}")
        self.lines.append("")
        for fighter in fighters:
            words = [] if fighter["state"] == UNHURT else [fighter["state"]]
            words += [say("in rout")] if fighter["routed"] else []
            if words:
                self.say(say("{} begins {}", fighter["label"], listed(words)))

    def _turn(self, data: Data) -> None:
        self.maintained = False
        self.head(say("Turn {}", data["turn"]), "=")

    def _sequence(self, data: Data) -> None:
        side = data["side"]
        pile = ", ".join(self.cards[side][card] for card in data["cards"])
        self.say(say("{}'s pile, the top first: {}", SIDES[side], pile or say("no card")))

    def _first(self, data: Data) -> None:
        side, winner = SIDES[data["side"]], SIDES[data["winner"]]
        if side == winner:
            self.say(say("{} wins the Tactics roll and speaks first (A-1.3).", winner))
        else:
            self.say(say("{} wins the Tactics roll and lets {} speak first (A-1.3).", winner, side))

    # --- activation phase

    def _speak(self, data: Data) -> None:
        side, move = data["side"], data["move"]
        top, reserve = (self.cards[side].get(data[key], "") for key in ("top", "reserve"))
        who = SIDES[side]
        match move:
            case "top":
                text = say("{} plays {} (A-2.1)", who, top)
            case "to_reserve":
                text = say("{} puts {} in reserve (A-2.2)", who, top or reserve)
            case "reserve":
                text = say("{} plays {} from the reserve (A-2.3)", who, reserve)
            case "both":
                text = say("{} plays {} from the reserve, and {} (A-2.4)", who, reserve, top)
            case _:
                text = say("{} refuses, with {} left (A-2.5)", who, data["refusals"])
        if move in ("top", "reserve", "both") and not data["fighters"]:
            text = say("{}: nobody of it is alive", text)
        self.head(text)

    def _announce(self, data: Data) -> None:
        who, (what, _, clause) = self.name(data["fighter"]), _MOVES[data["action"]]
        if data["targets"]:
            what = say("{} on {}", what, self.named(data["targets"]))
        self.announced.append(data["fighter"])
        if data["disengages"]:
            way = data["disengages"]
            text = say("{} announces {}, after disengaging by {} ({})", who, what, way, clause)
        else:
            text = say("{} announces {} ({})", who, what, clause)
        self.say(text, 2)

    def _disengage(self, data: Data) -> None:
        stat = {"agility": "INI", "force": "FOR"}[data["way"]]
        text = say(
            "{} disengages from {} by {}: {}",
            self.name(data["fighter"]),
            say_n("{} enemy", "{} enemies", data["enemies"]),
            data["way"],
            against(data, stat),
        )
        done = data["success"]
        self.say(say("{}: succeeds" if done else "{}: fails: all dice in defence (M-7.5)", text), 2)

    def _courage(self, data: Data) -> None:
        who, enemy = self.name(data["fighter"]), self.name(data["against"])
        text = say("{} tests Courage against {} (W-4.1): {}", who, enemy, against(data, "COU"))
        stands = data["success"]
        self.say(say("{}: stands" if stands else "{}: is in rout (W-4.3)", text), 2)

    def _move(self, data: Data) -> None:
        who, action, targets = self.name(data["fighter"]), data["action"], data["targets"]
        self.announced = [i for i in self.announced if i != data["fighter"]]
        if data["short"] and data.get("aimed") is not None:
            targets = [data["aimed"]]
        if targets and action in _ASSAULTS:
            text = say(_ASSAULTS[action], who, self.named(targets))
        else:
            text = say(_MOVES[action][1], who)
        text = say("{} and falls short (M-4.4)", text) if data["short"] else text
        text = say("{}, redirected (M-4.7)", text) if data["redirected"] else text
        text = _way(text, data) if data["length"] else text
        text = say("{}; touches {}", text, self.named(data["touched"])) if data["touched"] else text
        self.say(text, 2)

    def _announce_walk(self, data: Data) -> None:
        self.say(say("{} announces a walk after its shot (A-5.5)", self.name(data["fighter"])), 2)

    def _shoot(self, data: Data) -> None:
        how = [
            say(_BANDS[data["band"]], number(data["distance"])),
            say("moved" if data["moved"] else "still"),
        ]
        how += [say("Target/+{}", data["cover"])] if data["cover"] else []
        text = say(
            "{} shoots at {} ({}): {}",
            self.name(data["shooter"]),
            self.name(data["target"]),
            joined(", ", how),
            against(data, "TIR"),
        )
        self.say(say("{}: hit" if data["hit"] else "{}: missed", text), 2)

    def _throw(self, data: Data) -> None:
        who, shooter = self.name(data["fighter"]), self.name(data["shooter"])
        self.say(say("{} throws itself to cover from {} (M-6.3)", who, shooter), 2)

    def _cast(self, data: Data) -> None:
        caster, target = self.name(data["fighter"]), self.name(data["target"])
        text = say("{} casts {} on {}", caster, self.mystics[data["mystic"]], target)
        text = say("{}, outside its activation (A-5.4)", text) if data["outside"] else text
        told = text, against(data, say("rank")), data["held"]
        done = data["success"]
        self.say(say("{}: {}: succeeds; {} left" if done else "{}: {}: fails; {} left", *told), 2)

    def _effect(self, data: Data) -> None:
        self._change(data["fighter"], self.mystics[data["mystic"]], data)

    def _change(self, i: int, what: str, data: Data) -> None:
        before, after = data["before"], data["after"]
        if before == after:
            self.say(say("{}: {} still {}", what, self.name(i), after), 4)
        else:
            self.say(say("{}: {} {}, now {}", what, self.name(i), before, after), 4)

    def _nothing(self, data: Data) -> None:
        self.say(say("{} does nothing", self.name(data["fighter"])), 2)

    def _feat(self, data: Data) -> None:
        other = "" if data["against"] is None else self.name(data["against"])
        self.say(self.feat_words(data, self.name(data["fighter"]), other), 4)

    def _fall(self, data: Data) -> None:
        self.say(say("{} falls (W-7)", self.name(data["fighter"])), 4)

    def _penalties(self, data: Data) -> None:
        if data["fighters"]:
            self.say(say("charged (M-5.1): {}", self.named(data["fighters"])), 2)

    # --- maintenance, score, end

    def _rally(self, data: Data) -> None:
        who = self.name(data["fighter"])
        if data["barred"]:
            self.say(say("{} cannot rally: it touches an enemy whom it fears (W-4.4)", who))
            return
        text = say("{} tries to rally (W-4.4): {}", who, against(data, say("COU or DIS")))
        self.say(say("{}: still in rout" if data["routed"] else "{}: rallied", text))

    def _mana(self, data: Data) -> None:
        who = self.name(data["fighter"])
        self.say(say("{}: mana {}, now {} (T-5.2)", who, data["before"], data["after"]))

    def _faith(self, data: Data) -> None:
        who = self.name(data["fighter"])
        self.say(say("{}: faith {}, now {} (T-5.2)", who, data["before"], data["after"]))

    def _lasting(self, data: Data) -> None:
        step = _STEPS.index(data["stage"]) + 1
        self._change(data["fighter"], say("lasting effect, step {} (T-5.3)", step), data)

    def _upkeep(self, data: Data) -> None:
        who = self.name(data["fighter"])
        if not data["goes_on"]:
            self.say(say("{} does not pay an upkeep (T-5.3): the effect ends", who))
            return
        left = data["before"], data["after"]
        self.say(say("{} pays an upkeep (T-5.3): {} before, {} left", who, *left))

    def _markers(self, data: Data) -> None:
        who, before, after = self.name(data["fighter"]), data["before"], data["after"]
        if data["what"] == "state":
            self.say(say("{}: {}, now {} (T-5.3)", who, before, after))
            return
        gone = [marker for marker in before if marker not in after]
        self.say(say("{}: no longer marked {} (T-5.3)", who, listed(gone)))

    def _score(self, data: Data) -> None:
        a, b = data["destroyed"]
        self.head(say("After turn {}: A has destroyed {} points, B {}.", data["turn"], a, b))

    def _end(self, data: Data) -> None:
        a, b = data["points"]
        if data["winner"] < 0:
            text = say("End after turn {}: {} points to {}: a draw.", data["turn"], a, b)
        else:
            won = SIDES[data["winner"]]
            text = say("End after turn {}: {} points to {}: {} wins.", data["turn"], a, b, won)
        self.head(text)


def _way(move: str, data: Data) -> str:
    """Return a move with how far it was, and to where."""
    length, place = number(data["length"]), list(map(number, data["at"]))
    if data["toll"]:
        toll = number(data["toll"])
        return say("{}: {} cm and {} for relief, to {}, {}", move, length, toll, *place)
    return say("{}: {} cm, to {}, {}", move, length, *place)
