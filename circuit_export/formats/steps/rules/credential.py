"""C504: what looks like a credential in the definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity, pointer_tokens
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.secrets import secrets
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for what, pointer, part in secrets(survey.board.value, survey.board.definition.text):
        tokens = pointer_tokens(pointer)
        step = survey.steps[int(tokens[1])].id if tokens[:1] == ["steps"] and len(tokens) > 1 else None
        yield RULE.found(
            f"{'The board' if step is None else f'Step {shown(step)}'} holds what looks like {what}",
            pointer,
            step=step,
            part=part,
            hint="revoke it if it is real, and leave it to the connector: the definition rides in every page",
        )


RULE = Rule(
    "C504",
    "credential",
    Severity.ERROR,
    "The definition holds what looks like a token, a key or a password.",
    "A definition is shown on its page and kept in repositories. A secret in it is known to everybody who sees "
    "either. The message never repeats it.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "config": {"tool": "Wiki:get_page",
  "arguments": {"page": "Home", "api_key": "not-a-real-key-1234"}}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "config": {"tool": "Wiki:get_page",
  "arguments": {"page": "Home"}}}
"""),
    check=check,
)
