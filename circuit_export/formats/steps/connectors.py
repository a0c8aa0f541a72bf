"""Connectors: what a tool's name says, which tool somebody has for it, and which writes nobody approves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.formats.letters import small, spaced
from circuit_export.formats.likeness import LONGEST, SUGGESTION_FROM, dice, plain

if TYPE_CHECKING:
    from circuit_export.formats.steps.document import Step

_WRITE_VERBS = """
    send post create add insert write update edit patch put delete remove archive trash move upload publish reply
    forward invite schedule book assign comment label star mark set approve merge close pay charge transfer
    execute run refund cancel unsubscribe subscribe share rename replace reset revoke grant start stop trigger submit
    sync import apply save store log record register enable disable
"""
WRITE_VERBS = frozenset(_WRITE_VERBS.split())
_READ_VERBS = "get list search read find fetch query show describe lookup count check view"
READ_VERBS = frozenset(_READ_VERBS.split())
TOOL_STEPS = frozenset(("tool.call", "trigger.watch"))

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^ _0-9A-Z]+|[0-9]+")
_GAP = re.compile(r"[\s_\-]+")
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")


class Effect(StrEnum):
    """What a step does outside: UNKNOWN is treated as writing, and called not known to only read."""

    READS = "reads"
    WRITES = "writes"
    UNKNOWN = "unknown"


class Tool(NamedTuple):
    """A tool's name taken apart; `service` is "" when the name has none."""

    service: str
    action: str

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the action, in small letters."""
        return tuple(small(word) for word in _WORD.findall(spaced(self.action)))


def split(name: str) -> Tool:
    """Takes a name apart: the service ends at the first colon, else at the first full stop, else there is none."""
    for mark in ":.":
        service, found, action = name.partition(mark)
        if found:
            return Tool(service, action)
    return Tool("", name)


@lru_cache(maxsize=1024)
def display(name: str) -> str:
    """A tool's name as people read it, such as "Google Calendar · list events"."""
    tool = split(name)
    service = " ".join(_GAP.split(tool.service.strip()))
    action = " ".join(tool.words) or tool.action.strip()
    return f"{service} · {action}" if service else action


def tool_of(step: Step) -> str:
    """The tool that a step calls, "" when it calls none."""
    tool = step.config.get("tool") if step.type in TOOL_STEPS else None
    return tool if isinstance(tool, str) else ""


@lru_cache(maxsize=1024)
def effect_of_name(name: str) -> Effect:
    """What the words of a tool's name say. A template in it says nothing: what it will be is not known."""
    words = split(_TEMPLATE.sub(" ", name) if "{{" in name else name).words
    if not WRITE_VERBS.isdisjoint(words):
        return Effect.WRITES
    if "{{" not in name and not READ_VERBS.isdisjoint(words):
        return Effect.READS
    return Effect.UNKNOWN


def effect(step: Step) -> Effect:
    """What a step does outside. Only steps that call a tool do anything there; `config.writes` decides if present."""
    if step.type not in TOOL_STEPS:
        return Effect.READS
    declared = step.config.get("writes")
    if isinstance(declared, bool):
        return Effect.WRITES if declared else Effect.READS
    return effect_of_name(tool_of(step))


def writes(step: Step) -> bool:
    """Whether a step changes something outside, or is not known to only read."""
    return step.type in TOOL_STEPS and effect(step) is not Effect.READS


class Use(NamedTuple):
    """A tool that a board uses, and the steps (by index) that use it."""

    tool: str
    steps: tuple[int, ...]


def uses(steps: Iterable[Step]) -> tuple[Use, ...]:
    """The tools that steps call, each once, in the order they are first named."""
    found: dict[str, list[int]] = {}
    for step in steps:
        tool = tool_of(step)
        if tool:
            found.setdefault(tool, []).append(step.index)
    return tuple(Use(tool, tuple(indices)) for tool, indices in found.items())


def service_words(tool: str) -> str:
    """The service of a tool as people write it, such as "Google Calendar"; the whole name when it has none."""
    name = split(tool)
    return " ".join(_GAP.split(name.service.strip())) or display(tool)


def services(steps: Iterable[Step]) -> list[str]:
    """The services that steps need, each once, in the order they are first named."""
    return list(dict.fromkeys(service_words(use.tool) for use in uses(steps)))


# --- binding -----------------------------------------------------------------------------------------------------


def bind(tool: str, names: Iterable[str]) -> str | None:
    """The name in a binding that means the tool, None when there is none."""
    return by_plain(tuple(names)).get(plain(tool))


@lru_cache(maxsize=8)
def by_plain(names: tuple[str, ...]) -> Mapping[str, str]:
    """The names of a binding, the first of those that mean the same, by what of them counts (`plain`): for who asks
    for each tool of a board, as a binding may have thousands of names."""
    return {plain(name): name for name in reversed(names)}


def suggest(tool: str, names: Iterable[str]) -> str | None:
    """The name in a binding that the tool most likely means, the first of equals; None when none is near enough."""
    if len(tool) > LONGEST:
        return None
    wanted = split(tool)
    service, action, whole = plain(wanted.service), plain(wanted.action), plain(tool)
    best, best_score = None, 0.0
    for name in names:
        if len(name) > LONGEST:
            continue
        offered = split(name)
        if service and plain(offered.service) == service:
            score = 0.5 + 0.5 * dice(action, plain(offered.action))
        else:
            score = 0.6 * dice(whole, plain(name))
        if score > best_score:
            best, best_score = name, score
    return best if best_score >= SUGGESTION_FROM else None


def names_in(binding: Any) -> tuple[str, ...] | None:
    """The names in a binding file's value: a list of names or of `{name, hint?}`, or such a list as `tools`.

    None when it is none of these.
    """
    items = binding.get("tools") if isinstance(binding, Mapping) else binding
    if not isinstance(items, list):
        return None
    names = [item.get("name") if isinstance(item, Mapping) else item for item in items]
    return tuple(name for name in names if isinstance(name, str)) if all(isinstance(n, str) for n in names) else None
