"""Fighters and effects of a maintenance phase, as a person writes them (T-5)."""

import re
from dataclasses import dataclass

from ...kernels.layout.combat import Outcome
from ...kernels.layout.maintenance import Kind, Marker
from ...profiles.errors import InputError, echoed, suggestion
from ...profiles.fighters.card import CASTERS, RANKS
from ...profiles.letters import fold
from ...profiles.message import joined, say
from ..base.options import Options

KINDS = tuple(kind.name.lower() for kind in Kind)
MARKERS = tuple(marker.name.lower() for marker in Marker)
OUTCOMES = tuple(outcome.name.lower() for outcome in Outcome if outcome is not Outcome.NOTHING)
MOST = 999  # of mana, faith and costs
_RANKS = {fold(rank): caster for rank, caster in RANKS.items()}
# What each kind of effect may say beside kind, target, source, name and step.
_SAYS = {
    "damage": ("needs", "levels", "outcome"),
    "heal": ("needs", "levels"),
    "roll_to_heal": ("needs",),
    "upkeep": ("cost", "pays", "keep", "sustains"),
    "return": ("needs", "state", "mana", "faith", "lost"),
}


@dataclass(frozen=True)
class Fighter:
    """A fighter as the maintenance phase sees him.

    Parameters
    ----------
    name : str
        Unlike that of any other fighter of the phase.
    state : str
        Wounds as `estoc.profiles.compile.combat.state_code` reads them, or ``"dead"``.
    routed : bool
        Whether he is in rout (W-4.3).
    courage, discipline : int, optional
        COU and DIS; a routed fighter needs one, and tests the higher (W-4.4). Who frightens
        has his own PEUR as COU, if the edition says so (W-4.1).
    caster : {"", "magician", "faithful"}
        What he casts; may be left out where the rank says it.
    rank : str
        ``"initié"`` … ``"virtuose"``, or ``"dévot"`` … ``"avatar"``; a caster needs one.
    mana, faith : int
        Mana and temporary faith that he holds.
    markers : tuple of str
        ``"charged"`` (M-5.1), ``"defence"`` (M-7.5), ``"target"`` (M-6.2); stunned is a state.
    touching_fear : tuple of str
        Names of the enemies that he touches and that frighten him (W-4.4).
    believers : tuple of str
        Names of the friends from whom he, a faithful, has temporary faith (T-5.2).
    """

    name: str
    state: str = "unhurt"
    routed: bool = False
    courage: int | None = None
    discipline: int | None = None
    caster: str = ""
    rank: str = ""
    mana: int = 0
    faith: int = 0
    markers: tuple[str, ...] = ()
    touching_fear: tuple[str, ...] = ()
    believers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        where = say('fighter "{}"', self.name)
        if self.caster not in ("", *CASTERS):
            raise InputError(
                "{}: caster should be magician or faithful, not {}", where, echoed(self.caster)
            )
        casts = _RANKS.get(fold(self.rank), "")
        if self.rank and not casts:
            known = suggestion(self.rank, RANKS)
            raise InputError(
                '{}: rank "{}" is no rank of a caster (T-5.2); {}', where, self.rank, known
            )
        if self.caster and self.caster != casts:
            right = ", ".join(rank for rank, caster in RANKS.items() if caster == self.caster)
            raise InputError("{}: a {} should have a rank (T-5.2): {}", where, self.caster, right)
        object.__setattr__(self, "caster", casts)
        if self.routed and self.courage is None and self.discipline is None:
            raise InputError("{}: to rally he should have courage or discipline (W-4.4)", where)
        for marker in self.markers:
            if marker not in MARKERS:
                more = [say("stunned is a state (W-3.3)")] if marker == "stunned" else []
                known = joined("; ", [*more, suggestion(marker, MARKERS)])
                raise InputError('{}: marker "{}" is unknown (T-5.3); {}', where, marker, known)
        for word in ("courage", "discipline", "mana", "faith"):
            _check_number(where, word, getattr(self, word), 0, MOST)


