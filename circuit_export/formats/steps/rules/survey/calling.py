"""Which workflows a board calls, and what those call in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.formats.steps.calls import called_id, called_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from circuit_export.formats.steps.document import Step, StepsDocument
    from circuit_export.formats.steps.rules.survey import Survey

DEEPEST = 4
"""How many calls deep a workflow may be nested; the root is not counted."""


def calls(survey: Survey) -> Iterator[tuple[Step, str]]:
    """The steps that call a workflow whose id is written out, each with that id."""
    for step in survey.steps:
        id = called_id(step)
        if id:
            yield step, id


def back_to(board: StepsDocument, called: Mapping[str, StepsDocument], id: str) -> list[str] | None:
    """The shortest chain of ids by which calling `id` leads back to `board`; None when it does not."""
    before: dict[str, str] = {id: ""}
    waiting = [id]
    while waiting:
        following = []
        for caller in waiting:
            if caller == board.id:
                return _chain(before, caller)
            document = called.get(caller)
            for callee in called_ids(document) if document is not None else ():
                if callee not in before:
                    before[callee] = caller
                    following.append(callee)
        waiting = following
    return None


def _chain(before: dict[str, str], last: str) -> list[str]:
    chain = [last]
    while before[chain[-1]]:
        chain.append(before[chain[-1]])
    return chain[::-1]


def deeper_than(called: Mapping[str, StepsDocument], id: str, most: int) -> list[str] | None:
    """A chain of `most` + 1 calls that starts by calling `id`; None when there is none.

    Goes level by level, so that a web of calls costs no more than its size times `most`.
    """
    levels: list[dict[str, str]] = [{id: ""}]
    while len(levels) <= most:
        following: dict[str, str] = {}
        for caller in levels[-1]:
            document = called.get(caller)
            for callee in called_ids(document) if document is not None else ():
                following.setdefault(callee, caller)
        if not following:
            return None
        levels.append(following)
    chain = [next(iter(levels[-1]))]
    for level in reversed(levels[1:]):
        chain.append(level[chain[-1]])
    return chain[::-1]
