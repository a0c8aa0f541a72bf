"""`circuit import`: the definition in a page, a paste or a link, given back whole."""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import click

from circuit_export import api, formats
from circuit_export.cli.completing import PLACE
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.export import check_root
from circuit_export.cli.export_jobs import free_name, slug
from circuit_export.cli.fetching import fetching_options
from circuit_export.cli.files import check_sources, holds, read_stdin, write_file, write_stdout
from circuit_export.cli.results import Result, exit_code
from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.formats.wording import counted

if TYPE_CHECKING:
    from circuit_export.definition import Bundle, Definition
    from circuit_export.restore import Found

EPILOG = """\b
Examples:
  circuit import board.html                      the definition, on stdout
  circuit import board.html -o board.json        into a file
  circuit import https://example.com/board.html -o boards/
  pbpaste | circuit import -                     whatever was copied
  circuit import page.html --strict              fail if the text was touched
  circuit import graph.circuitflow --root repo   a graph and its skills, into a repository

A SOURCE may be a page by this command, a page somebody saved or mailed, pasted text, or the definition itself.
A bundle (*.circuitflow) is unpacked into a repository, after you saw its skills and agreed; its checksums show
damage, not who wrote it. With a folder (-o FOLDER) the workflows that it calls are restored beside it."""
_OBEYED = frozenset(("skill.md", "agents.md", "claude.md", "gemini.md"))
"""Files that agents obey when they open the folder."""


class Request(NamedTuple):
    """What was asked for."""

    source: str
    output: str | None
    strict: bool
    pick: int | None
    format: str | None
    force: bool
    fetching: api.Fetching
    root: str | None = None
    id: str | None = None
    yes: bool = False


@click.command("import", epilog=EPILOG)
@click.argument("source", type=PLACE)
@click.option("-o", "--output", type=PLACE, metavar="PATH", help="Write to this file or folder instead of stdout.")
@click.option("--strict", is_flag=True, help="Fail when the text is not what the page's digest says it was.")
@click.option("--pick", type=click.IntRange(1), metavar="N", help="Which one, when the source holds several.")
@click.option("--format", "format_", type=click.Choice(formats.NAMES), help="Take only workflows of this format.")
@click.option("--force", is_flag=True, help="Overwrite a file that holds something else.")
@click.option("--root", type=PLACE, metavar="FOLDER", help="Bundle: the repository to unpack it into.")
@click.option("--id", "id_", metavar="ID", help="Bundle: what the graph is called there.")
@click.option("--yes", is_flag=True, help="Bundle: write its skills without asking.")
@fetching_options
@console_options
def command(
    source: str,
    output: str | None,
    strict: bool,
    pick: int | None,
    format_: str | None,
    force: bool,
    root: str | None,
    id_: str | None,
    yes: bool,
    fetching: api.Fetching,
    console: Console,
) -> None:
    """Give the definition in SOURCE back, character for character.

    SOURCE is a file, a URL, or - for stdin. The definition goes to stdout, what there is to know about it to stderr.
    """
    check_sources([source])
    request = Request(source, output, strict, pick, format_, force, fetching, root, id_, yes)
    read = api.read_source(source, stdin=read_stdin() if source == "-" else b"", fetching=fetching)
    if wants_unpacking(request, read):
        click.get_current_context().exit(exit_code([unpack_bundle(request, read, console)]))
    if api.bundle_format(read.data) is not None:
        console.note(
            "this is a bundle, and only its graph is taken; without -o and --pick its skills are unpacked, too"
        )
    found = api.restore_source(read, pick=pick, strict=strict, format=format_)
    for note in read.notes:
        console.note(note)
    write(request, found, console)
    report(found, plain_name(source), console)


def wants_unpacking(request: Request, read: api.Source) -> bool:
    """Is the source a bundle that goes into a repository? With an output it is asked for its graph alone."""
    is_bundle = api.bundle_format(read.data) is not None
    if is_bundle and request.output is None and request.pick is None:
        return True
    for_bundle = [
        name for name, given in (("--root", request.root), ("--id", request.id), ("--yes", request.yes)) if given
    ]
    if for_bundle:
        why = "--output or --pick asks for its graph alone" if is_bundle else "a source that is none"
        raise UsageError(f"{for_bundle[0]} is for unpacking a bundle", found=why, hint=f"leave {for_bundle[0]} out")
    return False


def unpack_bundle(request: Request, read: api.Source, console: Console) -> Result:
    """Unpacks a bundle into the repository that was named, else the one around this folder."""
    from circuit_export.cli.bundles import Unpack, now, unpack
    from circuit_export.formats.roots import root_of

    root = Path(request.root) if request.root is not None else root_of(Path.cwd() / "here")
    if root is None:
        raise UsageError(
            "A bundle is unpacked into a repository, and this folder is in none",
            hint="name its folder with --root; -o FILE takes the graph alone",
        )
    check_root(str(root))
    how = Unpack(root, request.id, request.yes, request.force, request.strict)
    return unpack(read.data, read.name, how, now(), console, lambda question: confirm(question, request.source))


def confirm(question: str, source: str) -> bool:
    """Asks the person at the terminal; no when there is nobody to ask."""
    if source == "-" or sys.stdin is None or not sys.stdin.isatty():
        return False
    return click.confirm(question, err=True)


