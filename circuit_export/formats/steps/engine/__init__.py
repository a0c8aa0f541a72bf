"""The engine of Circuit boards: a pure state machine that hands out one directive at a time."""

from circuit_export.formats.steps.engine.machine import Machine
from circuit_export.formats.steps.engine.reports import advance, fail, report, report_many, resume
from circuit_export.formats.steps.engine.state import Flows, start

__all__ = ["Flows", "Machine", "advance", "fail", "report", "report_many", "resume", "start"]
