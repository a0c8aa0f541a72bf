"""The tools, one file a group."""

from __future__ import annotations

from circuit_export.server.tools import boards, checking, connectors, editing, keeping, runs, standing
from circuit_export.server.tools.spec import Spec

TOOLS: tuple[Spec, ...] = (
    *connectors.TOOLS,
    *boards.TOOLS,
    *editing.TOOLS,
    *keeping.TOOLS,
    *checking.TOOLS,
    *runs.TOOLS,
    *standing.TOOLS,
)
"""Every tool, in the order in which they are listed."""