def plain_name(source: str) -> str:
    """The file name that a source suggests: the last part of its path; "" when it suggests none."""
    if source == "-" or source.lower().startswith("data:"):
        return ""
    path = source.partition("?")[0].partition("#")[0] if api.is_url(source) else source
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    stem = name.rpartition(".")[0] or name
    return "" if stem.lower() in ("", "index", "raw") or (api.is_url(source) and "://" + name in source) else name


def write(request: Request, found: Found, console: Console) -> None:
    """Writes the definition where it was asked for."""
    output, main = request.output, found.bundle.main
    if output is None or output == "-":
        write_stdout(main.text)
        if found.bundle.others:
            names = ", ".join(other.path for other in found.bundle.others)
            console.note(f"the page also holds what this workflow calls ({names}); -o FOLDER restores all of it")
        return
    path = Path(output)
    if path.is_dir() or output.endswith(("/", "\\")):
        write_folder(request, path, found.bundle, console)
        return
    if found.bundle.others:
        console.warn(f"only the main workflow goes into {output}; name a folder to restore what it calls as well")
    tell(path, write_file(path, main.text, force=request.force), console)


def write_folder(request: Request, folder: Path, bundle: Bundle, console: Console) -> None:
    """Writes the main definition and all it calls into a folder, at their relative places: all of them or none."""
    name = main_name(request, bundle, console)
    files = {folder / name: bundle.main, **{folder / other.path: other for other in bundle.others}}
    for path, definition in files.items():
        if not path.resolve().is_relative_to(folder.resolve()):
            place = path.relative_to(folder)
            raise CircuitError(
                "A workflow of this page would be written outside the folder",
                found=f"{place}, by way of a link that is there",
                hint="name another folder",
            )
        if not files.keys().isdisjoint(path.parents):
            raise CircuitError("Of two workflows of this page one is in the way of the other", found=str(path))
        holds(path, definition.text.encode(), force=request.force)
    for path, definition in files.items():
        tell(path, write_file(path, definition.text, force=request.force), console)
        if path.name.lower() in _OBEYED:
            console.warn(f"agents do what {path} says; read it before one does")


def main_name(request: Request, bundle: Bundle, console: Console) -> str:
    """The main definition's file name: one that no document of its page has, since they are called by theirs."""
    if "/" in bundle.main.path and not request.pick:
        return bundle.main.path
    wanted = file_name(request, bundle.main)
    given = free_name(wanted, {other.path.partition("/")[0].lower() for other in bundle.others})
    if given != wanted:
        console.note(f"the workflow itself becomes {given}, since it calls one that is {wanted}")
    return given


def file_name(request: Request, main: Definition) -> str:
    """A file name for a definition: that of its source unless there are several in it, else its id's, its name's."""
    if main.format not in formats.NAMES:
        return slug(main.stem or PurePosixPath(plain_name(request.source)).stem or "workflow") + ".txt"
    stem = main.stem or ("" if request.pick else PurePosixPath(plain_name(request.source)).stem)
    if not stem:
        document = formats.get(main.format).load(main)
        stem = document.id or document.name
    return slug(stem) + formats.get(main.format).suffix(main.text)


def tell(path: Path, written: bool, console: Console) -> None:
    console.say(f"wrote {path}" if written else f"{path} holds it already")


def report(found: Found, name: str, console: Console) -> None:
    """Says what came back: what it is, what it needs, and whether it is untouched."""
    try:
        workflow = api.from_found(found, name=name)
    except CircuitError as error:
        console.warn("the text came back as it was, but it is no workflow that can be read")
        console.error(error)
    else:
        describe(workflow, console)
    console.detail(f"  found as: {' → '.join(found.route)}")
    differs = found.digest.value == "differs"
    for note in found.notes:
        if not (differs and note.startswith("The workflow is not the text")):  # said louder, below
            console.note(note)
    if differs:
        console.warn("the digest differs: the text was changed after the page was made")
    elif found.digest.value == "matches":
        console.say("  digest: matches, the text is untouched")
    else:
        console.say("  digest: none to compare with")


def describe(workflow: api.Workflow, console: Console) -> None:
    """Says what a workflow is and needs, and what its loader has to say."""
    known = workflow.synopsis
    console.say(f"{known.name or 'a workflow without a name'}: {known.kind}, {counted(known.steps, 'step')}")
    if known.connectors:
        console.say(f"  needs: {', '.join(known.connectors)}")
    if known.inputs:
        console.say(f"  asks for: {', '.join(known.inputs)}")
    for missing in workflow.missing:
        console.warn(missing)
    tell_commands(workflow, console)
    console.findings(api.findings(workflow), workflow.definition.path or "definition")


def tell_commands(workflow: api.Workflow, console: Console) -> None:
    """Names what a run of it would start on this machine, if it is of that kind."""
    format = workflow.performing
    if format is None:
        return
    found = format.startable(workflow.document, workflow.called)
    names = dict.fromkeys(one.command for one in found if one.known)
    listed = [*names, *(["what only a run tells"] if not all(one.known for one in found) else [])]
    if listed:
        console.note(f"`circuit run` starts commands for it: {', '.join(listed)}; read it before you do")
