"""C503: a gate that does not show what is about to be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.connectors import writes
from circuit_export.formats.steps.guards import GATE
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import names, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import Step
    from circuit_export.formats.steps.rules.survey import Survey

LOOKED_AT = 64
"""Steps behind a gate that are looked at: what a gate is for stands close to it."""


def check(survey: Survey) -> Iterator[Diagnostic]:
    read = _read_by(survey)
    for step in survey.steps:
        if step.type != GATE or not step.enabled:
            continue
        following = _writes_after(survey, step)
        if not following:
            continue
        preview = next((path for path in read.get(step.index, ()) if path), "")
        if not preview and not _has_preview(step):
            yield _found(step, following, f"shows nothing of what {names([w.id for w in following])} will change")
            continue
        written = {path for write in following for path in read.get(write.index, ()) if _is_text(survey, path)}
        paths = [path for write in following for path in read.get(write.index, ())]
        if preview and written and not any(_related(preview, path) for path in paths):
            shows = f"shows {shown(preview)}, but {names([w.id for w in following])} writes {names(sorted(written))}"
            yield _found(step, following, shows)


def _found(gate: Step, following: list[Step], what: str) -> Diagnostic:
    has = "preview" in gate.config
    return RULE.found(
        f"The gate {shown(gate.id)} {what}",
        f"/steps/{gate.index}/config/preview" if has else f"/steps/{gate.index}/config",
        step=gate.id,
        hint="set “preview” to the path of the text that is written next",
        related=tuple(
            Related(f"{shown(step.id)} changes something", Place(f"/steps/{step.index}/id")) for step in following[:3]
        ),
    )


def _has_preview(gate: Step) -> bool:
    """Whether a preview is written at all, be it one that says nothing readable."""
    preview = gate.config.get("preview")
    return bool(preview.strip()) if isinstance(preview, str) else preview is not None


def _read_by(survey: Survey) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for reference in survey.references:
        found.setdefault(reference.step, []).append(reference.path)
    return found


def _writes_after(survey: Survey, gate: Step) -> list[Step]:
    """The first writes on each way behind a gate, up to the next gate."""
    seen, waiting, found = {gate.index}, [gate.index], []
    while waiting and len(seen) < LOOKED_AT:
        for target in survey.graph.targets[waiting.pop(0)]:
            if target < 0 or target in seen:
                continue
            seen.add(target)
            step = survey.steps[target]
            if step.type == GATE and step.enabled:
                continue
            if step.enabled and writes(step):
                found.append(step)
            else:
                waiting.append(target)
    return sorted(found, key=lambda step: step.index)


def _is_text(survey: Survey, path: str) -> bool:
    """Whether a path leads to what a step wrote."""
    segments = path.split(".")
    index = survey.board.by_id.get(segments[1]) if segments[0] == "steps" and len(segments) > 1 else None
    return index is not None and survey.steps[index].type == "model.write"


def _related(preview: str, path: str) -> bool:
    """Whether what is shown and what is written come from the same step, item or input."""
    ours, theirs = preview.split("."), path.split(".")
    depth = 2 if ours[0] in ("steps", "input") else 1
    return ours[:depth] == theirs[: min(depth, len(theirs))] or theirs[:depth] == ours[: min(depth, len(ours))]


RULE = Rule(
    "C503",
    "blind-gate",
    Severity.WARNING,
    "A gate shows nothing, or another text than the one that the write behind it sends.",
    "Who approves should see what will go out: an approval of something else is worth nothing, and an edit of it "
    "is lost.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "gate"}]},
 {"id": "gate", "type": "gate.approve", "title": "Let me read it", "config": {"preview": ""},
  "next": [{"port": "out", "to": "send"}]},
 {"id": "send", "type": "tool.call", "title": "Send it", "config": {"tool": "Slack:send_message",
  "arguments": {"text": "{{steps.draft.text}}"}}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "gate"}]},
 {"id": "gate", "type": "gate.approve", "title": "Let me read it", "config": {"preview": "steps.draft.text"},
  "next": [{"port": "out", "to": "send"}]},
 {"id": "send", "type": "tool.call", "title": "Send it", "config": {"tool": "Slack:send_message",
  "arguments": {"text": "{{steps.draft.text}}"}}}
"""),
    check=check,
)
