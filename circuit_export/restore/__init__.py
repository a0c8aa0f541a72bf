"""Any text in, the definitions inside it out."""

from circuit_export.restore.found import Digest, Findings, Found, Recognise, single
from circuit_export.restore.search import LIMIT, find

__all__ = ["LIMIT", "Digest", "Findings", "Found", "Recognise", "find", "single"]
