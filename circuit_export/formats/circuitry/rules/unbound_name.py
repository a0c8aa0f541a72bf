"""C840: a name that is read and never bound."""

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
    last = len(flow.ids) - 1
    for step, needs in enumerate(flow.needs):
        for name, optional in needs.items():
            if name in flow.binders:
                continue
            call = survey.document.calls[step - 1] if 0 < step < last else None
            who = "The program's out" if call is None else f"The call {shown(call.name)}"
            hint = did_you_mean(survey.spelling.near(name, flow.binders), "bind it in an out, or in the program's in")
            what = "is left out there" if optional else "never becomes ready"
            yield survey.found(
                RULE,
                f"{who} reads {shown(name)}, which nothing binds, so it {what}",
                survey.reading(call, name),
                None if call is None else call.name,
                severity=Severity.WARNING if optional else Severity.ERROR,
                hint=hint,
            )


RULE = Rule(
    "C840",
    "unbound-name",
    Severity.ERROR,
    "A state name is read that neither the program's in nor any call binds.",
    "What needs it never runs; what takes it only when it is there never gets it. It is a warning then.",
    bad='in { name $name }\ngreet source="" { in "Dear $nmae"; out $greeting }\n'
    "out { name $name; greeting ?greeting }\n",
    good='in { name $name }\ngreet source="" { in "Dear $name"; out $greeting }\nout $greeting\n',
    check=check,
)
