"""Checks an installed package, away from any checkout: check_wheel.py

Schemas, themes and the typed marker are inside it, and its templates were compiled when it was built. Prints the names
of its themes and schemas.
"""

from pathlib import Path

import circuit_export
from circuit_export import resources
from circuit_export.board import template
from circuit_export.board.theme import theme_names

PACKAGE = Path(circuit_export.__file__).parent

assert (PACKAGE / "py.typed").is_file(), "py.typed is missing"
for name in ("schemas", "themes"):
    assert resources.folder(name) == PACKAGE / name, f"{name} are not inside {PACKAGE}"
for name in template.NAMES:
    source = (template.FOLDER / name).read_text("utf-8")
    assert template._compiled(name, template.fingerprint(source)), f"{name} is not compiled, or from another source"
print(*theme_names(), *sorted(path.name for path in resources.folder("schemas").glob("*.json")))
