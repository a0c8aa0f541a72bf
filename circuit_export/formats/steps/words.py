"""Plain English for boards: what a step does in one line, its conditions, and what happens when it fails."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from circuit_export.formats.steps.catalog import OPS
from circuit_export.formats.wording import listed, one_line

if TYPE_CHECKING:
    from circuit_export.formats.steps.document import OnError, Step

SAID = 90
"""Characters of a text that a summary quotes at most."""

_HUMP = re.compile(r"(?<=[a-z0-9])[A-Z](?=[a-z])")


# --- small parts of speech ---------------------------------------------------------------------------------------


def step_name(step: Step) -> str:
    """What a step is called: its title, else its id, else its place in the list."""
    if step.title.strip():
        return step.title
    return step.id if step.id.strip() else f"step {step.index + 1}"


def quoted(text: str) -> str:
    """A text in quotation marks; those that it holds become single ones."""
    return f"“{text.replace('“', '‘').replace('”', '’')}”"


def shortened(text: str, limit: int = SAID) -> str:
    """A text on one line, ended with an ellipsis at a word when it is longer than `limit`."""
    return one_line(text, limit)


def inside(template: str) -> str:
    """The path inside a text that is exactly one template; the text itself when it is not."""
    text = template.strip()
    if text.startswith("{{") and text.endswith("}}") and "{{" not in text[2:] and "}}" not in text[:-2]:
        return text[2:-2].strip()
    return template


def path_words(path: str) -> str:
    """A dot path as people say it.

    Such as "the item's sender", "the given tone" (an input), "amount from receipt" (a step's result) or "the number
    of threads from the trigger".
    """
    head, *rest = inside(path).strip().split(".")
    whose, named = _WHOSE.get(head, ("", False))
    if not whose or (named and not rest):
        return inside(path)
    if named:
        step, *rest = rest
        whose = whose.format(step)
    if not rest:
        return f"the result of {step}" if head == "steps" else whose
    if rest[-1] == "length":
        return (
            f"the number of {key_words(rest[:-1]) or 'entries'} from {whose}"
            if head != "input"
            else f"the number of {whose}"
        )
    if head == "item":
        return f"the item's {key_words(rest)}"
    return f"{key_words(rest)} from {whose}"


_WHOSE = {
    "trigger": ("the trigger", False),
    "item": ("the item", False),
    "input": ("the given {}", True),
    "steps": ("{}", True),
}


def key_words(keys: Iterable[str]) -> str:
    """The keys of a path as words: daysOverdue and days_overdue are both "days overdue"."""
    spaced = _HUMP.sub(lambda match: " " + match[0].lower(), " ".join(keys))
    return " ".join(spaced.replace("_", " ").split())


def filled(text: str) -> str:
    """A text in which each template is a blank with a short name: `‹subject›` for `{{item.subject}}`."""
    if "{{" not in text:
        return text
    first, *pieces = text.split("{{")
    shown = [first]
    for piece in pieces:
        path, found, rest = piece.partition("}}")
        shown.append(f"‹{_blank(path)}›{rest}" if found else "{{" + piece)
    return "".join(shown)


def _blank(path: str) -> str:
    """What a blank in a text is called: the last key of its path, unless that only counts."""
    *before, last = path.strip().split(".")
    if last == "length" and before:
        return f"number of {key_words(before[-1:])}"
    return key_words([last])


def value_words(value: Any) -> str:
    """A value in a sentence: texts in quotes, a whole template as its path's words."""
    if isinstance(value, str):
        path = inside(value)
        return path_words(path) if path != value else quoted(shortened(filled(value), 40))
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return listed((value_words(item) for item in value[:5]), "or") or "nothing"
    if isinstance(value, Mapping):
        return "a given object"
    return str(value)


# --- conditions --------------------------------------------------------------------------------------------------


def condition(item: Any) -> str:
    """One condition in plain English, such as "the item's from is not missing"."""
    if not isinstance(item, Mapping):
        return "something that is no condition"
    field, op = item.get("field"), item.get("op")
    subject = path_words(field) if isinstance(field, str) and field else "something unnamed"
    known = OPS.get(op) if isinstance(op, str) else None
    if known is None:
        return f"{subject} {op if isinstance(op, str) else 'is compared'} {value_words(item.get('value'))}".rstrip()
    if not known.takes_value:
        return f"{subject} {known.says}"
    return f"{subject} {known.says} {value_words(item.get('value'))}"


def conditions(config: Mapping[str, Any]) -> str:
    """The conditions of a filter in plain English; "always" when there are none."""
    every = [condition(item) for item in items_of(config.get("all"))]
    some = [condition(item) for item in items_of(config.get("any"))]
    if some and every:
        return f"{listed(every)}, and {'either ' if len(some) > 1 else ''}{listed(some, 'or')}"
    return listed(every) or listed(some, "or") or "always: it has no conditions"


def items_of(value: Any) -> list[Any]:
    """The items of a setting that should be a list; none when it is something else."""
    return value if isinstance(value, list) else []


# --- errors ------------------------------------------------------------------------------------------------------

_TRIES = {1: "once", 2: "twice in all"}


def policy(on_error: OnError) -> str:
    """What happens when the step fails, as a sentence."""
    if on_error.do == "skip":
        return "If it fails, this way ends here and the run carries on."
    if on_error.do == "retry":
        tries = _TRIES.get(on_error.attempts, f"{on_error.attempts} times in all")
        return f"If it fails, it is tried {tries} before the run stops."
    if on_error.do == "route":
        return f"If it fails, the run goes on by the port “{on_error.port}”."
    return "If it fails, the run stops."
