"""A battle told in words, step by step, in lines of at most 80 columns."""

from collections.abc import Iterable, Sequence

from ...profiles.compile.combat import UNHURT
from ...profiles.message import say
from ..base.options import SIDES
from ..combat.events import number
from .log import Step
from .words import Bouts, Data, against, listed

NAME = 28  # most letters of a name in a table
_STATS = ("PA", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS", " MOU")
_BANDS = ("short", "medium", "long")

# What a move is called as something announced, as something done, and its clause.
_MOVES = {
    "charge": (say("a charge"), "charges", "M-4.1"),
    "engage": (say("an engagement"), "engages", "M-4.2"),
    "run": (say("a run"), "runs", "M-3.1"),
    "under_cover": (say("a move under cover"), say("moves under cover"), "M-6.1"),
    "walk": (say("a walk"), "walks", "M-2.2"),
    "turn": (say("a turn"), say("turns on the spot"), "M-1.5"),
    "flee": ("flight", "flees", "W-4.3"),
    "pursue": (say("a pursuit"), "pursues", "C-8.1"),
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
        self.say(say("{} turns, policy {}, edition {}", data["turns"], policy, data["edition"]))
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
            words += [say("in rout")] if fighter["routed"] else []
            if words:
                self.say(say("{} begins {}", fighter["label"], listed(words)))

    def _turn(self, data: Data) -> None:
        self.maintained = False
        self.head(say("Turn {}", data["turn"]), "=")

    def _sequence(self, data: Data) -> None:
        side = data["side"]
        pile = ", ".join(self.cards[side][card] for card in data["cards"])
        self.say(say("{}'s pile, the top first: {}", SIDES[side], pile or "no card"))

    def _first(self, data: Data) -> None:
        side, winner = SIDES[data["side"]], SIDES[data["winner"]]
        choice = say("speaks first") if side == winner else say("lets {} speak first", side)
        self.say(say("{} wins the Tactics roll and {} (A-1.3).", winner, choice))

    # --- activation phase

    def _speak(self, data: Data) -> None:
        side = data["side"]
        top, reserve = (self.cards[side].get(data[key], "") for key in ("top", "reserve"))
        text = {
            "top": say("plays {} (A-2.1)", top),
            "to_reserve": say("puts {} in reserve (A-2.2)", top or reserve),
            "reserve": say("plays {} from the reserve (A-2.3)", reserve),
            "both": say("plays {} from the reserve, and {} (A-2.4)", reserve, top),
            "refuse": say("refuses, with {} left (A-2.5)", data["refusals"]),
        }[data["move"]]
        if data["move"] in ("top", "reserve", "both") and not data["fighters"]:
            text += say(": nobody of it is alive")
        self.head(f"{SIDES[side]} {text}")

    def _announce(self, data: Data) -> None:
        what, _, clause = _MOVES[data["action"]]
        upon = say(" on {}", self.named(data["targets"])) if data["targets"] else ""
        way = say(", after disengaging by {}", data["disengages"]) if data["disengages"] else ""
        self.announced.append(data["fighter"])
        self.say(
            say("{} announces {}{}{} ({})", self.name(data["fighter"]), what, upon, way, clause), 2
        )

    def _disengage(self, data: Data) -> None:
        stat = {"agility": "INI", "force": "FOR"}[data["way"]]
        enemies = say("{} enem{}", data["enemies"], "y" if data["enemies"] == 1 else say("ies"))
        end = "succeeds" if data["success"] else say("fails: all dice in defence (M-7.5)")
        who = self.name(data["fighter"])
        self.say(
            say(
                "{} disengages from {} by {}: {}: {}",
                who,
                enemies,
                data["way"],
                against(data, stat),
                end,
            ),
            2,
        )

    def _courage(self, data: Data) -> None:
        who, enemy = self.name(data["fighter"]), self.name(data["against"])
        end = "stands" if data["success"] else say("is in rout (W-4.3)")
        self.say(
            say(
                "{} tests Courage against {} (W-4.1): {}: {}", who, enemy, against(data, "COU"), end
            ),
            2,
        )

    def _move(self, data: Data) -> None:
        _, does, _ = _MOVES[data["action"]]
        self.announced = [i for i in self.announced if i != data["fighter"]]
        text = f"{self.name(data['fighter'])} {does}"
        text += f" {self.named(data['targets'])}" if data["targets"] else ""
        if data["short"]:
            aimed = data.get("aimed")
            text += f" {self.name(aimed)}" if aimed is not None else ""
            text += say(" and falls short (M-4.4)")
        text += say(", redirected (M-4.7)") if data["redirected"] else ""
        text += say(": {} cm", number(data["length"])) if data["length"] else ""
        text += say(" and {} for relief", number(data["toll"])) if data["toll"] else ""
        text += say(", to {}", map(number, data["at"])) if data["length"] else ""
        text += say("; touches {}", self.named(data["touched"])) if data["touched"] else ""
        self.say(text, 2)

    def _announce_walk(self, data: Data) -> None:
        self.say(say("{} announces a walk after its shot (A-5.5)", self.name(data["fighter"])), 2)

    def _shoot(self, data: Data) -> None:
        shooter, target = self.name(data["shooter"]), self.name(data["target"])
        how = say("{} cm, {} range", number(data["distance"]), _BANDS[data["band"]])
        how += ", moved" if data["moved"] else ", still"
        how += say(", Target/+{}", data["cover"]) if data["cover"] else ""
        end = "hit" if data["hit"] else "missed"
        self.say(
            say("{} shoots at {} ({}): {}: {}", shooter, target, how, against(data, "TIR"), end), 2
        )

    def _throw(self, data: Data) -> None:
        who, shooter = self.name(data["fighter"]), self.name(data["shooter"])
        self.say(say("{} throws itself to cover from {} (M-6.3)", who, shooter), 2)

    def _cast(self, data: Data) -> None:
        caster, target = self.name(data["fighter"]), self.name(data["target"])
        outside = say(", outside its activation (A-5.4)") if data["outside"] else ""
        end = "succeeds" if data["success"] else "fails"
        text = say("{} casts {} on {}{}", caster, self.mystics[data["mystic"]], target, outside)
        self.say(say("{}: {}: {}; {} left", text, against(data, "rank"), end, data["held"]), 2)

    def _effect(self, data: Data) -> None:
        self._change(data["fighter"], self.mystics[data["mystic"]], data)

    def _change(self, i: int, what: str, data: Data) -> None:
        before, after = data["before"], data["after"]
        now = say("still {}", after) if before == after else say("{}, now {}", before, after)
        self.say(say("{}: {} {}", what, self.name(i), now), 4)

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
        end = say("still in rout") if data["routed"] else "rallied"
        self.say(
            say("{} tries to rally (W-4.4): {}: {}", who, against(data, say("COU or DIS")), end)
        )

    def _mana(self, data: Data) -> None:
        self._purse("mana", data)

    def _faith(self, data: Data) -> None:
        self._purse("faith", data)

    def _purse(self, what: str, data: Data) -> None:
        before, after = data["before"], data["after"]
        self.say(say("{}: {} {}, now {} (T-5.2)", self.name(data["fighter"]), what, before, after))

    def _lasting(self, data: Data) -> None:
        step = _STEPS.index(data["stage"]) + 1
        self._change(data["fighter"], say("lasting effect, step {} (T-5.3)", step), data)

    def _upkeep(self, data: Data) -> None:
        who = self.name(data["fighter"])
        if not data["goes_on"]:
            self.say(say("{} does not pay an upkeep (T-5.3): the effect ends", who))
            return
        paid = say("{} before, {} left", data["before"], data["after"])
        self.say(say("{} pays an upkeep (T-5.3): {}", who, paid))

    def _markers(self, data: Data) -> None:
        who = self.name(data["fighter"])
        if data["what"] == "state":
            self.say(say("{}: {}, now {} (T-5.3)", who, data["before"], data["after"]))
            return
        gone = [marker for marker in data["before"] if marker not in data["after"]]
        self.say(say("{}: no longer marked {} (T-5.3)", who, listed(gone)))

    def _score(self, data: Data) -> None:
        a, b = data["destroyed"]
        self.head(say("After turn {}: A has destroyed {} points, B {}.", data["turn"], a, b))

    def _end(self, data: Data) -> None:
        a, b = data["points"]
        won = say("a draw") if data["winner"] < 0 else say("{} wins", SIDES[data["winner"]])
        self.head(say("End after turn {}: {} points to {}: {}.", data["turn"], a, b, won))
