"""C708: edges that are no list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, HEAD, skill, whole
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not isinstance(survey.value, dict) or isinstance(survey.members.get("edges"), list):
        return
    edit = Edit(Action.INSERT, Place(), [], "edges")
    if "edges" in survey.members:
        edit = Edit(Action.REPLACE, Place("/edges"), [])
    yield RULE.found(
        f"A skill graph has a list of “edges”; {stands(survey.members, 'edges')}",
        "/edges",
        hint='write "edges": [] if no node depends on another',
        fix=Fix('write "edges": []', (edit,)) if survey.members.get("edges") is None else None,
    )


RULE = Rule(
    "C708",
    "edges-type",
    Severity.ERROR,
    "The edges are missing or no list.",
    "The list may be empty, but it must be there: a graph that lost its edges looks just like one that never had any.",
    bad=whole(HEAD, f'"nodes": [{skill("draft")}]'),
    good=CHAIN,
    check=check,
)
