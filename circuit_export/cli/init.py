"""`circuit init`: what a repository needs to keep and check its workflows."""

from __future__ import annotations

from pathlib import Path

import click

from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import WouldOverwrite, write_file
from circuit_export.cli.results import Result, exit_code

CONFIG = """\
# Settings of the workflows in this repository; `circuit schema config` describes them all.
fail-on = "warning"
# tools = "tools.json"      # the connector tools there are, to find names that nobody has
# exclude = ["drafts/"]
"""

CI = """\
name: workflows
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  validate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install circuit-export
      - run: circuit validate --format github
"""

EXAMPLE = """\
{
 "circuit": 1,
 "name": "Say hello",
 "description": "Greets whoever is named, once the text has been looked at.",
 "inputs": [
  {
   "name": "who",
   "description": "Who is greeted"
  }
 ],
 "steps": [
  {
   "id": "ask",
   "type": "trigger.ask",
   "title": "When somebody asks",
   "next": [
    {
     "port": "out",
     "to": "draft"
    }
   ]
  },
  {
   "id": "draft",
   "type": "model.write",
   "title": "Write a greeting",
   "config": {
    "instructions": "One friendly sentence to {{input.who}}.",
    "maxWords": 30
   },
   "next": [
    {
     "port": "out",
     "to": "say"
    }
   ]
  },
  {
   "id": "say",
   "type": "note.say",
   "title": "Say it",
   "config": {
    "template": "{{steps.draft.text}}"
   }
  }
 ]
}
"""

FILES = {
    "circuit.toml": CONFIG,
    ".github/workflows/workflows.yml": CI,
    "workflows/say-hello.json": EXAMPLE,
}


EPILOG = """\b
Examples:
  circuit init          circuit.toml, a CI job and an example, here
  circuit init shop     in the folder shop"""


@click.command("init", epilog=EPILOG)
@click.argument("folder", default=".", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite files that hold something else.")
@console_options
def command(folder: Path, force: bool, console: Console) -> None:
    """Write a configuration, a CI job and an example workflow into FOLDER (this one if none is given)."""
    results = []
    for name, text in FILES.items():
        file = folder / name
        try:
            written = write_file(file, text, force=force)
        except WouldOverwrite as error:
            console.error(error)
            results.append(Result.WRONG)
            continue
        console.say(f"{'wrote' if written else 'kept'} {file.as_posix()}")
        results.append(Result.FINE)
    if results and all(result is Result.FINE for result in results):
        console.say("`circuit validate` checks what is there")
    click.get_current_context().exit(exit_code(results))
