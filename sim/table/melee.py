"""Melees: every separation into combats, its odds, and what each side would choose (C-1)."""

from collections.abc import Sequence

from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import say
from ..base.answer import SECTION, AnswerKind, columns, origin_columns
from ..base.options import SIDES, Options
from ..base.result import Result, Row
from ..base.run import BOTH, USUAL_RUN, Method, Run, runs
from ..base.sequence import STOPPING
from ..combat.combat import (
    SIDE_ODDS,
    TRIALS,
    VALUE,
    cut_short,
    difference_cells,
    differences,
    odds_cells,
    profiles_of,
    score_value,
    side_cells,
)
from ..combat.combatants import Combatant
from ..combat.duel import COMPARED
from ..combat.laws import Law, clean
from ..combat.method import Answer, Odds, answers, chosen_method
from .melee_choice import MOST_LISTED, Choice, Separation, choice
from .melee_contacts import Told, key_of
from .melee_question import Melee, MeleeQuestion, ask

MELEE = AnswerKind(
    "melee",
    SECTION
    + columns("whole", "number of the melee", "melee")
    + columns("text", "key of the fighter, melee, separation or combat", "what")
    + columns("text", "the fighter", "fighter", unit="fighter")
    + columns("text", "side of the fighter", "side")
    + columns("whole", "points of the fighter", "pa", unit="PA")
    + columns("whole", "DIS of the fighter", "dis")
    + columns("truth", "whether it is in rout", "routed")
    + columns("text", "keys of whom it touches", "touches")
    + columns("whole", "ways to separate the melee", "number")
    + columns("whole", "highest DIS of this side", "dis_a", "dis_b")
    + columns("number", "chance that A separates the melee", "p_separates_a", unit="share")
    + VALUE
    + columns("whole", "rank of the separation", "separation")
    + columns("text", "combats that are alike in it, by number", "alike")
    + columns("text", "sides for which it is the best", "best")
    + columns("number", "chance that A chooses first", "p_first_word_a", unit="share")
    + SIDE_ODDS[:-1]
    + origin_columns("sampler", "remainder"),
    origin=origin_columns(lacking=["sampler", "remainder"])
    + STOPPING
    + differences("a", "b", "undecided", "first_a"),
    text="table.melee_table:blocks",
    sentences="report.words:of_melee",
)


@runs
def melee(
    a: str | Profile | Sequence[str | Profile],
    b: str | Profile | Sequence[str | Profile],
    contacts: Told = "all",
    *,
    routed: Sequence[str] = (),
    options: Options | None = None,
    roster: Roster | None = None,
    run: Run,
) -> Result:
    """Return every separation of the melees of two sides, with odds and value (C-1, C-2).

    Combats of one phase share no fighter, so that a separation is worth the sum of its
    combats. Pursuit is left out (C-8): each combat is resolved for itself.

    Parameters
    ----------
    a, b : str, Profile or a sequence of them
        Sides A and B.
    contacts : "all", path, mapping of names to names, or pairs of names
        Who touches whom; ``A1``, ``B2``, a name or ``name#2`` means a fighter.
    routed : sequence of str
        Fighters in rout: they make no test of Discipline (C-1.4, C-2.1) and have all dice
        in defence (W-4.3).
    options : Options, optional
        Edition, policies, wounds, charges, score. A charger charges all enemies he touches.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`); 1,000,000 trials of each
        combat where sampling is asked for, of chains where all combats can be chains and no
        sampler is given: nobody looks at their single trials. A partial run gives the combats
        done so far, without separations where some have no odds.

    Returns
    -------
    Result
        Rows of four kinds, told by ``section``: ``fighter``, whom each touches; ``melee``,
        with the Discipline of both sides' best, the chance that A separates and the
        expected value to A; ``separation``, ranked by value; and ``combat``, with the odds
        of each of its combats and the chance that A speaks first if both name it (C-2.1).

    Raises
    ------
    InputError
        If a name, a contact, a cell or an option cannot be used.

    Examples
    --------
    >>> found = melee(["Garde prétorien"] * 2, ["Guerrier de l'aube"] * 3)
    >>> (head,) = [row for row in found if row["section"] == "melee"]
    >>> head["what"], head["number"]
    ('A1+A2 v B1+B2+B3', 6)
    """
    listed = profiles_of(a, roster), profiles_of(b, roster)
    question = ask(*listed, contacts, routed, options or Options())
    return answer(question, chosen(question, run), run)


