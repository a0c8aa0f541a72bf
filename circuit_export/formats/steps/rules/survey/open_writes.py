"""The writes that nobody approves, and the muted gates that should have asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from circuit_export.formats.steps.guards import GATE, Write, unguarded_writes

if TYPE_CHECKING:
    from circuit_export.formats.steps.rules.survey import Survey

SHOWN_WAY = 8
"""Steps of a way that a message names at most."""


class OpenWrite(NamedTuple):
    """An unguarded write, and the muted gate (by index) that stands last on its way; None when there is none."""

    write: Write
    muted_gate: int | None


def open_writes(survey: Survey) -> list[OpenWrite]:
    """The unguarded writes of a board, and of the workflows that it calls."""
    found = []
    gates: dict[int, int | None] = {survey.board.entry: None}
    for write in unguarded_writes(survey.board, survey.called):
        inside = write.document is survey.board
        found.append(OpenWrite(write, _last_muted_gate(survey, write, gates) if inside else None))
    return found


def _last_muted_gate(survey: Survey, write: Write, known: dict[int, int | None]) -> int | None:
    """Walks the way to a write backwards as far as it was not walked before, so that all ways together are linear."""
    way = []
    index = write.step.index
    while index not in known:
        way.append(index)
        before = write.before[index]
        if before is None:
            break
        index = before
    last = known.get(index)
    entry = survey.steps[index]
    if last is None and entry.type == GATE and not entry.enabled:
        last = index
    for step in reversed(way):
        if survey.steps[step].type == GATE and not survey.steps[step].enabled:
            last = step
        known[step] = last
    return last


def way_of(survey: Survey, write: Write) -> str:
    """The way to a write with arrows, its beginning left out when it is long."""
    index, names = write.step.index, [write.step.id]
    while index != write.document.entry and len(names) < SHOWN_WAY:
        index = write.before[index] or 0
        names.append(write.document.steps[index].id)
    if index != write.document.entry:
        names.append("…")
    return " → ".join(name if len(name) <= 40 else name[:39] + "…" for name in reversed(names))
