"""Turns what was asked and answered in a run into a scenario that plays it again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from circuit_export.runs.clipping import redact
from circuit_export.runs.directives import ASK
from circuit_export.runs.record import LIVE
from circuit_export.runs.scenario import Exchange, Expect, Reply, Scenario

# Words of the board itself, on which its walk depends: they tell nothing of what a service returned.
_OWN_WORDS = ("label", "decision")


def recorded(
    name: str,
    exchanges: Iterable[Exchange],
    *,
    status: str,
    input: Mapping[str, Any] | None = None,
    trigger: Any = None,
    mode: str = LIVE,
    redacted: bool = False,
) -> Scenario:
    """The scenario of a run: its answers by step, in the order they were given.

    `status` is how the run ended, which the scenario then expects. With `redacted` every value is replaced by its
    shape; labels and decisions stay. A redacted scenario may take another way where the board looks at values.
    """
    answers: dict[str, list[Reply]] = {}
    for exchange in exchanges:
        if exchange.reply is not None:
            key = "/".join((*exchange.path, exchange.directive["stepId"]))
            answers.setdefault(key, []).append(_redacted(exchange, exchange.reply) if redacted else exchange.reply)
    for replies in answers.values():
        while len(replies) > 1 and replies[-1] == replies[-2]:  # the last one is repeated anyway
            replies.pop()
    return Scenario(
        place=0,
        name=name,
        input={key: _shape(value) for key, value in (input or {}).items()} if redacted else dict(input or {}),
        trigger=_shape(trigger) if redacted and trigger is not None else trigger,
        mode=mode,
        answers={key: tuple(replies) for key, replies in answers.items()},
        expect=Expect() if status == "succeeded" else Expect(status=status),
    )


def _redacted(exchange: Exchange, reply: Reply) -> Reply:
    if reply.kind == "results":
        errors = {head: _shape(error) for head, error in reply.errors.items()}
        return Reply("results", {head: _shape(value) for head, value in reply.value.items()}, errors)
    if reply.kind == "result" and _chooses(exchange):
        if isinstance(reply.value, dict):
            kept = {key: value if key in _OWN_WORDS else _shape(value) for key, value in reply.value.items()}
            return reply._replace(value=kept)
        return reply
    return reply._replace(value=_shape(reply.value))


def _shape(value: Any) -> Any:
    """The shape of a value that a workflow can still walk by: a list keeps its length, and nothing stays nothing."""
    if isinstance(value, list):
        return [_shape(item) for item in value]
    if isinstance(value, dict):
        return {key: _shape(item) for key, item in value.items()}
    return redact(value) if value != "" else value


def _chooses(exchange: Exchange) -> bool:
    """Is a label or a decision asked for?"""
    return "labels" in exchange.directive or exchange.directive["act"] == ASK
