"""C730: a placeholder that is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import edge, graph, skill
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey

_MENDABLE = re.compile(r"\$\{steps\.\s*([^.}\s][^.}]*?)\s*(?:\.\s*output\s*)?\}", re.IGNORECASE)


def check(survey: Survey) -> Iterator[Diagnostic]:
    for reader, _, use in survey.uses:
        if use.id is not None:
            continue
        node = survey.graph.nodes[reader]
        mended = _mended(use.text, survey)
        place = Place(use.pointer, part=use.part)
        yield RULE.found(
            f"Node {shown(node.id)} has the malformed placeholder {shown(use.text)}",
            use.pointer,
            part=use.part,
            step=node.id,
            hint=_hint(use.text, mended),
            fix=Fix(f"write “{mended}”", (Edit(Action.REPLACE, place, mended),)) if mended else None,
        )


def _mended(text: str, survey: Survey) -> str:
    """What was most likely meant, "" when that cannot be told."""
    found = _MENDABLE.fullmatch(text) if len(text) < 200 else None
    return f"${{steps.{found[1]}.output}}" if found and found[1] in survey.graph.by_id else ""


def _hint(text: str, mended: str) -> str:
    if mended:
        return f"did you mean {mended}?"
    if ".output." in text or ".output[" in text:
        return "only the whole output can be read: write ${steps.ID.output}"
    return "write ${steps.ID.output}, with nothing else between the braces"


RULE = Rule(
    "C730",
    "placeholder-malformed",
    Severity.ERROR,
    "A text begins a placeholder and does not end it as one: `${steps.ID.output}` is the only form.",
    "Nothing replaces it, so the node's input can never be made. Fields and items of an output cannot be read, there "
    "is no way to escape one, and blanks and the case of letters count.",
    bad=graph(skill("draft"), skill("check", '"input": {"text": "${steps.draft}"}'), edges=(edge("draft", "check"),)),
    good=graph(
        skill("draft"), skill("check", '"input": {"text": "${steps.draft.output}"}'), edges=(edge("draft", "check"),)
    ),
    check=check,
)
