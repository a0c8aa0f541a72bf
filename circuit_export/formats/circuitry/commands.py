"""Which commands a program could start, told without running any: for `--dry-run`, and before a stranger's program."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.circuitry.document import FORMAT_NAME, load
from circuit_export.formats.circuitry.words import Kind, kind, literal, nested_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from circuit_export.formats.circuitry.document import ProgramDocument


class Startable(NamedTuple):
    """A command that a run could start.

    `path` leads to it, the calling calls first. `command` is its executable as it is written, and `arguments` the KDL
    of what follows. `known` is false when only a run tells what is run: a source from state, a generated program, or
    a nested one that is not at hand.
    """

    path: tuple[str, ...]
    command: str
    arguments: str = ""
    known: bool = True


def startable(document: ProgramDocument, called: Mapping[str, ProgramDocument]) -> tuple[Startable, ...]:
    """All that a run of a program could start, in the order it is written; programs in programs come in their place.

    What a file starts is told where it is first run: a few programs that run each other often could fill the memory.
    """
    return tuple(_startable(document, called, (), {document.definition.path}))


def _startable(
    document: ProgramDocument, called: Mapping[str, ProgramDocument], way: tuple[str, ...], told: set[str]
) -> Iterator[Startable]:
    for call in document.calls:
        path, what = (*way, call.name), kind(call)
        parts = {name: " ".join(document.kdl(extent).split()) for name, extent in call.parts}
        text = literal(call)
        if what is Kind.COMMAND:
            yield Startable(path, text or parts["source"], parts.get("arguments", ""), text is not None)
        elif what is Kind.GENERATED:
            made = _made(text, document)
            if made is None:
                yield Startable(path, parts["source"], known=False)
            else:
                yield from _startable(made, called, path, told)
        elif what is Kind.NESTED:
            file = nested_path(call, document)
            if file in told:
                continue
            inner = called.get(file) if file is not None else None
            if inner is None or file is None:
                yield Startable(path, text or parts["source"], known=False)
            else:
                told.add(file)
                yield from _startable(inner, called, path, told)


def _made(text: str | None, document: ProgramDocument) -> ProgramDocument | None:
    """The generated program whose text is written out in the program, such as that of a section; None for others."""
    if text is None:
        return None
    try:
        made = load(Definition(text, FORMAT_NAME, document.definition.path))
    except CircuitError:
        return None
    return made if made.is_valid else None
