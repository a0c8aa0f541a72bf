"""C842: a call that can never run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.wording import names, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not survey.is_whole:
        return
    flow, first = survey.flow, survey.first
    for step, call in [*survey.calls(), (len(flow.ids) - 1, None)]:
        needs = [name for name, optional in flow.needs[step].items() if not optional]
        if first[step] is not None or any(name not in flow.binders for name in needs):
            continue  # a name that nobody binds is said already
        late = [name for name in needs if all(first[port.step] is None for port in flow.binders[name])]
        who = "The program's out" if call is None else f"The call {shown(call.name)}"
        yield survey.found(
            RULE,
            f"{who} is never ready: {names(late)} can only be bound by calls that never run themselves",
            survey.document.program.output_extent if call is None else call.name_extent,
            None if call is None else call.name,
            hint="let one of them begin without the other: ?name instead of $name",
        )


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
