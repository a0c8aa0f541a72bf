"""`circuit explain`: what a finding means, with a bad and a good example."""

from __future__ import annotations

import click

from circuit_export.cli.completing import offering
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import write_stdout

EPILOG = """\b
Examples:
  circuit explain C501
  circuit explain unguarded-write"""


def rule_codes() -> list[str]:
    """The codes of all findings."""
    from circuit_export.validation.catalogue import every_rule

    return [rule.code for rule in every_rule()]


@click.command("explain", epilog=EPILOG)
@click.argument("code", shell_complete=offering(rule_codes))
@console_options
def command(code: str, console: Console) -> None:
    """Say what the finding CODE means, why it matters, and how to mend it.

    CODE is a code such as C201 or a name such as unknown-wire-target.
    """
    from circuit_export.validation import docs
    from circuit_export.validation.catalogue import find_rule

    write_stdout(docs.section(find_rule(code)) + "\n")
