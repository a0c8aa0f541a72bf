"""Workflows that are not files of their own: in exported pages, notes and other texts that hold a definition."""

from __future__ import annotations

from dataclasses import replace

from circuit_export import formats
from circuit_export.diagnostics import CircuitError
from circuit_export.validation.reading import Read, read


def read_page(data: bytes, file: str) -> list[Read]:
    """The workflows in a text that is none itself, the documents bundled with them included; none if there is none.

    Their places are those in the definition, which is what their reader would change.
    """
    from circuit_export.restore import find

    try:
        found = find(data, formats.recognise, limit=max(len(data), 1)).found
    except (CircuitError, ValueError):
        return []
    reads = []
    for number, one in enumerate(found):
        name = file if len(found) == 1 else f"{file}#{number + 1}"
        main = one.bundle.main
        whole = one.route == ("the whole text",)
        reads.append(replace(read(main.text.encode("utf-8"), name, main.path), whole=whole))
        reads += [read(other.text.encode("utf-8"), f"{name}#{other.path}", other.path) for other in one.bundle.others]
    return reads
