"""C801: `program.kdl`, a program whose KDL cannot be read."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C801",
    "kdl-syntax",
    Severity.ERROR,
    "The KDL of a program cannot be read.",
    "Nothing in it can be said then. The place is where reading stopped, which may be a little behind the slip itself. "
    "Words of KDL version 2 begin with a #: #true, #false, #null.",
    bad='greet source="" { out $greeting\nout $greeting\n',
    good='greet source="" { out $greeting }\nout $greeting\n',
    reference="program.kdl",
)
