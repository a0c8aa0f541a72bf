"""What the engine says: what a driver is to report, what a chip counts, why a run stands still."""

from __future__ import annotations

from typing import Any, Final

from circuit_export.formats.steps.document import Step
from circuit_export.formats.steps.guards import GATE

HONEST: Final = "If it fails, report the failure as a failure, with what the service said. Never make up a result."

EXPECT_CALL: Final = f"Call the tool with these arguments and report what it returned, whole. {HONEST}"
EXPECT_PREVIEW: Final = (
    "This is a test run and the step writes, or is not known to only read. Do not call the tool: show what would be "
    "done, and report that it was shown. If it cannot be shown, report that as a failure."
)
EXPECT_MANY: Final = (
    "Make every call and report results and errors by stepId, each call in one of the two. "
    "A call that failed goes into errors, with what the service said. Never make up a result."
)
EXPECT_MANY_TEST: Final = (
    f"{EXPECT_MANY} This is a test run: do not make the calls marked preview, show them and report that."
)
EXPECT_CLASSIFY: Final = f"Report {{label, why}}, with the label exactly as it is given. {HONEST}"
EXPECT_WRITE: Final = f"Report {{text}}. {HONEST}"
EXPECT_EXTRACT: Final = (
    f"Report an object with every field; null for what the input does not say, never a guess. {HONEST}"
)
EXPECT_ASK: Final = (
    "Ask the person and wait for the answer. Report {decision: approve or reject, edit?}; the decision is theirs "
    "alone. If they cannot be asked, report that as a failure."
)
EXPECT_SAY: Final = f"Say it, and report that it was said. {HONEST}"

DROPPED: Final = "its way was dropped"
SHOWN: Final = "shown, not called"

RETRY_OR_SKIP: Final = "Resume to try it again, or resume with skip to go on without it."
MEND: Final = "Mend that and resume, or resume with skip to go on without it."
UNASKED: Final = "With skip it goes on though nobody approved it: only if the person wants that."


def what_next(step: Step, *, mend: bool = False) -> str:
    """What can be done about a step that failed, or that cannot run before something was mended."""
    if step.type == GATE:
        return f"{'Mend that and resume' if mend else 'Resume to ask once more'}. {UNASKED}"
    return MEND if mend else RETRY_OR_SKIP


def named(step: Step) -> str:
    """A step in a sentence: its title, and its id where the title does not say it."""
    return f"“{step.title}”" if not step.id or step.title == step.id else f"“{step.title}” ({step.id})"


def count(number: int, noun: str) -> str:
    """Such as "1 item" or "3 items"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def quoted(names: Any) -> str:
    """Names in quotes, as a list in a sentence."""
    marked = [f"“{name}”" for name in names]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"


def counted(result: Any) -> str:
    """What a result amounts to, in a word or two: "2 threads", "31 words", "ran"."""
    if isinstance(result, list):
        return count(len(result), "item")
    if isinstance(result, str):
        return count(len(result.split()), "word")
    if isinstance(result, dict):
        if isinstance(result.get("text"), str):
            return count(len(result["text"].split()), "word")
        for key, value in result.items():
            if isinstance(value, list):
                return f"{len(value)} {_of_number(key, len(value))}"
    return "ran"


def _of_number(noun: str, number: int) -> str:
    if number != 1 or not noun.endswith("s") or noun.endswith(("ss", "us", "is")):
        return noun
    return f"{noun[:-3]}y" if noun.endswith("ies") and len(noun) > 4 else noun[:-1]
