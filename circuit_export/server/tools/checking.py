"""Workflows looked at: what is wrong with one, what its scenarios do, what changed in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from circuit_export import api
from circuit_export.board.text_clean import flat
from circuit_export.diagnostics import CircuitError, Diagnostic, Spot
from circuit_export.formats.base import Document, Surroundings
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.wording import counted
from circuit_export.server.answers import Answer, few, label, lines
from circuit_export.server.arguments import Arguments
from circuit_export.server.changes import changes
from circuit_export.server.desk import Desk, Opened, board_of, open_board
from circuit_export.server.handed_in import opened_text
from circuit_export.server.saving import ADVICE
from circuit_export.server.schemas import WORKFLOW, anything, takes, text, whole
from circuit_export.server.tools.spec import Spec
from circuit_export.store.shelf import called_by, document_of


def source_of(given: Arguments, name: str) -> api.Workflow:
    """The workflow in an argument: a text of any kind, or the definition as an object."""
    value = given.given.get(name)
    if isinstance(value, dict):
        value = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, str):
        raise CircuitError(f"“{name}” is no workflow", found=kind_of(value), expected="a text, or an object")
    return opened_text(api.Source(f"<{name}>", value.encode("utf-8", "surrogatepass")))


# --- validate ----------------------------------------------------------------------------------------------------


async def validate(desk: Desk, given: Arguments) -> Answer:
    called: dict[str, Document]
    if given.has("source"):
        workflow = source_of(given, "source")
        document = workflow.document
        called = {**await called_by(desk.store, desk.workspace, [document]), **workflow.called}
    else:
        document = document_of(await board_of(desk, given.text("workflowId")))
        called = await called_by(desk.store, desk.workspace, [document])
    binding = await desk.store.get_binding(desk.workspace)
    tools = None if binding is None else tuple(tool.name for tool in binding.tools)
    found = _findings(document, Surroundings({**called, document.id: document}, tools))
    counts = ", ".join(
        f"{counted(number, severity)}"
        for severity in ("error", "warning", "note")
        if (number := sum(one.severity.value == severity for one in found))
    )
    name = label(document.name)
    said = f"“{name}”: {counts}." if found else f"“{name}”: nothing to find."
    return Answer(
        lines(said, *few([_line(one) for one in found])), structured={"diagnostics": [_value(one) for one in found]}
    )


def _findings(document: Document, around: Surroundings) -> list[Diagnostic]:
    from circuit_export.validation.check import findings
    from circuit_export.validation.reading import Read
    from circuit_export.validation.suppress import unsuppressed

    definition, value = document.definition, getattr(document, "value", None)
    read = Read(definition.path or "workflow", definition.text, definition.format, value, document)
    return unsuppressed(findings(read, around), document)


def _line(found: Diagnostic) -> str:
    place = f"{found.start.line}:{found.start.column} " if found.start else ""
    advice = ADVICE.get(found.code, found.hint)
    hint = f" ({advice})" if advice else ""
    return flat(f"  {place}{found.severity.value} {found.code} {found.name}: {found.message}{hint}")


def _value(found: Diagnostic) -> dict[str, Any]:
    from circuit_export.validation.reporters.json_ import finding

    return finding(found)


# --- trace -------------------------------------------------------------------------------------------------------


async def trace(desk: Desk, given: Arguments) -> Answer:
    from circuit_export.validation import coverage
    from circuit_export.validation.traces import Files, check

    opened = await open_board(desk, given.text("workflowId"))
    name = opened.document.definition.path
    scenarios, suggested = _scenarios(given, opened)
    golden = given.text("golden") if given.has("golden") else None
    files = Files(name, "scenarios", "golden", scenarios, golden)
    step = {item.id: f"/steps/{item.index}" for item in opened.document.steps}
    checked = check(opened.machine, files, lambda step_id: Spot(step.get(step_id, "")))
    found = [one for one in checked.findings if golden is not None or one.code != "C912"]
    row = checked.row
    told = {one.scenario.name: one for one in checked.played}
    traces = {name: {"lines": list(one.trace), "status": one.status} for name, one in told.items()}
    reach = (
        f"{row.percent}% of {counted(row.steps, 'step')} and {counted(row.wires, 'wire')} are reached." if row else ""
    )
    said = lines(
        "No scenarios were given, so these were suggested." if suggested else "",
        *(lines(f"# {label(name)}", *few([f"  {line}" for line in played.trace])) for name, played in told.items()),
        reach,
        *(lines(*few(diff.split("\n"))) for diff in checked.diffs),
        *few([flat(f"  {one.severity.value} {one.code} {one.message}") for one in found]),
    )
    structured: dict[str, Any] = {
        "traces": traces,
        "golden": checked.updated(),
        "diffs": list(checked.diffs),
        "coverage": coverage.as_value([row] if row else []),
        "diagnostics": [_value(one) for one in found],
    }
    return Answer(said, structured={**structured, "scenarios": scenarios} if suggested else structured)


def _scenarios(given: Arguments, opened: Opened) -> tuple[str, bool]:
    """The text of the scenarios, and whether they were suggested because none were given."""
    from circuit_export.runs.scenario_file import dump
    from circuit_export.validation.suggest import suggest

    value = given.given.get("scenarios")
    if value is None:
        machine = opened.machine
        return dump(suggest(machine, machine.proposer()).scenarios), True
    if isinstance(value, list):
        value = {"scenarios": value}
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1), False


# --- diff --------------------------------------------------------------------------------------------------------


async def diff(desk: Desk, given: Arguments) -> Answer:
    if given.has("before") or given.has("after"):
        documents = [source_of(given, name).document for name in ("before", "after")]
        return _told("the two", _meaning(documents[0]), _meaning(documents[1]))
    board = await board_of(desk, given.text("workflowId"))
    head = board.head
    last = given.whole("to", head.version)
    first = given.whole("from", last - 1)
    if first < 1 and not given.has("from"):
        return Answer(f"“{head.id}” has one version only: nothing changed.", structured={"changes": []})
    meanings = []
    for number in (last, first):
        version = await desk.store.get_version(desk.workspace, head.id, number) if number > 0 else None
        if version is None:
            kept = [one.version for one in await desk.store.list_versions(desk.workspace, head.id)]
            raise CircuitError(
                f"Version {number} of “{head.id}” is not kept", expected=f"{min(kept)} to {max(kept)}" if kept else ""
            )
        meanings.append(_meaning(document_of(board._replace(text=version.text))))
    return _told(f"versions {first} and {last} of “{head.id}”", meanings[1], meanings[0])


def _meaning(document: Document) -> Any:
    """What a definition says: its JSON, else its lines."""
    value = getattr(document, "value", None)
    return value if isinstance(value, dict) else document.definition.text


def _told(which: str, before: Any, after: Any) -> Answer:
    found: Sequence[str] = changes(before, after)
    if not found:
        said = f"Nothing changed between {which}, positions left out."
    else:
        said = lines(f"{counted(len(found), 'change')} between {which}:", *few([flat(f"  {line}") for line in found]))
    return Answer(said, structured={"changes": list(found)})


TOOLS = (
    Spec(
        "circuit_validate",
        "Find what is wrong with a workflow",
        "All that is wrong with a saved workflow, or with a definition handed in, with codes and places.",
        validate,
        takes(workflowId=WORKFLOW, source=anything("A definition, or a page or text that holds one.")),
        reads=True,
        repeatable=True,
    ),
    Spec(
        "circuit_trace",
        "Play a workflow's scenarios",
        "Plays scenarios of fixed answers without calling anything: the directives of each, how they differ from a "
        "golden, and how much of the board they reach. Without scenarios, some are suggested.",
        trace,
        takes(
            {"workflowId": WORKFLOW},
            scenarios=anything("The scenarios, a list of {name, input?, trigger?, mode?, answers?, expect?}."),
            golden=text("The traces that they should have."),
        ),
        reads=True,
        repeatable=True,
    ),
    Spec(
        "circuit_diff",
        "Say what changed",
        "What changed between two versions of a workflow, or between two definitions, by meaning: moved chips do not "
        "count. Unless told, the version before and the present one.",
        diff,
        takes(
            workflowId=WORKFLOW,
            **{"from": whole("The earlier version.", minimum=1), "to": whole("The later version.", minimum=1)},
            before=anything("A definition, instead of a version."),
            after=anything("The other definition."),
        ),
        reads=True,
        repeatable=True,
    ),
)