def chosen(question: MeleeQuestion, run: Run) -> Method:
    """Return how to answer a question about melees."""
    return chosen_method(question.questions, run, TRIALS, totals=True)


def answer(question: MeleeQuestion, method: Method, run: Run = USUAL_RUN) -> Result:
    """Return the answer to a question about melees by a method that suits its combats."""
    found = answers(question.questions, method, run)
    ranked: list[Choice] = []
    rows: list[Row] = []
    for kind in range(len(found[0].odds)):
        odds = [one.odds[kind] for one in found if len(one.odds) > kind]
        done = [one for one in odds if isinstance(one, Law) or one.trials]
        if len(done) < len(found):
            rows += _combats(question, done, method, found)
            break
        ranked = [
            choice(m, _values(question, i, odds), question.index[i], ranked[i] if ranked else None)
            for i, m in enumerate(question.melees)
        ]
        more = _rows(question, odds, method, ranked)
        if method.name == BOTH:
            exact = rows or more  # the exact rows come first, and have no difference
            for row, truth in zip(more, exact, strict=True):
                compared = row is not truth and row["section"] == "combat"
                row.update(difference_cells(row, truth if compared else None, COMPARED))
        rows += more
    whole = sum(one.is_whole(method) for one in found)
    stopped = cut_short(found[0], method)
    if len(found) > 1 and whole < len(found):
        stopped = say("{:,} of {:,} combats", whole, len(found))
    return _result(question, rows, method, stopped)


def _combats(
    question: MeleeQuestion, done: Sequence[Odds], method: Method, found: Sequence[Answer]
) -> list[Row]:
    """Return the rows of the first combats alone: separations need those that Ctrl-C left out."""
    named = {
        place: (number, combat)
        for number, index in enumerate(question.index, 1)
        for combat, place in reversed(index.items())
    }
    rows: list[Row] = []
    for place, odds in enumerate(done):
        row = _combat_row(question, odds, *named[place], place, None, method)
        law = found[place].law
        if method.name == BOTH:
            exact = (
                None if law is None or law is odds else side_cells(question.questions[place], law)
            )
            row.update(difference_cells(row, exact, COMPARED))
        rows.append(row)
    if not rows:
        return []
    rows = [_fighter_row(question, n) for n in range(len(question.fighters))] + rows
    return _filled(rows, _common(question, done, method))


def _values(question: MeleeQuestion, number: int, odds: Sequence[Odds]) -> dict[int, float]:
    """Return the value to A of each combat of a melee."""
    found = {}
    for combat, place in question.index[number].items():
        value = score_value(question.questions[place], odds[place])
        assert value is not None  # no answer is of no trials
        found[combat] = value
    return found


def _rows(
    question: MeleeQuestion, odds: Sequence[Odds], method: Method, choices: Sequence[Choice]
) -> list[Row]:
    """Return the rows by one kind of odds: fighters, then each melee."""
    rows = [_fighter_row(question, number) for number in range(len(question.fighters))]
    for number, (melee, found) in enumerate(zip(question.melees, choices, strict=True), 1):
        rows.append(
            {
                "section": "melee",
                "melee": number,
                "what": melee.name(melee.whole),
                "number": melee.count,
                **_disciplines(melee, melee.whole),
                "p_separates_a": found.chance_a,
                "value": found.expected,
            }
        )
        for rank, separation in enumerate(found.values, 1):
            rows += _separation_rows(question, odds, number, rank, separation, found, method)
    return _filled(rows, _common(question, odds, method))


def _filled(rows: Sequence[Row], common: Row) -> list[Row]:
    """Return rows with all columns, and with the cells that they share."""
    columns = dict.fromkeys(key for row in rows for key in row)
    return [{**columns, **common, **row} for row in rows]


def _fighter_row(question: MeleeQuestion, number: int) -> Row:
    """Return who a fighter is, and whom he touches."""
    combatant = question.fighters[number]
    touched = question.touched(number)
    inside = [n for n, m in enumerate(question.melees, 1) if _is_in(combatant, m)]
    return {
        "section": "fighter",
        "melee": inside[0] if inside else None,
        "what": key_of(combatant),
        "fighter": combatant.label,
        "side": combatant.side,
        "pa": combatant.profile.PA,
        "dis": combatant.profile.DIS,
        "routed": number in question.routed,
        "touches": " ".join(map(key_of, touched)),
    }


