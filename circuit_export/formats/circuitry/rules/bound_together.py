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


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not survey.is_whole:
        return
    first = survey.first
    for name, ports in survey.flow.binders.items():
        earlier: dict[int, int] = {}
        for port in ports:
            generation = first[port.step]
            if port.failing or not port.step or generation is None or name not in survey.always[port.step]:
                continue
            if generation in earlier:
                call = survey.document.calls[port.step - 1]
                other = survey.document.calls[earlier[generation] - 1]
                yield survey.found(
                    RULE,
                    f"{shown(other.name)} and {shown(call.name)} bind {shown(name)} in one generation; "
                    f"{shown(call.name)} wins, as it is written later",
                    survey.part(call, "out"),
                    call.name,
                    hint="bind two names, or let one wait for the other",
                )
            earlier[generation] = port.step


RULE = Rule(
    "C847",
    "bound-together",
    Severity.WARNING,
    "Two calls that first run in the same generation bind the same name.",
    "Both run, and what the one that is written first gave is lost, whichever ends first.",
    bad='in { name $name }\none source="" { in "Dear $name"; out $greeting }\n'
    'two source="" { in "Hello $name"; out $greeting }\nout $greeting\n',
    good='in { name $name }\none source="" { in "Dear $name"; out $formal }\n'
    'two source="" { in "Hello $name"; out $greeting }\nout { formal $formal; greeting $greeting }\n',
    check=check,
)
