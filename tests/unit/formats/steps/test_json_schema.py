"""The schema of a board says what the step kit says, and is what `schemas/` holds."""

import json

from circuit_export import resources
from circuit_export.formats.steps import json_schema
from circuit_export.formats.steps.catalog import CATALOG
from circuit_export.formats.steps.document import dump


def test_the_file_is_what_the_step_kit_makes() -> None:
    written = (resources.folder("schemas") / "steps.schema.json").read_text("utf-8")
    assert written == dump(json_schema.schema()) + "\n"


def test_every_key_of_every_type_is_described() -> None:
    defs = json.loads(dump(json_schema.schema()))["$defs"]
    for entry in CATALOG.values():
        described = defs[f"config.{entry.type}"]["properties"]
        assert list(described) == [key.name for key in entry.keys]
        assert all(member["title"] and member["description"] for member in described.values())
