"""C773: an output that is not there when it is needed."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C773",
    "output-unavailable",
    Severity.ERROR,
    "A node reads the output of one that failed, did not run, or gave none.",
    "Its input cannot be made, so it is not run and counts as failed. This holds under continueOnFailure too.",
    bad="“check” reads ${steps.draft.output}, and “draft” failed\n",
    good="“check” reads ${steps.draft.output}, and “draft” put something out\n",
)
