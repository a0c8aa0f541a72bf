"""Keep, share, check and run automation workflows: one self-contained page, and back again."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from circuit_export.api import Workflow, export_mermaid, export_page, export_svg, load, loads, restore
    from circuit_export.definition import Bundle, Definition
    from circuit_export.diagnostics import CircuitError, Diagnostic, Severity

# Where each public name lives: importing the package costs nothing, naming one of these imports its module.
_HOMES = {
    "Bundle": "definition",
    "CircuitError": "diagnostics",
    "Definition": "definition",
    "Diagnostic": "diagnostics",
    "Severity": "diagnostics",
    "Workflow": "api",
    "export_mermaid": "api",
    "export_page": "api",
    "export_svg": "api",
    "load": "api",
    "loads": "api",
    "restore": "api",
}

__all__ = [
    "Bundle",
    "CircuitError",
    "Definition",
    "Diagnostic",
    "Severity",
    "Workflow",
    "export_mermaid",
    "export_page",
    "export_svg",
    "load",
    "loads",
    "restore",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])


class _Front(ModuleType):
    """The package as a module whose `restore` is always the function.

    A room has that name too, and the import of a room would put it in the function's place.
    """

    @property
    def restore(self) -> Any:
        return __getattr__("restore")

    @restore.setter
    def restore(self, room: ModuleType) -> None:
        """Leaves the room to `sys.modules`, where every import of something in it finds it."""


sys.modules[__name__].__class__ = _Front
