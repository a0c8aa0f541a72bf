"""`circuit push`: workflows into a store, each that validates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from circuit_export import api
from circuit_export.cli.completing import PLACE
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import read_stdin
from circuit_export.cli.results import Result, exit_code, result_of
from circuit_export.cli.stores import Shelf, now, store_options
from circuit_export.diagnostics import CircuitError

if TYPE_CHECKING:
    from circuit_export.formats.base import Document
    from circuit_export.store.shelf import Pushed

EPILOG = """\b
Examples:
  circuit push lead-intake.json          a new board, or the next version of one
  circuit push boards                    every workflow in a folder
  circuit push lead-intake.html          what an exported page holds
  circuit push boards --store postgresql://circuit@db/circuit

Exit codes: 0 the store holds them all, 1 some were refused, 2 usage, 3 there was nothing to push."""


@click.command("push", epilog=EPILOG)
@click.argument("sources", nargs=-1, required=True, type=PLACE, metavar="SOURCE...")
@click.option("--force", is_flag=True, help="Put a text back that the store has left behind.")
@store_options
@console_options
def command(sources: tuple[str, ...], force: bool, shelf: Shelf, console: Console) -> None:
    """Put workflows into a store. SOURCE is a file, a folder, an exported page, or - for stdin.

    What has errors, or calls a workflow that is neither pushed nor in the store, is refused. A board that is there
    keeps its standing, and its earlier versions: `circuit pull` and `circuit open` know them.
    """
    documents, results = opened(sources, console)
    if documents:
        from circuit_export.store.base import stamp
        from circuit_export.store.shelf import push

        at = stamp(now())
        pushed = shelf.ask(lambda store: push(store, shelf.workspace, documents, at=at, force=force), make=True)
        results += [tell(one, document, console) for one, document in zip(pushed, documents, strict=True)]
    click.get_current_context().exit(exit_code(results))


def opened(sources: tuple[str, ...], console: Console) -> tuple[list[Document], list[Result]]:
    """The workflows in the sources, and what became of those that could not be read."""
    documents, results = [], []
    for source in sources:
        folder = Path(source)
        files = [str(file) for file in api.discover(folder).files] if folder.is_dir() else [source]
        if not files:
            console.warn(f"there is no workflow in {source}")
        for file in files:
            try:
                workflow = api.open_source(api.read_source(file, stdin=read_stdin() if file == "-" else b""))
            except CircuitError as error:
                console.error(error.located(file))
                results.append(result_of(error))
                continue
            for remark in workflow.remarks:
                console.warn(f"{file}: {remark}")
            for need in workflow.format.needs(workflow.document):
                if need.path:
                    console.warn(f"{file}: it calls “{need.path}” by its path, and a store keeps no files with a board")
            documents.append(workflow.document)
    return documents, results


def tell(pushed: Pushed, document: Document, console: Console) -> Result:
    """Says what became of a workflow."""
    from circuit_export.store.shelf import Outcome

    name = pushed.board_id
    if pushed.findings:
        console.findings(pushed.findings, document.definition.path or name)
    if pushed.outcome is Outcome.ADDED:
        console.say(f"{name}: a new board")
    elif pushed.outcome is Outcome.CHANGED:
        console.say(f"{name}: version {pushed.version}, after {pushed.before}")
    elif pushed.outcome is Outcome.SAME:
        console.say(f"{name}: the store holds it already, as version {pushed.version}")
    elif pushed.outcome is Outcome.REFUSED:
        console.error(CircuitError(f"“{name}” was not pushed: it has errors", hint="mend them; circuit explain CODE"))
    elif pushed.outcome is Outcome.BEHIND:
        console.error(
            CircuitError(
                f"“{name}” was not pushed: the store is ahead of it",
                found=f"the text of version {pushed.before}",
                expected=f"a change of version {pushed.version}",
                hint=f"circuit pull {name} brings yours up to date; --force puts the old text back",
            )
        )
    else:
        console.error(CircuitError(f"“{name}” was changed by somebody else just now", hint="pull it, and try again"))
    good = pushed.outcome in (Outcome.ADDED, Outcome.CHANGED, Outcome.SAME)
    return Result.FINE if good else Result.WRONG
