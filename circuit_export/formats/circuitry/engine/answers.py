"""What a fixed answer means for a command: the values that it gives, or its failure; and how it is asked for."""

from __future__ import annotations

from json import loads
from typing import TYPE_CHECKING, Any

from circuit_export.formats.circuitry.engine.failures import Failure
from circuit_export.formats.circuitry.program import BYTES, JSONL, TEXT
from circuit_export.formats.circuitry.values import ABSENT, canonical, read_json, text_of, value_of
from circuit_export.runs.directives import CALL_TOOL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.formats.circuitry.engine.commands import Command
    from circuit_export.formats.circuitry.engine.state import Start
    from circuit_export.formats.circuitry.engine.watch import Watch
    from circuit_export.runs.directives import Directive


def asked(start: Start, watch: Watch, turn: int) -> Directive:
    """A command as a directive."""
    command = start.command
    arguments: dict[str, Any] = {"arguments": list(command.arguments)}
    if start.input is not ABSENT:
        arguments["input"] = plain_value(start.input)
    found: dict[str, Any] = {
        "act": CALL_TOOL,
        "stepId": start.call,
        "turn": turn,
        "title": start.call,
        "tool": command.executable,
        "arguments": arguments,
    }
    path = watch.path(start.id)
    if len(path) > 1:
        found["path"] = list(path)
    return found


def plain_value(value: Any) -> Any:
    """A value as plain JSON: bytes as the object that stands for them."""
    return loads(canonical(value))


def outcome(command: Command, entry: Mapping[str, Any]) -> tuple[list[Any], Failure | None]:
    """The values and the failure that an answer means: `{"result": …}` or `{"error": …}`. Raises ValueError."""
    if "error" in entry:
        return [], _failure(command, entry["error"])
    result = revived(entry["result"])
    if command.codec == JSONL:
        return (result if isinstance(result, list) else [result]), None
    if command.codec == TEXT:
        return [text_of(result)], None
    if command.codec == BYTES:
        return [result if isinstance(result, bytes) else text_of(result).encode("utf-8", "replace")], None
    return [result], None


def revived(item: Any) -> Any:
    """A plain value with every object that stands for bytes as bytes. Raises ValueError."""
    return read_json(canonical(value_of(item)))


def _failure(command: Command, error: Any) -> Failure:
    if isinstance(error, dict) and isinstance(error.get("code"), str):
        data = value_of(error["data"]) if "data" in error else ABSENT
        return Failure(error["code"], str(error.get("message", error["code"])), data)
    message = error if isinstance(error, str) else canonical(value_of(error))
    data = {"status": 1, "signal": None, "stderr": message, "stderrTruncated": False}
    return Failure("process.exit", f"{command.executable} exited with 1", data)
