"""The step kit, and the connectors that somebody has."""

from __future__ import annotations

from typing import Any

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.json_text import kind_of, write
from circuit_export.formats.likeness import plain
from circuit_export.formats.steps.catalog import CATALOG, OPS, PARTS, StepType
from circuit_export.formats.steps.connectors import by_plain, split
from circuit_export.formats.wording import counted
from circuit_export.server.answers import Answer, label, lines
from circuit_export.server.arguments import Arguments
from circuit_export.server.desk import Desk
from circuit_export.server.schemas import nested, some, takes, text
from circuit_export.server.tools.spec import Spec
from circuit_export.store.base import Binding, BoundTool


async def catalog(desk: Desk, given: Arguments) -> Answer:
    return Answer(write([_entry(entry) for entry in CATALOG.values()]))


def _entry(entry: StepType) -> dict[str, Any]:
    return {
        "type": entry.type,
        "label": entry.verb,
        "kind": entry.kind.value,
        "doneBy": {"you": "user"}.get(entry.actor.value, entry.actor.value),
        "description": entry.about,
        "ports": list(entry.ports({})),
        **({"portsFrom": "its config"} if entry.dynamic else {}),
        "config": [_setting(key) for key in entry.keys],
    }


def _setting(key: Any) -> dict[str, Any]:
    said = {"name": key.name, "is": key.value.value, "required": key.required, "description": key.about}
    if not key.required and not key.optional:
        said["default"] = key.default
    if key.value in PARTS:
        said["items"] = [part._asdict() | {"value": part.value.value} for part in PARTS[key.value]]
    if key.value.value == "conditions":
        said["ops"] = {op.name: op.about for op in OPS.values()}
    return said


async def bind(desk: Desk, given: Arguments) -> Answer:
    tools: dict[str, BoundTool] = {}
    for place, item in enumerate(given.items("tools"), 1):
        name, hint = _named(item, place)
        if name:
            tools.pop(name, None)
            tools[name] = BoundTool(name, hint)
    if not tools:
        raise CircuitError("There is no tool among them", found="only blank names", hint="report each tool by name")
    await desk.store.put_binding(desk.workspace, Binding(desk.stamp(), tuple(tools.values())))
    services = list(dict.fromkeys(split(name).service or name for name in tools))
    of = f"{counted(len(tools), 'tool')} of {counted(len(services), 'connector')}"
    said = f"{of} on file: {', '.join(map(label, services))}."
    return Answer(lines(said, await _orphaned(desk, tuple(tools))))


def _named(item: Any, place: int) -> tuple[str, str]:
    """The name and the hint of a reported tool; a name alone will do."""
    if isinstance(item, str):
        return item.strip(), ""
    name = item.get("name") if isinstance(item, dict) else None
    if not isinstance(name, str):
        found = kind_of(item) if not isinstance(item, dict) else "no text as “name”"
        raise CircuitError(f"Tool {place} has no name", found=found, expected="{name, hint?}")
    hint = item.get("hint")
    return name.strip(), hint if isinstance(hint, str) else ""


async def _orphaned(desk: Desk, names: tuple[str, ...]) -> str:
    """A warning that names every board which now misses a tool."""
    said, had = [], by_plain(names)
    for head in await desk.store.list_boards(desk.workspace):
        missing = [tool for tool in head.facts.tools if "{{" not in tool and plain(tool) not in had]
        if missing:
            said.append(f"  {head.id} “{label(head.facts.name)}” misses {', '.join(map(label, missing))}")
    return lines("These saved workflows need tools that you did not report:", *said) if said else ""


async def tools(desk: Desk, given: Arguments) -> Answer:
    binding = await desk.store.get_binding(desk.workspace)
    if binding is None:
        return Answer("Nothing is bound yet. Call circuit_bind with the tools that you can see.")
    services: dict[str, list[str]] = {}
    for tool in binding.tools:
        name = split(tool.name)
        services.setdefault(name.service or tool.name, []).append(
            label(name.action) + (f" ({label(tool.hint)})" if tool.hint else "")
        )
    said = [f"  {label(service)}: {', '.join(actions)}" for service, actions in services.items()]
    return Answer(lines(f"{counted(len(binding.tools), 'tool')}, reported {binding.bound_at}", *said))


TOOLS = (
    Spec(
        "circuit_catalog",
        "List the step kit",
        "The step types that boards are made of, with their settings, ports and who does each. Call it once, before "
        "the first design.",
        catalog,
        reads=True,
        repeatable=True,
    ),
    Spec(
        "circuit_bind",
        "Report the connectors you have",
        "Report every connector tool that you can see, by its exact name, once per conversation. It replaces what was "
        "reported before. Boards are checked against it.",
        bind,
        takes(
            {
                "tools": some(
                    nested({"name": text("The exact name, such as Gmail:search_threads.")}, hint=text("What it does.")),
                    "All the tools you have.",
                    minItems=1,
                )
            }
        ),
        repeatable=True,
    ),
    Spec(
        "circuit_tools",
        "Show the connectors on file",
        "The connector tools that were last reported with circuit_bind.",
        tools,
        reads=True,
        repeatable=True,
    ),
)
