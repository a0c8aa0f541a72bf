"""`circuit rules`: which findings there are."""

from __future__ import annotations

import click

from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import write_stdout

EPILOG = """\b
Examples:
  circuit rules                               code, severity and name of each
  circuit rules --format markdown > RULES.md  with what they are about and how to mend it"""


@click.command("rules", epilog=EPILOG)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "markdown"]),
    default="text",
    show_default=True,
    help="What to print.",
)
@console_options
def command(format_: str, console: Console) -> None:
    """List the findings that `circuit validate` can report."""
    from circuit_export.validation import docs

    write_stdout(docs.page() if format_ == "markdown" else docs.listing())
