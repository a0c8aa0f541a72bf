"""C848: calls that feed each other, and nothing that ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.circuitry.rules.circles import circles
from circuit_export.formats.circuitry.rules.growth import grows
from circuit_export.formats.circuitry.words import Kind, kind
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey

SPELLED = 8


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not survey.is_whole:
        return
    for circle in circles(_links(survey)):
        calls = [survey.document.calls[step - 1] for step in circle]
        only_values = all(kind(call) is Kind.PASS for call in calls)
        if only_values and not grows(calls, surely=False):
            continue  # it ends as soon as everybody has what is handed on
        is_endless = only_values and grows(calls, surely=True) and not _is_disturbed(survey, circle)
        way = " → ".join(shown(call.name) for call in (*calls[:SPELLED], calls[0]))
        what = "makes a new value each time and never ends" if is_endless else "ends only when a value comes again"
        yield survey.found(
            RULE,
            f"{way} {what}: {'it feeds itself' if len(calls) == 1 else 'they feed each other'} every time",
            calls[0].name_extent,
            calls[0].name,
            severity=Severity.WARNING if is_endless else Severity.NOTE,
            hint="let a name that keeps it going be optional in the out that binds it, ?name, and absent at the end",
        )


def _is_disturbed(survey: Survey, circle: list[int]) -> bool:
    """Whether a name that goes round is bound by more than one call that may run again, so that one undoes another."""
    binders = survey.flow.binders
    names = {port.name for step in circle for port in survey.flow.ports[step]}
    return any(len({port.step for port in binders[name] if survey.flow.needs[port.step]}) > 1 for name in names)


def _links(survey: Survey) -> list[list[int]]:
    """For each step that can run those that need what it binds whenever it does."""
    flow = survey.flow
    links: list[list[int]] = [[] for _ in flow.ids]
    for found in flow.flows():
        port = found.port
        can_run = port.step and survey.first[port.step] is not None
        if can_run and not port.failing and port.name in survey.always[port.step]:
            links[port.step].append(found.target)
    return links


RULE = Rule(
    "C848",
    "endless-loop",
    Severity.WARNING,
    "Calls feed each other in a circle, and every one of them binds what the next one needs whenever it succeeds.",
    "A call runs again whenever what it is given has changed, so this ends only when a value comes a second time. "
    "Where commands make the values that may well be meant, and it is a note.",
    bad='grow source="" { in "?$text."; out $text }\nout $text\n',
    good='grow source="step" "?text" { out { text ?text } }\nout { text ?text }\n',
    check=check,
)
