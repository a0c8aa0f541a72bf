"""C811: `program.call.source`, a call says no source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.circuitry.document import FENCES
from circuit_export.formats.circuitry.source import is_nearly_fenced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey

_HINT = 'write what it runs as source="…"; source="" hands its input on'


def check(survey: Survey) -> Iterator[Diagnostic]:
    fenced = is_nearly_fenced(survey.document.definition.text)
    for one in survey.said(RULE.reference):
        yield survey.found(RULE, one.message, one.exact, one.call, hint=FENCES if fenced else _HINT)


RULE = Rule(
    "C811",
    "call-source-missing",
    Severity.ERROR,
    "A call says no source.",
    "A node at the root that is not in, out or circuitry is a call; without a source nothing says what it runs.",
    bad="greet { out $greeting }\nout ?greeting\n",
    good='greet source="" { out $greeting }\nout $greeting\n',
    check=check,
    reference="program.call.source",
)
