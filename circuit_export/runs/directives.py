"""What engines hand out: the acts, and the one line a directive has in a trace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

Directive = dict[str, Any]
"""One thing to do next, as plain JSON: `act`, `turn` and what the act needs."""

CALL_TOOL: Final = "call_tool"
PREVIEW: Final = "preview"
CALL_MANY: Final = "call_many"
THINK: Final = "think"
ASK: Final = "ask"
SAY: Final = "say"
DONE: Final = "done"
BLOCKED: Final = "blocked"

LAST: Final = frozenset((DONE, BLOCKED))
"""The acts that ask for nothing: the run has ended or waits to be resumed."""

_BREAKS = re.compile(r"[\s\x85\u2028\u2029]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def one_line(text: str) -> str:
    """A text with every stretch of blanks and line breaks as one blank, and half characters as U+FFFD."""
    return _SURROGATE.sub("\ufffd", _BREAKS.sub(" ", text).strip())


def trace_line(directive: Mapping[str, Any]) -> str:
    """A directive as a trace shows it, such as `call_tool send Gmail:reply` or `blocked send — REASON`."""
    act = directive["act"]
    if act == DONE:
        return DONE
    step = one_line(directive["stepId"])
    if act == BLOCKED:
        return f"{BLOCKED} {step} — {one_line(directive['reason'])}"
    if act == CALL_MANY:
        return f"{CALL_MANY} {step} [{' '.join(one_line(call['stepId']) for call in directive['calls'])}]"
    what = directive.get("tool") or directive.get("task")
    return f"{act} {step} {one_line(what)}" if what else f"{act} {step}"


def golden_text(traces: Iterable[tuple[str, Iterable[str]]]) -> str:
    """The text of a golden: for each scenario `# NAME` and its lines, an empty line between scenarios."""
    return "\n".join("\n".join((f"# {one_line(name)}", *lines, "")) for name, lines in traces)
