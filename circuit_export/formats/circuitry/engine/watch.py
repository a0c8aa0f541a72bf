"""What a run of a program looks like from outside: which calls ran, which wires they took, what happened when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.formats.circuitry.branches import HANDLED, without
from circuit_export.formats.circuitry.dataflow import IN, OUT
from circuit_export.formats.circuitry.engine.answers import plain_value
from circuit_export.runs.clipping import clip
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.record import FAILED, IDLE, RUNNING, STEP_DONE
from circuit_export.runs.timeline import Moment, Timeline

if TYPE_CHECKING:
    from circuit_export.formats.circuitry.dataflow import Dataflow
    from circuit_export.formats.circuitry.engine.state import Record


class Called(NamedTuple):
    """A call that was recorded: its name, and the ordinal of the call that runs its program (0 at the root)."""

    name: str
    parent: int


class Watch:
    """Follows the records of a run. `trace`, `taken`, `branches` and `history` are as a run record holds them."""

    def __init__(self, flow: Dataflow) -> None:
        self.flow = flow
        self.records: list[Record] = []
        self.calls: dict[int, Called] = {}
        self.trace: list[dict[str, Any]] = [{"stepId": id, "state": IDLE} for id in flow.ids]
        self.taken: list[dict[str, str]] = []
        self.branches: list[dict[str, str]] = []
        self.history: list[dict[str, Any]] = []
        self.failed = ""
        self.failure: dict[str, Any] | None = None
        self._steps = {id: at for at, id in enumerate(flow.ids)}
        self._seen: set[tuple[str, ...]] = set()
        self._bound: dict[str, tuple[str, str]] = {}  # who bound a name last, and by which port
        self._binding: dict[int, dict[str, tuple[str, str]]] = {}  # what the present generation binds, by step
        self._timeline = Timeline()

    def begin(self, takes: dict[str, Any]) -> None:
        """The input was taken, and bound these names."""
        labels = {port.name: port.label for port in self.flow.ports[0]}
        self._bound = {name: (IN, labels[name]) for name in takes}
        self._set(IN, STEP_DONE)

    def path(self, ordinal: int) -> tuple[str, ...]:
        """The calls that lead to a call, the outermost first, itself last."""
        names: list[str] = []
        while ordinal:
            names.append(self.calls[ordinal].name)
            ordinal = self.calls[ordinal].parent
        return tuple(reversed(names))

    def see(self, record: Record, now: str) -> None:
        """Takes the next record."""
        ordinal = len(self.records)
        self.records.append(record)
        if not ordinal:
            return
        if "call" in record:
            self.calls[ordinal] = Called(record["call"], record.get("parent", 0))
            if not self.calls[ordinal].parent:
                self._enter(record["call"], now)
        elif "result" in record:
            if record["result"]:
                self._settle(record, now)
            else:
                self._finish(record, now)

    def flush(self) -> None:
        """Moves what happened into the history."""
        self._timeline.flush(self.history)

    def _enter(self, name: str, now: str) -> None:
        self._commit()
        self._arrive(name)
        self._set(name, RUNNING)
        self._timeline.add(Moment(name, now, RUNNING))

    def _commit(self) -> None:
        for step in sorted(self._binding):
            self._bound.update(self._binding[step])
        self._binding.clear()

    def _arrive(self, name: str) -> None:
        """Records the wires by which a step gets what it needs, and what it does without, each once."""
        for wanted, optional in self.flow.needs[self._steps[name]].items():
            if optional and wanted not in self._bound:
                self._branch(name, without(wanted))
            elif wanted in self._bound:
                source, port = self._bound[wanted]
                if (source, port, name) not in self._seen:
                    self._seen.add((source, port, name))
                    self.taken.append({"step": source, "port": port, "to": name})

    def _branch(self, name: str, what: str) -> None:
        if (name, what) not in self._seen:
            self._seen.add((name, what))
            self.branches.append({"step": name, "what": what})

    def _settle(self, record: Record, now: str) -> None:
        called = self.calls[record["result"]]
        error = record.get("error")
        values = record.get("bindings", MISSING)
        if called.parent:
            path = list(self.path(record["result"]))
            state = STEP_DONE if error is None else FAILED
            said = "" if error is None else _said(error)
            self._timeline.add(Moment(called.name, now, state, path, error=said, answer=_plain(values)))
            return
        handled = error is not None and values is not MISSING
        if handled:
            self._branch(called.name, HANDLED)
        state = STEP_DONE if values is not MISSING else FAILED
        said = _said(error) if error is not None else ""
        # What a command said is quoted, so that it can be left out where values are.
        summary = f"handled {error['code']}: “{error['message']}”" if handled and error is not None else ""
        self._set(called.name, state, summary=summary, error="" if handled else said)
        port = "error " if handled else ""
        if values is not MISSING:
            step = self._steps[called.name]
            self._binding[step] = {name: (called.name, f"{port}{name}") for name in values}
        elif not self.failed:
            self.failed = called.name
        self._timeline.add(
            Moment(called.name, now, state, summary=summary, error="" if handled else said, answer=_plain(values))
        )

    def _finish(self, record: Record, now: str) -> None:
        self._commit()
        self.failure = record.get("error")
        if self.failure is None:
            self._arrive(OUT)
            self._set(OUT, STEP_DONE)
            self._timeline.add(Moment(OUT, now, STEP_DONE, answer=_plain(record["output"])))
            return
        if not self.failed:
            self.failed = IN if self.failure["code"] == "match.input" else OUT
            self._set(self.failed, FAILED, error=_said(self.failure))

    def _set(self, name: str, state: str, *, summary: str = "", error: str = "") -> None:
        entry: dict[str, Any] = {"stepId": name, "state": state}
        if summary:
            entry["summary"] = summary
        if error:
            entry["error"] = error
        self.trace[self._steps[name]] = entry


def _said(error: dict[str, Any]) -> str:
    return f"{error['code']}: {error['message']}"


def _plain(value: Any) -> Any:
    """A value as a run record can hold it: bytes as the object that stands for them."""
    if value is MISSING:
        return value
    return clip(plain_value(value))
