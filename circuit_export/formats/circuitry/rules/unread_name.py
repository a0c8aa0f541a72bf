"""C841: a name that is bound and never read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.wording import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not survey.is_whole:
        return
    flow = survey.flow
    read = {name for needs in flow.needs for name in needs}
    unbound = sorted(read - set(flow.binders))
    for step, ports in enumerate(flow.ports):
        for port in ports:
            if port.name in read:
                continue
            call = survey.document.calls[step - 1] if step else None
            extent = survey.document.program.input_extent if call is None else survey.part(call, _part(port.failing))
            who = "The program's in" if call is None else f"The call {shown(call.name)}"
            yield survey.found(
                RULE,
                f"{who} binds {shown(port.name)}, which nothing reads",
                None if extent is None else survey.named(extent, port.name),
                None if call is None else call.name,
                severity=Severity.NOTE if port.failing else Severity.WARNING,
                hint=did_you_mean(survey.spelling.near(port.name, unbound), "read it, or leave it out of the pattern"),
            )


def _part(failing: bool) -> str:
    return "error" if failing else "out"


RULE = Rule(
    "C841",
    "unread-name",
    Severity.WARNING,
    "A state name is bound, and neither a call nor the program's out reads it.",
    "It is computed for nobody. Of a failure it is only a note: that it is handled is worth something by itself.",
    bad='in { name $name }\ngreet source="" { in "Dear $name"; out $greeting }\nout $name\n',
    good='in { name $name }\ngreet source="" { in "Dear $name"; out $greeting }\nout $greeting\n',
    check=check,
)
