"""C803: `program.section.missing`, a section is named that the document does not have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.wording import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey

_NONE_COUNTS = "two sections have one name, so none of them counts: mend that first"
_OTHERWISE = "write ?@ where the text may be missing; take a literal @ from a section or from the input"
_NAME = re.compile("“(.*)”", re.DOTALL)


def check(survey: Survey) -> Iterator[Diagnostic]:
    known = [section.name for section in survey.document.sections]
    twice = any(survey.said("program.section.duplicate"))
    for one in survey.said(RULE.reference):
        name = _NAME.search(one.message)
        near = survey.spelling.near(name[1], known) if name is not None and not twice else None
        hint = _NONE_COUNTS if twice else did_you_mean(near, _OTHERWISE)
        yield survey.found(RULE, one.message, one.exact, one.call, hint=hint)


RULE = Rule(
    "C803",
    "section-missing",
    Severity.ERROR,
    "A section is named that the document does not have.",
    "What the text should be is not known. An address with an @ in it is read as a section too.",
    bad='---\nout "@Tsak"\n---\n# Task\nSum it up.\n',
    good='---\nout "@Task"\n---\n# Task\nSum it up.\n',
    check=check,
    reference="program.section.missing",
)
