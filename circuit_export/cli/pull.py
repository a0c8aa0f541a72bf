"""`circuit pull`: boards out of a store into files, exactly as the store holds them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from circuit_export import formats
from circuit_export.cli.completing import PLACE, offering
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import WouldOverwrite, write_file, write_stdout
from circuit_export.cli.results import Result, exit_code, result_of
from circuit_export.cli.stores import Shelf, board_ids, store_options
from circuit_export.diagnostics import CircuitError, UsageError

if TYPE_CHECKING:
    from circuit_export.definition import Definition
    from circuit_export.store.base import Store

EPILOG = """\b
Examples:
  circuit pull                           every board, each into a file here
  circuit pull lead-intake -o boards/    one of them, into a folder
  circuit pull lead-intake -o - | circuit export - > lead-intake.html
  circuit pull lead-intake --version 3 -o old.json

Exit codes: 0 the files hold what the store holds, 1 some do not, 2 usage, 3 there was nothing to pull."""


class Pulled(NamedTuple):
    """A board's text on its way into a file; `earlier` are the versions that the store has, by their digests."""

    board_id: str
    definition: Definition
    version: int
    earlier: dict[str, int]


@click.command("pull", epilog=EPILOG)
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=offering(board_ids))
@click.option("-o", "--output", type=PLACE, metavar="PATH", help="Write to this file or folder; - is stdout.")
@click.option("--version", "version", type=click.IntRange(1), metavar="N", help="An earlier version of one board.")
@click.option("--force", is_flag=True, help="Overwrite files that hold something that the store never had.")
@store_options
@console_options
def command(
    ids: tuple[str, ...], output: str | None, version: int | None, force: bool, shelf: Shelf, console: Console
) -> None:
    """Write boards into files, exactly as the store holds them; all of them when no ID is given.

    A file that holds an earlier version of its board is brought up to date. One that holds anything else is kept,
    unless you say --force.
    """
    if version is not None and len(ids) != 1:
        raise UsageError("--version is of one board", hint="name it: circuit pull ID --version N")
    pulled, errors = shelf.ask(lambda store: fetch(store, shelf.workspace, ids, version))
    for error in errors:
        console.error(error)
    if not pulled and not errors:
        console.say(f"there is no board in the workspace “{shelf.workspace}”")
    results = [result_of(error) for error in errors]
    if output == "-":
        results += to_stdout(pulled)
    else:
        results += [write(one, path, force, console) for one, path in placed(pulled, output, console)]
    click.get_current_context().exit(exit_code(results))


async def fetch(
    store: Store, workspace: str, ids: tuple[str, ...], version: int | None
) -> tuple[list[Pulled], list[CircuitError]]:
    """The boards asked for, and what is wrong with those that are not to be had."""
    from circuit_export.store.shelf import definition_of, unknown

    wanted = ids or tuple(sorted(head.id for head in await store.list_boards(workspace)))
    pulled: list[Pulled] = []
    errors: list[CircuitError] = []
    for board_id in dict.fromkeys(wanted):
        board = await store.get_board(workspace, board_id)
        if board is None:
            errors.append(await unknown(store, workspace, board_id))
            continue
        try:
            present = definition_of(board)
        except CircuitError as error:
            errors.append(error)
            continue
        versions = {one.version: one.text for one in await store.list_versions(workspace, board_id)}
        number = version or board.head.version
        if number not in versions:
            kept = f"{min(versions)} to {max(versions)}"
            errors.append(CircuitError(f"“{board_id}” has no version {number}", expected=kept))
            continue
        earlier = {present._replace(text=text).digest: one for one, text in versions.items()}
        pulled.append(Pulled(board_id, present._replace(text=versions[number]), number, earlier))
    return pulled, errors


def to_stdout(pulled: list[Pulled]) -> list[Result]:
    if len(pulled) > 1:
        raise UsageError("Only one board fits on stdout", hint="name one, or give a folder with -o")
    for one in pulled:
        write_stdout(one.definition.text)
    return [Result.FINE for _ in pulled]


def placed(pulled: list[Pulled], output: str | None, console: Console) -> list[tuple[Pulled, Path]]:
    """Each board with its file. An id that cannot be a file's name gets one that can, and that is said."""
    from circuit_export.restore.paths import refusal

    if output is not None and not output.endswith(("/", "\\")) and not Path(output).is_dir():
        if len(pulled) > 1:
            raise UsageError(f"{output} is one file, and there are {len(pulled)} boards", hint=f"-o {output}/")
        return [(one, Path(output)) for one in pulled]
    folder = Path(output or ".")
    places: list[tuple[Pulled, Path]] = []
    taken: set[str] = set()
    for one in pulled:
        suffix = one.definition.path[len(one.board_id) :]
        name = plain = one.board_id + suffix
        if "/" in plain or refusal(plain) or plain.lower() in taken:
            from circuit_export.cli.export_jobs import free_name, slug

            name = free_name(slug(one.board_id) + suffix, taken)
        taken.add(name.lower())
        if name != plain:
            console.warn(f"“{one.board_id}” is written to {name}: its id cannot be a file's name here")
        places.append((one, folder / name))
    return places


def write(one: Pulled, path: Path, force: bool, console: Console) -> Result:
    """Writes a board into its file, over an earlier version of it if need be."""
    try:
        before = earlier_version(one, path)
        written = write_file(path, one.definition.text, force=force or before is not None)
    except WouldOverwrite:
        error = CircuitError(
            "The file holds something that the store never had, and was kept",
            file=str(path),
            hint=f"circuit push {path} puts it into the store; --force overwrites it",
        )
        console.error(error)
        return Result.WRONG
    except CircuitError as error:
        console.error(error)
        return result_of(error)
    if not written:
        console.say(f"{path} holds version {one.version} already")
    else:
        console.say(f"wrote {path}, version {one.version}" + (f" after {before}" if before else ""))
    return Result.FINE


def earlier_version(one: Pulled, path: Path) -> int | None:
    """Which version of the board a file holds; None when it is none that the store knows."""
    try:
        text = path.read_bytes().decode("utf-8-sig") if path.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return None
    normal = formats.get(one.definition.format).normalise(text)
    return one.earlier.get(one.definition._replace(text=normal).digest)
