"""What the tests of programs share: the vectors, short programs, and runs without processes."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from circuit_export.formats.circuitry.engine.commands import Command
from circuit_export.formats.circuitry.engine.failures import Failure
from circuit_export.formats.circuitry.engine.machine import Machine
from circuit_export.formats.circuitry.engine.state import Emit, Limits, Load, Record, Start
from circuit_export.formats.circuitry.reading import parse
from circuit_export.formats.circuitry.values import ABSENT, BYTES, unpacked

VECTORS = Path(__file__).parent.parent / "conformance" / "circuitry"


class Vector(NamedTuple):
    """A case: a program with its input and options, and the tree of its run or what is wrong with it."""

    folder: Path
    text: str
    input: Any
    options: dict[str, Any]
    tree: Any
    codes: list[str] | None

    @property
    def limits(self) -> Limits:
        names = {"sourceBytes": "source_bytes", "inputBytes": "input_bytes", "outputBytes": "output_bytes"}
        return Limits(**{ours: self.options[name] for name, ours in names.items() if name in self.options})

    @property
    def cwd(self) -> str | None:
        return None if self.options.get("noCwd") else str(self.options.get("cwd", self.folder))


def vector(name: str) -> Vector:
    folder = VECTORS / name
    program = next(path for path in (folder / "program.kdl", folder / "program.md") if path.exists())
    tree, codes = _json(folder / "expected.tree.json"), folder / "expected_codes.txt"
    return Vector(
        folder,
        program.read_bytes().decode(),
        revived(_json(folder / "input.json", ABSENT)),
        _json(folder / "options.json", {}),
        tree,
        codes.read_text("utf-8").splitlines() if codes.exists() else None,
    )


def names() -> list[str]:
    return sorted(path.name for path in VECTORS.iterdir() if path.is_dir())


def _json(path: Path, default: Any = None) -> Any:
    return json.loads(path.read_text("utf-8")) if path.exists() else default


def revived(value: Any) -> Any:
    """A value with every object that stands for bytes as bytes."""
    if isinstance(value, dict):
        if set(value) == {BYTES}:
            return unpacked(value[BYTES])
        return {key: revived(item) for key, item in value.items()}
    return [revived(item) for item in value] if isinstance(value, list) else value


Outcome = tuple[list[Any], Failure | None]


def played(
    text: str,
    outcome: Callable[[str, Command], Outcome],
    *,
    input: Any = ABSENT,
    files: Mapping[str, str] | None = None,
    choose: Callable[[int], int] = lambda count: 0,
    limits: Limits | None = None,
) -> list[Record]:
    """The records of a run whose commands have fixed outcomes; `choose` picks which of the running ones ends next."""
    machine = Machine(parse(text), text, input=input, folder="/here", limits=limits or Limits())
    machine.begin("trace", "2000-01-01T00:00:00.000Z")
    records: list[Record] = []
    running: list[Start] = []
    now = 0
    while not machine.finished or machine.effects:
        while machine.effects:
            effect = machine.effects.popleft()
            if isinstance(effect, Emit):
                records.append(effect.record)
            elif isinstance(effect, Load):
                found = (files or {}).get(effect.path, Failure("source.read", "none"))
                machine.loaded(effect.path, found, now)
            elif isinstance(effect, Start):
                running.append(effect)
        now += 1
        if not machine.work(now) and running:
            start = running.pop(choose(len(running)))
            values, failure = outcome(start.call, start.command)
            for value in values:
                machine.yielded(start.id, value, now)
            machine.ended(start.id, failure, now)
    return records
