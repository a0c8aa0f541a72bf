"""What each step does, in one line of plain English."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from circuit_export.formats.steps.catalog import CATALOG, setting
from circuit_export.formats.steps.connectors import display
from circuit_export.formats.steps.words import (
    conditions,
    filled,
    inside,
    items_of,
    path_words,
    quoted,
    shortened,
)
from circuit_export.formats.wording import listed

if TYPE_CHECKING:
    from circuit_export.formats.steps.document import Step, StepsDocument

Called = Mapping[str, "StepsDocument"]


def _texts(value: Any) -> list[str]:
    return [item for item in items_of(value) if isinstance(item, str)]


def _named(value: Any, key: str) -> list[str]:
    return [item[key] for item in items_of(value) if isinstance(item, Mapping) and isinstance(item.get(key), str)]


def _text(step: Step, name: str) -> str:
    value = setting(step, name)
    return value if isinstance(value, str) else ""


def _amount(step: Step, name: str) -> str:
    """A number as it is read in a sentence; a template as what it stands for."""
    value = setting(step, name)
    if isinstance(value, str):
        return path_words(value)
    return "?" if value is None or isinstance(value, bool | list | dict) else f"{value:,}"


def _ask(_step: Step, _called: Called) -> str:
    return "you start it from the chat"


def _schedule(step: Step, _called: Called) -> str:
    note = shortened(_text(step, "note"))
    return note or _text(step, "cron") or "no time is set yet"


def _tool(step: Step, _called: Called) -> str:
    tool = _text(step, "tool")
    if not tool.strip():
        return "no tool is chosen yet"
    return f"the tool that {path_words(tool)} names" if inside(tool) != tool else display(filled(tool))


def _classify(step: Step, _called: Called) -> str:
    labels = _texts(step.config.get("labels"))
    return f"sorts into {_some(labels, 'or')}" if labels else "has no labels to sort into yet"


def _write(step: Step, _called: Called) -> str:
    words = f"under {_amount(step, 'maxWords')} words"
    voice = _text(step, "voice")
    if not voice.strip():
        return words
    path = inside(voice)
    if path != voice:
        return f"{words}, in {path_words(path)}" if path == "input.voice" else f"{words}, voice: {path_words(path)}"
    return f"{words}, voice: {shortened(filled(voice), 60)}"


def _extract(step: Step, _called: Called) -> str:
    fields = _named(step.config.get("fields"), "name")
    return f"pulls out {_some(fields)}" if fields else "has nothing to pull out yet"


def _filter(step: Step, _called: Called) -> str:
    return conditions(step.config)


def _branch(step: Step, _called: Called) -> str:
    field = _text(step, "field")
    ports = list(CATALOG[step.type].ports(step.config))
    return f"on {path_words(field) if field else 'nothing yet'}: {_some(ports, 'or')}"


def _each(step: Step, _called: Called) -> str:
    return f"one at a time, up to {_amount(step, 'limit')}"


def _branches(step: Step, _called: Called) -> str:
    heads = sum(wire.port == "out" for wire in step.next)
    together = setting(step, "together") is True
    return f"{heads:,} {'at once' if together else 'in turn'}, then carries on"


def _call(step: Step, called: Called) -> str:
    id = _text(step, "workflowId")
    name = called[id].name if id in called else id
    returns = inside(_text(step, "returns"))
    if not name:
        return "no workflow is chosen yet"
    return f"{shortened(name, 60)} → {path_words(returns) if returns else 'all its results'}"


def _gate(step: Step, _called: Called) -> str:
    return shortened(filled(_text(step, "question"))) or "asks without a question"


def _say(step: Step, _called: Called) -> str:
    text = shortened(filled(_text(step, "template")))
    return quoted(text) if text else "has nothing to say yet"


def _some(items: list[str], word: str = "and") -> str:
    """A list that stays readable: the first ones and how many more."""
    return listed(items, word) if len(items) <= 6 else f"{', '.join(items[:5])} {word} {len(items) - 5:,} more"


_SUMMARIES: Mapping[str, Callable[[Step, Called], str]] = {
    "trigger.ask": _ask,
    "trigger.schedule": _schedule,
    "trigger.watch": _tool,
    "tool.call": _tool,
    "model.classify": _classify,
    "model.write": _write,
    "model.extract": _extract,
    "logic.filter": _filter,
    "logic.branch": _branch,
    "logic.each": _each,
    "logic.branches": _branches,
    "flow.call": _call,
    "gate.approve": _gate,
    "note.say": _say,
}


def summary(step: Step, called: Called) -> str:
    """What a step does, in one line of plain English, never JSON."""
    summarise = _SUMMARIES.get(step.type)
    return summarise(step, called) if summarise is not None else f"a kind of step that is not known here: {step.type}"
