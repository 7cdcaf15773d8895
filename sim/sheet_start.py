"""Stage S as a piece stands: which clauses apply to it, and why the others do not (3.1)."""

from collections.abc import Iterator
from typing import NamedTuple

from estoc.kernels.sheet_codes import Cohesion, Fact, Faculty, Kind, Mark, Reading
from estoc.sim.sheet_question import Compiled

MAY = "it may"
IF_FAILED = "if the test fails"

Condition = tuple[bool, str]  # whether it holds, and what keeps it from holding


class Said(NamedTuple):
    """A clause of stage S: whether it applies, and why not; if it does, what else it takes."""

    clause: str
    applies: bool
    why: str


def start_clauses(compiled: Compiled, u: int, facts: int) -> Iterator[Said]:
    """Yield the clauses of stage S, in their order, for a piece before its activation.

    Parameters
    ----------
    compiled : Compiled
    u : int
    facts : int
        Its word of facts as it stands.
    """
    for clause, then, conditions in _conditions(compiled, u, facts):
        lacks = [why for holds, why in conditions if not holds]
        yield Said(clause, not lacks, lacks[0] if lacks else then)


def _conditions(
    compiled: Compiled, u: int, facts: int
) -> Iterator[tuple[str, str, tuple[Condition, ...]]]:
    """Yield each clause, what it takes to have its effect, and its conditions (3.1)."""
    sheet, begin = compiled.sheets[0], compiled.sheets[0]["begin"]
    kind, cohesion = Kind(begin["kind"][u]), Cohesion(begin["cohesion"][u])
    mark, faculty = int(begin["mark"][u]), int(begin["faculty"][u])
    routed, hidden = cohesion == Cohesion.ROUTED, bool(mark & Mark.HIDDEN)
    decoy, formation = kind == Kind.DECOY, kind == Kind.FORMATION
    unit = (not decoy, "it is a decoy")
    firm = (not routed, "it is Routed")
    open_ = (not hidden, "it is hidden")
    yield "S1a", "", (unit, (routed, "it is not Routed"))
    near = any(begin["cohesion"][k] == Cohesion.ROUTED for k in near_units(compiled, u))
    yield "S1b", "", (unit, firm, (near, "no adjacent friend is Routed"))
    bold = (firm, open_) if sheet["readings"][Reading.FEAR_ROUTED] else ()
    yield "S1c", "", (unit, (bool(faculty & Faculty.FEARSOME), "it is not Effrayante"), *bold)
    never = (bool(faculty & Faculty.INVULNERABLE), "it is not Invulnérable")
    yield "S1d", "", (unit, never, *bold)
    met = "no enemy with a Charge or Contact marker engages it"
    panic = (unit, firm, (bool(facts >> Fact.ANY_FRESH_BY & 1), met))
    yield "S2", "", panic
    spared = kind == Kind.CHARACTER and bool(sheet["readings"][Reading.S2_CHARACTER])
    loses = ((not formation, "it is a Formation"), (not spared, "it is a Character (Q10)"))
    good = cohesion == Cohesion.GOOD
    yield "S2a", IF_FAILED, (*panic, *loses)
    yield "S2b", IF_FAILED, (*panic, (formation, "it is no Formation"), (good, "it is Shaken"))
    ordered = (not good, "it is in good order")
    yield "S2c", IF_FAILED, (*panic, (formation, "it is no Formation"), ordered)
    yield "S2d", IF_FAILED, (*panic, *loses, ordered)
    yield "S3", "", ((bool(mark & Mark.CONTACT), "it has no Contact marker"),)
    there = (begin["at"][u] >= 0, "it is off the map")
    unseen = (not is_seen(compiled, u), "an enemy sees it")
    yield "S4a", MAY, (unit, open_, firm, there, unseen)
    yield "S4b", MAY, ((hidden or decoy, "it is neither hidden nor a decoy"), there)
    yield "S5a", MAY, (unit, (hidden, "it is not hidden"))
    yield "S5b", MAY, ((decoy, "it is no decoy"),)


def near_units(compiled: Compiled, u: int) -> list[int]:
    """Return the friendly Units in the hexes round a piece's, and in its own by Q23."""
    sheet, begin = compiled.sheets[0], compiled.sheets[0]["begin"]
    at = int(begin["at"][u])
    if at < 0:
        return []
    hexes = {int(there) for there in compiled.terrain.beside[at] if there >= 0}
    if not sheet["readings"][Reading.STACK_ADJACENT]:
        hexes.add(at)
    return [
        k
        for k in range(int(sheet["pieces"]))
        if k != u
        and int(begin["at"][k]) in hexes
        and sheet["side"][k] == sheet["side"][u]
        and begin["kind"][k] != Kind.DECOY
    ]


def is_seen(compiled: Compiled, u: int) -> bool:
    """Whether an enemy Unit or decoy sees a piece's hex (S4a)."""
    sheet, sight = compiled.sheets[0], compiled.terrain.sight
    begin, at = sheet["begin"], int(sheet["begin"]["at"][u])
    others = [k for k in range(int(sheet["pieces"])) if sheet["side"][k] != sheet["side"][u]]
    return at >= 0 and any(begin["at"][k] >= 0 and sight[begin["at"][k], at] for k in others)
