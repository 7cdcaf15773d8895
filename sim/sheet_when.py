"""How the tests of stage S must fall for what a unit may do, in words."""

from collections.abc import Sequence

from estoc.kernels.sheet_codes import Trial
from estoc.sim.sheet_cases import Case
from estoc.sim.sheet_counter import Labels
from estoc.sim.sheet_words import TESTS

OTHERWISE = "in every other case"
Result = tuple[Trial, int, bool]  # of a test: which, of what piece, whether failed


def conditions(groups: Sequence[Sequence[Case]], names: Labels) -> list[str]:
    """Return for each group of cases which results of tests lead to it; empty: no few words tell.

    Parameters
    ----------
    groups : sequence of sequence of Case
        All cases, those with one answer together.
    names : Labels
    """
    if len(groups) == 1:
        return [""]
    told = [_told(group, groups, names) for group in groups]
    return [OTHERWISE if not words and told.count("") == 1 else words for words in told]


def _told(group: Sequence[Case], groups: Sequence[Sequence[Case]], names: Labels) -> str:
    """Return the results that all cases of a group have and no case of another group has."""
    others = [set(case.tests) for each in groups if each is not group for case in each]
    shared = [test for test in group[0].tests if all(test in case.tests for case in group)]
    if any(set(shared) <= tests for tests in others):
        return ""
    for test in tuple(shared):  # those without which it is still told
        rest = [each for each in shared if each != test]
        if rest and not any(set(rest) <= tests for tests in others):
            shared = rest
    return f"if {' and '.join(_words(test, names) for test in shared)}"


def _words(test: Result, names: Labels) -> str:
    trial, who, failed = test
    if failed:
        return f"{names.piece(who)} fails the {TESTS[trial]}"
    return f"{names.piece(who)} passes the {TESTS[trial]}"