@dataclass(frozen=True)
class Effect:
    """Something to be resolved in the maintenance phase (T-5.3).

    Parameters
    ----------
    kind : {"damage", "heal", "roll_to_heal", "upkeep", "return"}
        *damage*: ``levels`` or ``outcome``; *heal*: ``levels`` less; *roll_to_heal*: one level
        less, and once more if it worked (W-7); *upkeep*: the source pays ``cost``, or the effect
        ends; *return*: a dead target is back.
    target : str
        Name of the fighter it acts on; an upkeep may have none.
    source : str
        Name of the fighter who causes it; empty: nobody, it acts of itself.
    name : str
        What the log calls it, and `sustains` names.
    step : int, optional
        1 to 5, the step of T-5.3; the usual one of the kind if not given. The edition says
        which others a kind may have: damage has none, whoever causes it.
    needs : int, optional
        Least die that makes it work; none is rolled if not given.
    levels : int
        Wound levels (W-3.1).
    outcome : str
        A result of the wound table: ``"stunned"`` … ``"killed"`` (W-2.1).
    cost : int
        What an upkeep costs.
    pays : {"mana", "faith"}
        In what.
    keep : bool
        Whether its payer wants to pay.
    sustains : str
        Name of the effect that ends with the upkeep.
    state : str
        In which one returns.
    mana, faith : int
        What one who returns holds.
    lost : int
        A die at or below it ends a return for good (Renfort).
    """

    kind: str
    target: str = ""
    source: str = ""
    name: str = ""
    step: int | None = None
    needs: int | None = None
    levels: int = 0
    outcome: str = ""
    cost: int = 0
    pays: str = "mana"
    keep: bool = True
    sustains: str = ""
    state: str = "unhurt"
    mana: int = 0
    faith: int = 0
    lost: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            known = suggestion(self.kind, KINDS)
            raise InputError('effect "{}": kind "{}" is unknown; {}', self.label, self.kind, known)
        where = say('effect "{}"', self.label)
        for word in (word for words in _SAYS.values() for word in words):
            if word not in _SAYS[self.kind] and getattr(self, word) != getattr(Effect, word):
                right = ", ".join(_SAYS[self.kind])
                raise InputError("{}: {} should not say {}, only {}", where, self.kind, word, right)
        _check_number(where, "needs", self.needs, 1, 6)
        _check_number(where, "lost", self.lost, 0, (self.needs or 1) - 1)
        _check_number(where, "levels", self.levels, 0, 9)
        for word in ("cost", "mana", "faith"):
            _check_number(where, word, getattr(self, word), 0, MOST)
        if self.kind == "damage" and bool(self.levels) == bool(self.outcome):
            raise InputError("{}: damage should have either levels or an outcome (W-3.1)", where)
        if self.outcome and self.outcome not in OUTCOMES:
            known = suggestion(self.outcome, OUTCOMES)
            raise InputError('{}: outcome "{}" is unknown (W-2.1); {}', where, self.outcome, known)
        if self.kind == "heal" and not self.levels:
            raise InputError("{}: heal should have levels, 1 or more (W-3.1)", where)
        if self.kind == "roll_to_heal" and self.needs is None:
            raise InputError("{}: roll_to_heal needs the least die that heals (W-7)", where)
        if self.pays not in ("mana", "faith"):
            raise InputError(
                "{}: pays should be mana or faith (T-5.3), not {}", where, echoed(self.pays)
            )
        if self.kind == "upkeep" and not self.source:
            raise InputError("{}: an upkeep should have a source, who pays it (T-5.3)", where)
        if self.kind != "upkeep" and not self.target:
            raise InputError("{}: {} should have a target (T-5.3)", where, self.kind)

    @property
    def label(self) -> str:
        """Its name, else its kind."""
        return self.name or self.kind


def _check_number(where: str, word: str, value: int | None, low: int, high: int) -> None:
    if value is not None and not low <= value <= high:
        raise InputError("{}: {} should be from {} to {}, not {}", where, word, low, high, value)


def effect_of_ability(ability: str, fighter: str, options: Options | None = None) -> Effect | None:
    """Return what an ability of a card does in the maintenance phase; None if nothing.

    Parameters
    ----------
    ability : str
        As on the card: ``"Régénération/5"`` (W-7) or ``"Renfort"`` (T-5.3).
    fighter : str
        Name of the fighter who has it.
    options : Options, optional
        Its edition says with which dice Renfort works. One die a side is rolled, for the
        fighter of least PA among those who wait: list the effect for him only.

    Raises
    ------
    InputError
        If Régénération has no X from 1 to 6.

    Examples
    --------
    >>> effect_of_ability("Régénération/5", "Troll").needs
    5
    >>> effect_of_ability("Tueur né/2", "Troll") is None
    True
    """
    word, _, x = (part.strip() for part in fold(ability).partition("/"))
    if word == "regeneration":
        if not re.fullmatch("[1-6]", x):
            raise InputError('ability "{}" should be Régénération/X, X from 1 to 6 (W-7)', ability)
        return Effect("roll_to_heal", fighter, fighter, ability, needs=int(x))
    if word in ("renfort", "reinforcement"):
        edition = (options or Options()).edition
        returns, lost = (edition[f"maintenance.reinforcement_{w}"] for w in ("returns", "lost"))
        return Effect("return", fighter, fighter, ability, needs=returns, lost=lost)
    return None
