"""What the sheet lists for a unit and it cannot do: actions have conditions of their own."""

from estoc.kernels.sheet_codes import Deed, Kind, Mark
from estoc.profiles.pieces import Piece
from estoc.profiles.sheet_clauses import Clauses, Paragraph
from estoc.sim.result import Row
from estoc.sim.sheet_cases import Case
from estoc.sim.sheet_words import DEEDS

MERGED_STEPS = 1  # of who merges, by the sheet
ASSUMED: dict[Deed, str] = {  # conditions that the sheet does not tell
    Deed.RELOAD: "reload: its ammunition is spent",
    Deed.DUEL_FIRE: "fire duel: it has ammunition",
    Deed.SHOCK: "shock combat: it engages an enemy",
    Deed.FORM_CONSTITUTE: "constitute or join a formation: it is none",
    Deed.FORM_JOIN: "constitute or join a formation: it is none",
    Deed.FORM_BREAK: "break or leave a formation, change its mode: it is one",
    Deed.FORM_LEAVE: "break or leave a formation, change its mode: it is one",
    Deed.FORM_MODE: "break or leave a formation, change its mode: it is one",
    Deed.MERGE: "merge: both as steady and as tired",
    Deed.WITHDRAW: "withdraw, flee: there is a way",
    Deed.FLEE: "withdraw, flee: there is a way",
    Deed.ORDERS_TROOPS: "special orders: to who is near enough and has none",
    Deed.ORDERS_CHARS: "special orders: to who is near enough and has none",
    Deed.SPELL_CAST: "cast a spell: an enemy is in range and sight",
}
LACKS: dict[Deed, str] = {
    Deed.RELOAD: "has ammunition left",
    Deed.SHOCK: "engages nobody",
    Deed.FIRE: "has no target",
    Deed.FORM_CONSTITUTE: "is a Formation",
    Deed.FORM_JOIN: "is a Formation",
    Deed.FORM_BREAK: "is no Formation",
    Deed.FORM_LEAVE: "is no Formation",
    Deed.FORM_MODE: "is no Formation",
    Deed.MERGE: "no other Troop of 1 step like it is in its hex",
    Deed.WITHDRAW: "has no way to go",
    Deed.FLEE: "has no way to go",
    Deed.ORDERS_TROOPS: "no Troop without a special order is near enough",
    Deed.ORDERS_CHARS: "no other Character without a special order is near enough",
    Deed.SPELL_CHOOSE: "knows no spell",
    Deed.SPELL_CAST: "has no enemy in range and sight",
}


def unable_rows(piece: Piece, cases: list[Case], clauses: Clauses) -> list[Row]:
    """Return the actions that a clause lists for a piece and that it cannot do, with the reason."""
    found: dict[Deed, list[str]] = {}
    for case in cases:
        for number, paragraph in enumerate(clauses.paragraphs):
            if case.trace >> number & 1:
                for deed in _listed(paragraph, case.facts):
                    if not case.able >> deed & 1:
                        found.setdefault(deed, []).append(paragraph.id)
    return [
        {
            "what": "unable",
            "deed": deed.name,
            "text": DEEDS[deed][0],
            "french": DEEDS[deed][1],
            "clauses": " ".join(dict.fromkeys(ids)),
            "why": why_unable(piece, deed),
        }
        for deed, ids in sorted(found.items())
    ]


def _listed(paragraph: Paragraph, facts: int) -> list[Deed]:
    """Return the actions that a paragraph grants for some facts, be they possible or not."""
    deeds = paragraph.grants
    for grant in paragraph.given:
        if facts & grant.facts.need == grant.facts.value:
            deeds |= grant.deeds
    return [deed for deed in Deed if deeds >> deed & 1]


def why_unable(piece: Piece, deed: Deed) -> str:
    """Return which of an action's own conditions does not hold."""
    if piece.cannot >> deed & 1:
        return "its file says that it cannot"
    if deed in (Deed.FIRE, Deed.DUEL_FIRE, Deed.RELOAD) and not piece.is_shooter:
        return "is no shooter"
    if deed in (Deed.FIRE, Deed.DUEL_FIRE) and piece.mark & Mark.AMMO_OUT:
        return "is out of ammunition"
    if deed == Deed.SPELL_CAST and piece.caster is False:
        return LACKS[Deed.SPELL_CHOOSE]
    if deed == Deed.MERGE and piece.kind != Kind.CHARACTER and piece.steps != MERGED_STEPS:
        return f"has {piece.steps} steps, not 1"
    return LACKS.get(deed, "its own conditions do not hold")


def conditions_note(rows: list[Row]) -> tuple[str, ...]:
    """Return the note on the assumed conditions that left something out; none: nothing was."""
    deeds = [Deed[row["deed"]] for row in rows if row["why"] != "its file says that it cannot"]
    told = dict.fromkeys(ASSUMED[deed] for deed in deeds if deed in ASSUMED)
    return (f"assumed, when an action can be done: {'; '.join(told)}",) if told else ()
