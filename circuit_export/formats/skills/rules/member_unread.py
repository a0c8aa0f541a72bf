"""C729: a member for people or an editor with a value that they cannot read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity, escape_pointer
from circuit_export.formats.base import Rule
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.skills.rules.display import unread
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.skills.rules.survey import Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    items: dict[int, Item] = {}
    for node, path, found, expected in unread(survey):
        if node is not None and not items:
            items = {item.index: item for item in survey.items}
        whose = "The skill graph" if node is None else items[node].name
        yield RULE.found(
            f"{whose}: its “{'.'.join(path)}” is {kind_of(found)}, so it does not count",
            ("" if node is None else items[node].pointer) + "".join(f"/{escape_pointer(step)}" for step in path),
            step=None if node is None else items[node].id,
            hint=f"write {expected}, or leave it out",
        )


RULE = Rule(
    "C729",
    "member-unread",
    Severity.NOTE,
    "A name, a label, a position or another member that a run does not need has a value of the wrong kind.",
    "It is kept, and counts as if it were not there: what people should read is not shown to them.",
    bad=graph(skill("draft", '"label": 7')),
    good=CHAIN,
    check=check,
)
