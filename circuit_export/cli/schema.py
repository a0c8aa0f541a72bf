"""`circuit schema`: the JSON Schemas, for editors and other programs."""

from __future__ import annotations

import click

from circuit_export.cli.completing import offering
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import write_stdout
from circuit_export.diagnostics import UsageError

EPILOG = """\b
Examples:
  circuit schema                               their names
  circuit schema steps > steps.schema.json     that of a board"""


def schema_names() -> tuple[str, ...]:
    """The names of all schemas."""
    from circuit_export.validation.schema import names

    return names()


@click.command("schema", epilog=EPILOG)
@click.argument("name", required=False, shell_complete=offering(schema_names))
@console_options
def command(name: str | None, console: Console) -> None:
    """Print the JSON Schema called NAME, or the names of all of them."""
    from circuit_export.formats.likeness import nearest
    from circuit_export.validation import schema

    if name is None:
        write_stdout("".join(f"{known}\n" for known in schema.names()))
        return
    if name not in schema.names():
        near = nearest(name, schema.names())
        hint = f"did you mean “{near}”?" if near else ""
        raise UsageError("There is no such schema", found=name, expected=", ".join(schema.names()), hint=hint)
    write_stdout(schema.schema_text(name))
