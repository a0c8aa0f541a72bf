"""The engine of skill graphs: a pure state machine that hands out one skill to run at a time."""

from circuit_export.formats.skills.engine.machine import Machine
from circuit_export.formats.skills.engine.requests import context
from circuit_export.formats.skills.engine.state import Options, run_state

__all__ = ["Machine", "Options", "context", "run_state"]
