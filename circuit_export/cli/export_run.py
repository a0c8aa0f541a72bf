"""`circuit export --run` and `--scenario`: the run that a page is to show, and what there is to say about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from circuit_export import api
from circuit_export.diagnostics import CircuitError, UsageError

if TYPE_CHECKING:
    from circuit_export.runs.shown import Shown

WARNING = "the page holds what the services returned in this run (mails, names): read it first, or give --redact"


class RunWanted(NamedTuple):
    """Which run a page is to show: one that was saved in the file `run`, or that of a `scenario`; with or without
    its values."""

    run: str | None = None
    scenario: str | None = None
    redact: bool = False

    def __bool__(self) -> bool:
        return self.run is not None or self.scenario is not None


NONE = RunWanted()


def check(wanted: RunWanted, sources: tuple[str, ...], format: str) -> None:
    """Raises UsageError for options that do not go together."""
    if wanted.redact and not wanted:
        raise UsageError("--redact has nothing to redact", hint="it is for --run and --scenario")
    if not wanted:
        return
    if wanted.run is not None and wanted.scenario is not None:
        raise UsageError("A page shows one run", found="--run and --scenario", hint="leave one of them out")
    option = "--run" if wanted.run is not None else "--scenario"
    if format != "html":
        raise UsageError(f"{option} is for a page", found=f"--format {format}", hint="leave --format out")
    if len(sources) > 1 or Path(sources[0]).is_dir():
        raise UsageError(f"{option} is of one workflow", found="several", hint="name the one that it is of")
    if wanted.scenario is not None and (sources[0] == "-" or api.is_url(sources[0])):
        raise UsageError("The scenarios are beside a workflow's file, and this is none", hint="save the workflow first")


def run_of(workflow: api.Workflow, drawn: api.Picture, wanted: RunWanted, source: str) -> Shown:
    """The run as the board shows it. Raises CircuitError when there is none, or it is of something else."""
    if wanted.run is not None:
        text = _text(Path(wanted.run))
        try:
            shown = api.show_run(api.load_run(text), drawn, redact=wanted.redact)
        except CircuitError as error:
            raise error.located(wanted.run) from None
    else:
        shown = _of_scenario(workflow, drawn, wanted, Path(source))
    remarks = shown.remarks if shown.view.redacted else (*shown.remarks, WARNING)
    return shown._replace(remarks=remarks)


def _of_scenario(workflow: api.Workflow, drawn: api.Picture, wanted: RunWanted, source: Path) -> Shown:
    """The run of a scenario in the file beside the workflow."""
    file = source.with_name(f"{source.stem}.scenarios.json")
    if not file.is_file():
        raise CircuitError(
            "There are no scenarios beside the workflow",
            file=str(file),
            hint=f"`circuit scenarios suggest {source}` writes some",
        )
    limit = api.settings_of(source).max_directives if api.is_configured(source) else None
    played = api.play_scenario(workflow, _text(file), wanted.scenario or "", file=str(file), directives=limit)
    about = f"The scenario “{played.scenario.name}”"
    shown = api.show_run(played.run, drawn, about=about, redact=wanted.redact)
    if played.refused:
        return shown._replace(remarks=(*shown.remarks, f"the scenario breaks off: {played.refused}"))
    return shown


def _text(file: Path) -> str:
    try:
        return api.read_file(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CircuitError(
            "The file is no UTF-8 text", file=str(file), found=f"byte {error.object[error.start]:#04x}"
        ) from None
