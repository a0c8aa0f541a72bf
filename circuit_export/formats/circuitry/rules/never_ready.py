"""C842: a call that can never run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.circuitry.rules.circles import circles
from circuit_export.formats.wording import names, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.program import Call
    from circuit_export.formats.circuitry.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not survey.is_whole:
        return
    flow, first = survey.flow, survey.first
    late: dict[int, dict[str, int]] = {}
    for step, call in [*survey.calls(), (len(flow.ids) - 1, None)]:
        needs = [name for name, optional in flow.needs[step].items() if not optional]
        part = survey.left_out(call)
        if part:
            yield _left_out(survey, call, part)
        elif first[step] is None and all(name in flow.binders for name in needs):  # else it is said already
            ways = {name: flow.binders[name] for name in needs}
            late[step] = {
                name: ports[0].step for name, ports in ways.items() if all(first[port.step] is None for port in ports)
            }
    in_circles = _in_circles(late, len(flow.ids))
    for step, waits in late.items():
        yield _late(survey, step, waits, in_circle=step in in_circles)


def _in_circles(late: dict[int, dict[str, int]], count: int) -> set[int]:
    links: list[list[int]] = [[] for _ in range(count)]
    for step, waits in late.items():
        for binder in waits.values():
            links[binder].append(step)
    return {step for circle in circles(links) for step in circle}


def _late(survey: Survey, step: int, waits: dict[str, int], *, in_circle: bool) -> Diagnostic:
    """The finding about a step that waits for calls that never run."""
    call = survey.document.calls[step - 1] if step <= len(survey.document.calls) else None
    name, binder = next(iter(waits.items()))
    hint = f"{shown(name)} comes from {shown(survey.flow.ids[binder])}, which has to run first"
    if in_circle:
        hint = "let one of them begin without the other: ?name in a list, an object or an argument"
    return survey.found(
        RULE,
        f"{_who(call)} is never ready: {names(waits)} can only be bound by calls that never run themselves",
        survey.reading(call, name),
        None if call is None else call.name,
        hint=hint,
    )


def _left_out(survey: Survey, call: Call | None, part: str) -> Diagnostic:
    """The finding about a step that has nothing but the text of a section that is not there."""
    extent = survey.document.program.output_extent if call is None else survey.part(call, part)
    return survey.found(
        RULE,
        f"{_who(call)} is never ready: its {part} is the text of a section that is not there, and nothing else",
        extent,
        None if call is None else call.name,
        hint="write the section, or name it inside a longer text: only there it may be missing",
    )


def _who(call: Call | None) -> str:
    return "The program's out" if call is None else f"The call {shown(call.name)}"


RULE = Rule(
    "C842",
    "never-ready",
    Severity.ERROR,
    "A call waits for names that only calls bind which wait in turn, for it or for something that is never there.",
    "None of them can be the first, so none ever runs.",
    bad='draft source="writer" { in { advice $advice }; out { text $text } }\n'
    'review source="reviewer" { in { text $text }; out { advice ?advice } }\n'
    "out { text ?text }\n",
    good='draft source="writer" { in { advice ?advice }; out { text $text } }\n'
    'review source="reviewer" { in { text $text }; out { advice ?advice } }\n'
    "out { text $text }\n",
    check=check,
)
