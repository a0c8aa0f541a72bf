"""Builds the directive by which a step asks for what it needs, from the step and the run's data alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from circuit_export.formats.steps.connectors import Effect, effect_of_name
from circuit_export.formats.steps.document import Step
from circuit_export.formats.steps.engine import settings, wording
from circuit_export.formats.steps.engine.settings import Data, Unfit
from circuit_export.runs.directives import ASK, CALL_TOOL, PREVIEW, SAY, THINK, Directive
from circuit_export.runs.dot_paths import MISSING, look_up
from circuit_export.runs.record import TEST
from circuit_export.runs.templates import text_of


class Asked(NamedTuple):
    """A directive without its turn, and what its step is handed, for the history."""

    directive: Directive
    given: Any


def ask(step: Step, data: Data, mode: str) -> Asked:
    """What a step that somebody else performs asks for. Raises Unfit when its settings do not let it."""
    return _BUILDERS[step.type](step, data, mode)


def asks(step: Step) -> bool:
    """Is it a step that somebody else performs?"""
    return step.type in _BUILDERS


def call(step: Step, data: Data) -> tuple[str, dict[str, Any], bool]:
    """The tool a step calls, its arguments, and whether it only reads. Raises Unfit without a tool."""
    tool = settings.text(step, "tool", data).strip()
    if not tool:
        raise Unfit("it names no tool")
    arguments = settings.object_of(step, "arguments", data)
    writes = settings.yes_no(step, "writes", data)
    reads = effect_of_name(tool) is Effect.READS if writes is None else not writes
    return tool, arguments, reads


def would_call(step: Step, data: Data) -> str:
    """What a test run says of a call that it only shows; "" of one that it makes, or that cannot be made any more."""
    try:
        tool, _, reads = call(step, data)
    except Unfit:
        return ""
    return "" if reads else f"would call {tool}"


def read_input(step: Step, data: Data) -> Any:
    """What a step that reads is given: what its path finds, and the trigger when that is nothing."""
    path = settings.path(step, "input", data)
    found = look_up(data, path) if path else MISSING
    return data.get("trigger") if found is MISSING or found is None else found


def _call_tool(step: Step, data: Data, mode: str) -> Asked:
    tool, arguments, reads = call(step, data)
    shown = mode == TEST and not reads
    directive = {
        "act": PREVIEW if shown else CALL_TOOL,
        "stepId": step.id,
        "title": step.title,
        "tool": tool,
        "arguments": arguments,
        "expect": wording.EXPECT_PREVIEW if shown else wording.EXPECT_CALL,
    }
    return Asked(directive, arguments)


def _think(step: Step, task: str, given: Any, expect: str, **more: Any) -> Asked:
    instruction = {"instruction": more.pop("instruction")} if "instruction" in more else {}
    head = {"act": THINK, "stepId": step.id, "title": step.title, "task": task}
    return Asked({**head, **instruction, "input": given, **more, "expect": expect}, given)


def _classify(step: Step, data: Data, _mode: str) -> Asked:
    return _think(
        step,
        "classify",
        read_input(step, data),
        wording.EXPECT_CLASSIFY,
        instruction=settings.text(step, "instructions", data),
        labels=list(settings.names(step, "labels", 2)),
    )


def _write(step: Step, data: Data, _mode: str) -> Asked:
    instruction = settings.text(step, "instructions", data)
    voice = settings.text(step, "voice", data).strip()
    found = {path: look_up(data, path) for path in settings.paths(step, "context", data)}
    return _think(
        step,
        "write",
        {path: value for path, value in found.items() if value is not MISSING},
        wording.EXPECT_WRITE,
        instruction=f"{instruction}\nWrite in this voice: {voice}" if voice else instruction,
        maxWords=settings.whole(step, "maxWords", data, least=1),
    )


def _extract(step: Step, data: Data, _mode: str) -> Asked:
    return _think(step, "extract", read_input(step, data), wording.EXPECT_EXTRACT, fields=settings.fields(step, data))


def _gate(step: Step, data: Data, _mode: str) -> Asked:
    path = settings.path(step, "preview", data)
    preview = text_of(look_up(data, path)) if path else ""
    directive = {
        "act": ASK,
        "stepId": step.id,
        "title": step.title,
        "question": settings.text(step, "question", data),
        "preview": preview,
        "expect": wording.EXPECT_ASK,
    }
    return Asked(directive, preview)


def _say(step: Step, data: Data, _mode: str) -> Asked:
    said = settings.text(step, "template", data)
    return Asked({"act": SAY, "stepId": step.id, "text": said, "expect": wording.EXPECT_SAY}, said)


_BUILDERS: Final[dict[str, Callable[[Step, Data, str], Asked]]] = {
    "trigger.watch": _call_tool,
    "tool.call": _call_tool,
    "model.classify": _classify,
    "model.write": _write,
    "model.extract": _extract,
    "gate.approve": _gate,
    "note.say": _say,
}
