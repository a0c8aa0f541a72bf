"""C847: two calls of one generation that bind one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey

LOOKED_AT = 8
"""Calls before one that are compared with it: there may be thousands that bind one name."""


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not survey.is_whole:
        return
    for name, ports in survey.flow.binders.items():
        earlier: dict[int, list[int]] = {}
        for port in ports:
            generation = survey.first[port.step]
            if port.failing or not port.step or generation is None or name not in survey.always[port.step]:
                continue
            if not survey.timely[port.step]:
                continue  # it may run later than the others
            before = earlier.setdefault(generation, [])
            lost = next((step for step in reversed(before[-LOOKED_AT:]) if _always_too(survey, step, port.step)), None)
            if lost is not None:
                yield _together(survey, name, lost, port.step)
            before.append(port.step)


def _always_too(survey: Survey, earlier: int, later: int) -> bool:
    """Whether the later call runs whenever the earlier one does, so that what that one binds is always lost."""
    return survey.conditions[later] <= survey.conditions[earlier]


def _together(survey: Survey, name: str, earlier: int, later: int) -> Diagnostic:
    call, other = survey.document.calls[later - 1], survey.document.calls[earlier - 1]
    out = survey.part(call, "out")
    return survey.found(
        RULE,
        f"{shown(other.name)} and {shown(call.name)} bind {shown(name)} in one generation; "
        f"{shown(call.name)} wins, as it is written later",
        survey.named(out, name) or out,
        call.name,
        hint="bind two names, or let one wait for the other",
    )


RULE = Rule(
    "C847",
    "bound-together",
    Severity.WARNING,
    "Two calls that first run in the same generation, for certain if nothing fails, bind the same name.",
    "Both run, and what the one that is written first gave is lost, whichever ends first. Alternatives are fine: calls "
    "that wait for names of which one may be missing, or a usual value that one written later may replace.",
    bad='in { name $name }\none source="" { in "Dear $name"; out $greeting }\n'
    'two source="" { in "Hello $name"; out $greeting }\nout $greeting\n',
    good='in { name $name }\none source="" { in "Dear $name"; out $formal }\n'
    'two source="" { in "Hello $name"; out $greeting }\nout { formal $formal; greeting $greeting }\n',
    check=check,
)