def _is_in(combatant: Combatant, melee: Melee) -> bool:
    return key_of(combatant) in map(key_of, melee.fighters)


def _separation_rows(
    question: MeleeQuestion,
    odds: Sequence[Odds],
    number: int,
    rank: int,
    separation: Separation,
    found: Choice,
    method: Method,
) -> list[Row]:
    """Return the row of a separation, and one for each of its combats."""
    melee, index = question.melees[number - 1], question.index[number - 1]
    places = [index[combat] for combat in separation]
    head: Row = {
        "section": "separation",
        "melee": number,
        "separation": rank,
        "what": ", ".join(map(melee.name, separation)),
        "alike": "+".join(map(str, sorted(places))),
        "best": found.best_for(separation),
        "value": clean(found.values[separation]),
    }
    return [
        head,
        *(
            _combat_row(question, odds[place], number, combat, place, rank, method)
            for combat, place in zip(separation, places, strict=True)
        ),
    ]


def _combat_row(
    question: MeleeQuestion,
    odds: Odds,
    number: int,
    combat: int,
    place: int,
    rank: int | None,
    method: Method,
) -> Row:
    """Return the row of a combat of a melee: which question it is, and in which separation."""
    melee, asked = question.melees[number - 1], question.questions[place]
    origin = odds_cells(asked, odds, method)
    return {
        "section": "combat",
        "melee": number,
        "separation": rank,
        "what": melee.name(combat),
        **_disciplines(melee, combat),
        "p_first_word_a": melee.chance_a(combat),
        **side_cells(asked, odds),
        "score": question.options.score,
        "sampler": origin["sampler"],
        "remainder": origin["remainder"],
        **({"ended": origin["ended"]} if "ended" in origin else {}),
    }


def _disciplines(melee: Melee, fighters: int) -> Row:
    own, other = melee.disciplines(fighters)
    return {"dis_a": own, "dis_b": other}


def _common(question: MeleeQuestion, odds: Sequence[Odds], method: Method) -> Row:
    """Return the cells that all rows of one kind of odds share."""
    rests = [law.remainder for law in odds if isinstance(law, Law)]
    return {
        **odds_cells(question, odds[0], method),
        "score": question.options.score,
        "remainder": max(rests, default=None),
        "command": question.command_line(method),
        **({} if method.precision is None else {"ended": None}),
    }


def _result(question: MeleeQuestion, rows: list[Row], method: Method, stopped: str) -> Result:
    """Return the rows with remarks on what was asked."""
    return Result.of(
        MELEE,
        rows,
        _title(question),
        question.provenance(method),
        before=_notes(question),
        note=method.note,
        stopped=stopped,
    )


def _title(question: MeleeQuestion) -> str:
    return say(
        "{} against {}",
        *(" + ".join(c.label for c in question.fighters if c.side == side) for side in SIDES),
    )


def _notes(question: MeleeQuestion) -> list[str]:
    """Return what is special about the fighters, and what is left out."""
    there = {key_of(c): c for melee in question.melees for c in melee.fighters}
    free = [key_of(c) for c in question.fighters if key_of(c) not in there]
    charged = [key for key, c in there.items() if c.charged]
    routed = [key_of(question.fighters[i]) for i in sorted(question.routed)]
    asked = [m for m in question.melees if m.separable]
    unknown = [
        key_of(c)
        for m in asked
        for i, c in enumerate(m.fighters)
        if c.profile.DIS is None and not m.routed >> i & 1
    ]
    charges = any(c.charges for c in there.values())
    weak = say("no charge here is strong enough for its penalty (M-5)") if charges else ""
    found = [
        _note(say("in no melee, since they touch no enemy (C-1.1)"), free),
        _note(say("in rout"), routed),
        _note(say("charged by those who touch them and charge (M-5)"), charged) or weak,
        _note(say("no DIS on the card, so they make no test; give it with --set"), unknown),
        *(
            say("{:,} separations: only the best of each side are listed", m.count)
            for m in question.melees
            if m.count > MOST_LISTED
        ),
        say("without pursuit (C-8): each combat is resolved for itself"),
    ]
    return [note for note in found if note]


def _note(what: str, keys: Sequence[str]) -> str:
    return say("{}: {}", what, keys) if keys else ""
