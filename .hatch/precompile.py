"""Build hook: compiles the page's templates to a Python module, so that an installed package never parses them."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TEMPLATES = "circuit_export/board/templates"


def load(path: Path) -> ModuleType:
    """The project's own module for templates, from its file: the package itself is not installed while it is built."""
    spec = importlib.util.spec_from_file_location("template", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[spec.name]
    return module


class Precompile(BuildHookInterface):
    """Writes `_compiled.py` beside the templates, for wheels and for editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        template = load(Path(self.root, "circuit_export/board/template.py"))
        folder = Path(self.root, TEMPLATES)
        sources = {name: (folder / name).read_text("utf-8") for name in template.NAMES}
        (folder / "_compiled.py").write_text(template.compiled_module(sources), "utf-8", newline="\n")
