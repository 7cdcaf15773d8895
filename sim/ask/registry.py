"""How each kind of answer is shown: who makes its text and its picture, looked up by name.

`Result` asks here how it is shown, and nobody else knows all kinds. What one command shows is no
reason to load all others, so each is loaded when it is asked for.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

# the whole of an answer: as text, as a figure, as HTML
MEDIA = {
    "text": "ask.text:plain_text",
    "figure": "ask.picture:plot",
    "html": "ask.html:result_html",
}

# the blocks of an answer's text, between its title and its notes
TEXTS = {
    "duel": "combat.table:duel_blocks",
    "combat": "combat.table:combat_blocks",
    "sweep": "combat.table:sweep_blocks",
    "solve": "worth.solve_table:blocks",
    "book": "worth.solve_table:book_blocks",
    "worth": "worth.worth_table:blocks",
    "points": "worth.points_table:blocks",
    "worth-abilities": "worth.abilities_table:blocks",
    "melee": "table.melee_table:blocks",
    "battle": "battle.table:blocks",
    "compare": "contest.compare_table:blocks",
    "favours": "contest.variants_table:favours_blocks",
    "sensitivity": "contest.variants_table:sensitivity_blocks",
    "tune": "contest.tune_table:blocks",
    "matchup": "matchup.table:blocks",
    "cards": "phases.cards_table:blocks",
    "phase": "phases.cards_table:phase_blocks",
    "disengage": "rolls.disengage_table:blocks",
    "shoot": "rolls.shooting_table:blocks",
    "fear": "rolls.fear_table:blocks",
    "table": "table.tabletop_table:blocks",
    "moves": "table.moves_table:blocks",
    "sheet-check": "sheet.table:check_blocks",
    "sheet-follow": "sheet.table:follow_blocks",
    "sheet-hexes": "sheet.table:hexes_blocks",
    "sheet-replay": "sheet.table:replay_blocks",
    "sheet-lost": "sheet.table:lost_blocks",
    "sheet-wing": "sheet.table:wing_blocks",
    "sheet-sensitivity": "sheet.table:sensitivity_blocks",
    "contagion": "contagion.table:blocks",
}

PICTURES = {
    "duel": "combat.plot:outcome_bar",
    "combat": "combat.plot:state_bars",
    "sweep": "combat.plot:heat_map",
    "worth": "worth.worth_plot:strips",
    "points": "worth.points_plot:prices",
    "worth-abilities": "worth.abilities_plot:prices_and_values",
    "battle": "battle.plot:margins",
    "matchup": "matchup.plot:matrix_and_forest",
    "cards": "phases.cards_plot:timetable",
    "phase": "phases.cards_plot:played",
    "table": "table.tabletop_plot:drawn",
    "moves": "table.tabletop_plot:reach",
    "contagion": "contagion.plot:plot_contagion",
    "sheet-sensitivity": "sheet.sensitivity:plot_sheet_sensitivity",
}


def loaded(place: str) -> Callable[..., Any]:
    """Return the function at a place of `estoc.sim`, as ``combat.table:duel_blocks``."""
    module, _, name = place.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"estoc.sim.{module}"), name)
    return found
