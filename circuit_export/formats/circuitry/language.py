"""The language of programs, from Python: what a text is, a run of it, and its trace.

`inspect(text)` says everything that is wrong with a text, `parse(text)` gives its program or raises InvalidProgram.
`run(text, input=…, terms=Terms(…), cancel=Cancel())` runs it and gives the records as they happen, `records` does so
in an event loop; both start the program's commands. `encode` writes a record as a line of a trace, `decode` reads a
trace that comes in pieces and raises TraceError. `tree(records)` is what happened whatever came first.
"""

from __future__ import annotations

from circuit_export.formats.circuitry.engine.failures import Failure
from circuit_export.formats.circuitry.engine.state import Limits, Record
from circuit_export.formats.circuitry.engine.trace import Decoder, TraceError, decode, encode
from circuit_export.formats.circuitry.engine.tree import tree
from circuit_export.formats.circuitry.program import Inspected, InvalidProgram, Program, Said
from circuit_export.formats.circuitry.reading import inspect, parse
from circuit_export.formats.circuitry.runner import BadTerms, Cancel, Terms, records, run
from circuit_export.formats.circuitry.values import ABSENT, NotAValue, canonical

__all__ = [
    "ABSENT",
    "BadTerms",
    "Cancel",
    "Decoder",
    "Failure",
    "Inspected",
    "InvalidProgram",
    "Limits",
    "NotAValue",
    "Program",
    "Record",
    "Said",
    "Terms",
    "TraceError",
    "canonical",
    "decode",
    "encode",
    "inspect",
    "parse",
    "records",
    "run",
    "tree",
]
