"""What `circuit run` reads and writes: fixed answers, saved runs, and the scenarios that it adds to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from circuit_export import api
from circuit_export.cli.files import WouldOverwrite, write_file
from circuit_export.diagnostics import CircuitError, Position, UsageError
from circuit_export.runs import record as run_record
from circuit_export.runs import scenario_file
from circuit_export.runs.directives import one_line
from circuit_export.validation.traces import scenarios_path

if TYPE_CHECKING:
    from circuit_export.runs.record import Run
    from circuit_export.runs.scenario import Scenario


def value_of(text: str) -> Any:
    """JSON where a text is JSON, else the text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _text(file: Path) -> str:
    try:
        return api.read_file(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CircuitError("The file is not UTF-8", file=str(file), hint="save it as UTF-8") from None


def fixed_answers(file: Path, name: str | None) -> Scenario:
    """The scenario to answer from: of a scenarios file the one called `name`, or a file of answers by step.

    Raises CircuitError for a file that holds neither, UsageError when it holds several and `name` is none of them.
    """
    text = _text(file)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        position = Position(error.lineno, error.colno)
        raise CircuitError("The answers are not JSON", file=str(file), position=position, found=error.msg) from None
    except (RecursionError, ValueError) as error:
        raise CircuitError("The answers cannot be read", file=str(file), found=str(error)) from None
    if isinstance(value, dict) and "scenarios" in value:
        return _chosen(scenario_file.load(text, str(file)), name, file)
    if not isinstance(value, dict):
        expected = '{"STEP": {"result": …}}, or {"scenarios": […]}'
        raise CircuitError("These are no answers", file=str(file), expected=expected)
    if name is not None:
        raise UsageError("The file holds answers and no scenarios", file=str(file), hint="leave --scenario out")
    whole = (
        value if isinstance(value.get("answers"), dict) and value.keys() <= scenario_file.KEYS else {"answers": value}
    )
    try:
        return scenario_file.read({"scenarios": [{"name": "answers", **whole}]})[0]
    except CircuitError as error:
        raise error.located(str(file)) from None


def _chosen(scenarios: tuple[Scenario, ...], name: str | None, file: Path) -> Scenario:
    listed = ", ".join(f"“{one.name}”" for one in scenarios)
    if name is None and len(scenarios) == 1:
        return scenarios[0]
    for one in scenarios:
        if one.name == name:
            return one
    if name is None:
        raise UsageError("Which scenario?", file=str(file), found=listed or "none", hint="name one with --scenario")
    raise UsageError("There is no such scenario", file=str(file), found=f"“{name}”", expected=listed)


def load_run(file: Path, workflow_id: str) -> Run:
    """A run from a file to go on with. Raises CircuitError for one that is none, of another workflow, or redacted."""
    run = run_record.load(_text(file), str(file))
    if run["workflowId"] != workflow_id:
        raise CircuitError(
            "This is a run of another workflow",
            file=str(file),
            found=f"“{run['workflowId']}”",
            expected=f"“{workflow_id}”",
        )
    if run_record.is_redacted(run):
        hint = "start anew, without --resume; `circuit export --run` shows this one"
        raise CircuitError(
            "The run holds shapes in place of values: nothing can go on with it", file=str(file), hint=hint
        )
    return run


def check_save(save: str, *, force: bool, resume: Path | None = None) -> None:
    """Raises CircuitError when a run cannot be kept in a file that is there; `resume` is the one it comes from."""
    file = Path(save)
    if force or save == "-" or not file.exists():
        return
    if resume is None or not resume.exists() or not file.samefile(resume):
        hint = "--force overwrites it; --resume goes on with it"
        raise WouldOverwrite("The file exists and holds something else", file=save, hint=hint)


# --- recording -------------------------------------------------------------------------------------------------------


def scenarios_file(board: str) -> Path:
    """The scenarios beside a workflow."""
    return Path(board).with_name(scenarios_path(Path(board).name))


def check_name(board: str, name: str, *, force: bool) -> None:
    """Raises CircuitError when a scenario cannot be added under this name."""
    if not one_line(name):
        raise UsageError("A scenario needs a name", hint='such as --record "a sales mail"')
    file = scenarios_file(board)
    known = [one_line(one.name) for one in scenario_file.load(_text(file), str(file))] if file.exists() else []
    if one_line(name) in known and not force:
        hint = "--force replaces it; --record takes another name"
        raise CircuitError(f"There is a scenario “{name}” already", file=str(file), hint=hint)


def record(board: str, scenario: Scenario, *, force: bool) -> Path:
    """Adds a scenario to those beside a workflow, or puts it in the place of its name's; the file."""
    check_name(board, scenario.name, force=force)
    file = scenarios_file(board)
    value = json.loads(_text(file)) if file.exists() else {"scenarios": []}
    items = value["scenarios"]
    at = next((at for at, item in enumerate(items) if one_line(item["name"]) == one_line(scenario.name)), len(items))
    items[at : at + 1] = [scenario_file.written(scenario)]
    write_file(file, run_record.file_text(value), force=True)
    return file
