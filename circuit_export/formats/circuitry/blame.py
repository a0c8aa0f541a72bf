"""Why a run has no output: what a call gave in place of its out, and what a name that is not bound was waiting for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from circuit_export.board.text_clean import flat
from circuit_export.formats.circuitry.dataflow import IN
from circuit_export.formats.circuitry.patterns import Scalar
from circuit_export.formats.circuitry.values import canonical
from circuit_export.formats.wording import Spelling, counted, shown

if TYPE_CHECKING:
    from collections.abc import Collection

    from circuit_export.formats.circuitry.dataflow import Dataflow
    from circuit_export.formats.circuitry.program import Call

_NAME: Final = re.compile(r"\w+(?:-\w+)*", re.ASCII)
_LONGEST: Final = 300
"""Characters that are shown of what a command gave."""

_MOST: Final = 4
"""Links of a chain of calls that wait for each other that are told."""


def given(name: str, values: Any) -> str:
    """What a call gave whose out does not fit, on one line."""
    if not isinstance(values, list) or not values:
        return f"{flat(name)} gave nothing"
    text = canonical(values[0])
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    more = f", and {counted(len(values) - 1, 'more value')}" if len(values) > 1 else ""
    return f"{flat(name)} gave {flat(cut)}{more}"


def forgotten(call: Call) -> str:
    """What is said of a call whose out is one bare word, which most likely lacks its $; "" for any other."""
    word = call.output.value if isinstance(call.output, Scalar) else None
    if not isinstance(word, str) or not _NAME.fullmatch(word):
        return ""
    return f"this out takes the text {shown(word)} and nothing else; out ${word} binds what the call gives"


def waiting(flow: Dataflow, name: str, bound: Collection[str], ran: Collection[str]) -> str:
    """What a name that is not bound was waiting for: the call that binds it, or what that needs in turn."""
    said: list[str] = []
    seen: set[str] = set()
    while name not in seen and len(said) < _MOST:
        seen.add(name)
        steps = dict.fromkeys(port.step for port in flow.binders.get(name, ()))
        if not steps:
            near = Spelling().near(name, list(flow.binders))
            said.append(f"nothing binds ${name}" + (f" (did you mean ${near.name}?)" if near is not None else ""))
            break
        worked = next((flow.ids[step] for step in steps if flow.ids[step] in ran or flow.ids[step] == IN), None)
        if worked is not None:
            said.append(f"${name} was left out by {'the input' if worked == IN else f'the call {shown(worked)}'}")
            break
        step = next(iter(steps))
        lacking = [need for need, optional in flow.needs[step].items() if not optional and need not in bound]
        said.append(f"{shown(flow.ids[step])}, which binds ${name}, never ran")
        if not lacking:
            break
        name = lacking[0]
    return ": ".join(said)
