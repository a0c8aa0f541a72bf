"""The sections of a board's page: its connectors, what it can change, what it asks for, and what it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.board.model import Cell, Section, Span
from circuit_export.formats.json_text import setting_text
from circuit_export.formats.steps.calls import called_id
from circuit_export.formats.steps.connectors import Effect, Use, display, effect, tool_of, uses, writes
from circuit_export.formats.steps.guards import Write, all_writes
from circuit_export.formats.steps.words import filled, step_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from circuit_export.formats.steps.document import Input, Step, StepsDocument

_COMMA = Span(", ")
_EFFECTS = {
    Effect.READS: "only reads",
    Effect.WRITES: "writes",
    Effect.UNKNOWN: "not known to only read, so it counts as a write",
}


def sections(document: StepsDocument, called: Mapping[str, StepsDocument]) -> tuple[Section, ...]:
    """The sections below "what it does", in the order of the page."""
    return (
        _connectors(document),
        _changes(document, called),
        _inputs(document),
        _calls(document, called),
    )


def _link(step: Step) -> Span:
    return Span(step_name(step), "step", step.index)


def _links(steps: Iterable[Step]) -> Cell:
    spans: list[Span] = []
    for step in steps:
        spans += [_COMMA, _link(step)] if spans else [_link(step)]
    return tuple(spans)


# --- connectors it needs -----------------------------------------------------------------------------------------


def _connectors(document: StepsDocument) -> Section:
    found = uses(document.steps)
    return Section(
        slug="connectors",
        heading="Connectors it needs",
        intro="To run it you need these tools; capitals and punctuation in their names do not matter." if found else "",
        columns=("Tool", "Used by", "Reads or writes"),
        rows=tuple(_connector(document, use) for use in found),
        empty="It needs no connectors.",
    )


def _connector(document: StepsDocument, use: Use) -> tuple[Cell, ...]:
    steps = [document.steps[index] for index in use.steps]
    effects = dict.fromkeys(effect(step) for step in steps)
    says = _EFFECTS[next(iter(effects))] if len(effects) == 1 else "writes, at some of these steps"
    return ((Span(use.tool, "code"),), _links(steps), (Span(says),))


# --- what it can change ------------------------------------------------------------------------------------------


def _changes(document: StepsDocument, called: Mapping[str, StepsDocument]) -> Section:
    found = all_writes(document, called)
    alone = sum(write.unguarded for write in found)
    muted = [step for step in document.steps if not step.enabled and writes(step)]
    return Section(
        slug="changes",
        heading="What it can change",
        intro=_changes_intro(len(found), alone),
        rows=(*((_change(write),) for write in found), *((_muted(step),) for step in muted)),
        empty="Nothing: it only reads, thinks and reports.",
    )


def _changes_intro(count: int, alone: int) -> str:
    if not count:
        return ""
    if not alone:
        return "Nothing is changed without asking you." if count > 1 else "It asks you before it changes anything."
    if alone == count:
        every = "This happens" if count == 1 else f"All {count:,} of these happen"
        return f"{every} without asking you."
    return f"{alone:,} of these {count:,} {'happens' if alone == 1 else 'happen'} without asking you."


def _change(write: Write) -> Cell:
    """Says of one write what it is and whether somebody approves it."""
    step = write.step
    tool = tool_of(step)
    spans = [Span(step_name(step), "strong") if write.called_at else _link(step)]
    if write.called_at:
        spans += [Span(f" in “{write.document.name}”, which "), _link(write.called_at[0]), Span(" runs")]
    if tool:
        spans.append(Span(f" ({display(filled(tool))})"))
    spans.append(Span(": "))
    if write.effect is Effect.UNKNOWN:
        spans.append(Span("not known to only read, so it counts as a write; "))
    return (*spans, *_guard(write))


def _muted(step: Step) -> Cell:
    return (_link(step), Span(f" ({display(filled(tool_of(step)))}): switched off, so not now."))


def _guard(write: Write) -> Cell:
    if not write.reached:
        return (Span("no way leads here, so it never happens."),)
    if write.unguarded:
        return (Span("happens without asking you.", "strong"),)
    if write.gate is not None:
        gate = write.document.step(write.gate)
        assert gate is not None
        at = Span(step_name(gate), "strong") if write.called_at else _link(gate)
        return (Span("only after you approve at "), at, Span("."))
    if write.gated_inside:
        return (Span("only after you approve: a gate stands on every way here."),)
    return (Span("only after you approve, before that workflow is run."),)


# --- what it asks for --------------------------------------------------------------------------------------------


def _inputs(document: StepsDocument) -> Section:
    return Section(
        slug="inputs",
        heading="What it asks for",
        intro="You are asked for these before it starts." if document.inputs else "",
        columns=("Input", "What it is", "If left out"),
        rows=tuple(
            ((Span(item.name, "code"),), (Span(item.description),), (_absent(item),)) for item in document.inputs
        ),
        empty="It asks for nothing before it starts.",
    )


def _absent(item: Input) -> Span:
    if item.has_default:
        text = setting_text(item.default)
        return Span(text, "code") if text else Span("empty")
    return Span("it must be given" if item.required else "it runs without")


# --- workflows it calls ------------------------------------------------------------------------------------------


def _calls(document: StepsDocument, called: Mapping[str, StepsDocument]) -> Section:
    callers: dict[str, list[Step]] = {}
    for step in document.steps:
        id = called_id(step)
        if id:
            callers.setdefault(id, []).append(step)
    return Section(
        slug="calls",
        heading="Workflows it calls",
        intro="They run inside this one; those that were found ride along in this page." if callers else "",
        columns=("Workflow", "Called by", "What it is"),
        rows=tuple(_callee(id, steps, called.get(id)) for id, steps in callers.items()),
        empty="It calls no other workflow.",
    )


def _callee(id: str, steps: list[Step], callee: StepsDocument | None) -> tuple[Cell, ...]:
    if callee is None:
        return ((Span(id, "code"),), _links(steps), (Span("Not found: a run stops there until it is."),))
    return ((Span(callee.name), Span(" "), Span(id, "code")), _links(steps), (Span(callee.description),))
