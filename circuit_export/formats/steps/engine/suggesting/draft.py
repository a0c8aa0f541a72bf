"""Drafts a scenario that follows a way: labels chosen, errors injected, and data that opens filters and branches."""

from __future__ import annotations

from typing import Any

from circuit_export.formats.steps.catalog import DONE, OUT, error_port, setting
from circuit_export.formats.steps.connectors import tool_of
from circuit_export.formats.steps.document import Step, StepsDocument
from circuit_export.formats.steps.engine.asking import asks
from circuit_export.formats.steps.engine.state import Flows, missing_inputs, with_defaults
from circuit_export.formats.steps.engine.suggesting.planting import Place, Unsolvable, items_for, plant, value_at
from circuit_export.formats.steps.engine.suggesting.samples import Demand, meeting
from circuit_export.formats.steps.engine.suggesting.ways import Move, in_batch
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.numbers import number_of, whole_of
from circuit_export.runs.scenario import Reply, Scenario
from circuit_export.runs.templates import fill, fill_all, path_of, template_path, text_of

ERROR = "the service said no"


class Draft:
    """A scenario in the making. Follow moves one by one, then `finish`."""

    def __init__(self, workflow: StepsDocument, flows: Flows) -> None:
        self.workflow = workflow
        self.flows = flows
        self.root: dict[str, Any] = {"trigger": {}, "input": {}}
        self.watch: str | None = None
        # As a scenarios file has them, since what is in them is still made up.
        self.replies: dict[str, list[dict[str, Any]]] = {}
        self.loops: list[tuple[str, list[Any]]] = []
        self.demands: dict[tuple[int, tuple[str, ...]], list[Demand]] = {}
        self.phrases: list[str] = []
        for item in workflow.inputs:
            if item.must_be_given:
                self.root["input"][item.name] = f"some {item.name}"
        self._give_numbers()

    def _give_numbers(self) -> None:
        """Inputs that settings take as whole numbers are some."""
        for step in self.workflow.steps:
            for name in ("limit", "maxWords"):
                path = template_path(text_of(step.config.get(name)))
                given = self.root["input"].get(path.removeprefix("input.")) if path else None
                if path and given is not None and whole_of(given) is None:
                    self.root["input"][path.removeprefix("input.")] = 5

    # --- following a way ---------------------------------------------------------------------------------------

    def follow(self, move: Move) -> None:
        """Makes the run leave a step by a move. Raises Unsolvable."""
        step = self.workflow.step(move.step)
        if step is not None:
            self.choose(step, move.port)

    def choose(self, step: Step, port: str) -> None:
        """Makes the run leave a step by a port. Raises Unsolvable."""
        if not step.enabled:
            return
        if port == error_port(step) and (asks(step) or in_batch(self.workflow, step)):
            self.answer(step, {"error": ERROR})
            self.phrases.append(f"“{step.title}” fails")
        elif step.type == "model.classify":
            self.answer(step, {"result": {"label": port}})
            self.phrases.append(f"“{step.title}” says {port}")
        elif step.type == "logic.branch":
            self._branch(step, port)
            self.phrases.append(f"“{step.title}” goes by {port}")
        elif step.type == "logic.filter":
            self._filter(step)
        elif step.type == "logic.each":
            self._each(step, port)
        elif step.type == "trigger.watch":
            self.watch = step.id
        elif step.type == "flow.call":
            self._give_inputs(step)
        elif step.id in self.replies and asks(step):
            self.answer(step, {"result": _bland(step)})  # a second time round, and well this time

    def reject(self, step: Step) -> None:
        """Makes a gate's person reject."""
        self.answer(step, {"result": {"decision": "reject"}})
        self.phrases.append(f"“{step.title}” is rejected")

    def empty(self, step: Step) -> None:
        """Makes a loop's list empty. Raises Unsolvable."""
        path = self._path(step, "list")
        place = self.place(path)
        plant(place.holder, place.segments, [])
        self.phrases.append(f"nothing for “{step.title}”")

    def answer(self, step: Step, reply: dict[str, Any]) -> None:
        """Answers the next time that a step asks."""
        self.replies.setdefault(step.id, []).append(reply)

    def finish(self) -> Scenario:
        """The scenario."""
        answers = {}
        for step_id, replies in self.replies.items():
            while len(replies) > 1 and replies[-1] == replies[-2]:
                replies.pop()
            answers[step_id] = tuple(_reply(reply) for reply in replies)
        name = ", ".join(dict.fromkeys(self.phrases[-3:])) or "all goes well"
        trigger = self.root["trigger"]
        return Scenario(0, name, self.root["input"], trigger if trigger != {} else None, answers=answers)

    # --- opening filters, branches and loops -------------------------------------------------------------------

    def _path(self, step: Step, name: str) -> str:
        written = setting(step, name)
        return path_of(written, self.data) if isinstance(written, str) else ""

    @property
    def data(self) -> dict[str, Any]:
        """What templates find, as far as the draft has it."""
        steps = {id: replies[-1]["result"] for id, replies in self.replies.items() if "result" in replies[-1]}
        trigger = steps.get(self.watch, {}) if self.watch else self.root["trigger"]
        data = {"trigger": trigger, "steps": steps, "input": with_defaults(self.workflow, self.root["input"])}
        if self.loops:
            data["item"] = self.loops[-1][1][0]
        return data

    def _branch(self, step: Step, port: str) -> None:
        cases = step.config.get("cases")
        cases = [case for case in cases if isinstance(case, dict)] if isinstance(cases, list) else []
        path = self._path(step, "field")
        earlier: list[Demand] = []
        for case in cases:
            demand = Demand("equals", fill_all(case.get("equals"), self.data))
            if case.get("port") == port:
                self.demand(step, path, [*earlier, demand])
                return
            earlier.append(demand._replace(wanted=False))
        self.demand(step, path, earlier)

    def _filter(self, step: Step) -> None:
        for condition in step.config.get("all") or []:
            self._condition(step, condition)
        some = step.config.get("any") or []
        problems = []
        for condition in some:
            try:
                self._condition(step, condition)
                return
            except Unsolvable as error:
                problems.append(str(error))
        if some:
            raise Unsolvable(problems[0])

    def _condition(self, step: Step, condition: Any) -> None:
        if not isinstance(condition, dict) or not isinstance(condition.get("field"), str):
            raise Unsolvable(f"“{step.title}” has a condition that is none")
        path = path_of(condition["field"], self.data)
        op, value = str(condition.get("op")), condition.get("value")
        if op in ("gt", "lt") and isinstance(value, str) and number_of(fill(value, self.data)) is None:
            self._give(value, 10)
        self.demand(step, path, [Demand(op, fill_all(value, self.data))])

    def _give(self, text: str, value: Any) -> None:
        """Gives what a template names a value, when it is exactly one template. Raises Unsolvable."""
        path = template_path(text)
        if path is not None:
            place = self.place(path)
            self._plant_all(place, value)

    def _give_inputs(self, step: Step) -> None:
        """Gives a called workflow the inputs that it must be given. Raises Unsolvable."""
        called = self.flows.get(text_of(step.config.get("workflowId")))
        written = step.config.get("input")
        if called is None or not isinstance(written, dict):
            return
        for name in missing_inputs(called, fill_all(written, self.data)):
            if isinstance(written.get(name), str):
                self._give(written[name], f"some {name}")

    def demand(self, step: Step, path: str, demands: list[Demand]) -> None:
        """Makes the value at a path meet demands, and those made of it before. Raises Unsolvable."""
        try:
            place = self.place(path)
        except Unsolvable:
            # Nothing will ever be there, which may be just what is asked for.
            if not all(demand.met_by(None) for demand in demands):
                raise
            return
        made = [*self.demands.get((id(place.holder), place.segments), []), *demands]
        try:
            found = value_at(place)
            if not all(demand.met_by(None if found is MISSING else found) for demand in made):
                value = next(meeting(made), MISSING)
                if value is MISSING:
                    raise Unsolvable(f"No value of “{path}” opens “{step.title}”: it would have to be {_spelled(made)}")
                self._plant_all(place, value)
        except Unsolvable:
            raise
        except Exception as error:
            raise Unsolvable(f"“{step.title}” has a condition that cannot be decided: {error}") from None
        self.demands[(id(place.holder), place.segments)] = made

    def _plant_all(self, place: Place, value: Any) -> None:
        """Puts a value at a place; of a loop's items, at that place in each of them."""
        items = self.loops[-1][1] if self.loops else []
        holders = items if items and place.holder is items[0] else [place.holder]
        for holder in holders:
            plant(holder, place.segments, value)

    def _each(self, step: Step, port: str) -> None:
        if port == DONE:
            while self.loops and step.id in [loop for loop, _items in self.loops]:
                self.loops.pop()
            return
        path = self._path(step, "list")
        place = self.place(path)
        found = value_at(place)
        if not isinstance(found, list) or not found:
            found = items_for(self.workflow, step)
            self._plant_all(place, found)
        self.loops.append((step.id, found))

    # --- where data comes from ---------------------------------------------------------------------------------

    def place(self, path: str) -> Place:
        """Where the value at a path of the run's data is to be put. Raises Unsolvable when nobody gives it."""
        root, *rest = path.split(".")
        if root == "input" and rest:
            return Place(self.root["input"], tuple(rest))
        if root == "trigger":
            if self.watch is not None:
                return self._reply_place(self.watch, rest, path)
            return Place(self.root, ("trigger", *rest))
        if root == "item" and self.loops:
            items = self.loops[-1][1]
            return Place(items[0], tuple(rest)) if rest and isinstance(items[0], dict) else Place(items, ("0", *rest))
        if root == "steps" and rest:
            return self._step_place(rest[0], rest[1:], path)
        raise Unsolvable(f"Nothing gives “{path}” a value")

    def _step_place(self, step_id: str, rest: list[str], path: str) -> Place:
        step = self.workflow.step(step_id)
        if step is None or not step.enabled:
            raise Unsolvable(f"Nothing gives “{path}” a value")
        if step.type in ("trigger.ask", "trigger.schedule"):
            return Place(self.root, ("trigger", *rest))
        if step.type == "flow.call":
            return self._called_place(step, rest, path)
        if not asks(step):
            raise Unsolvable(f"“{step.title}” gives no result, and “{path}” asks for one")
        if step.type == "gate.approve" and rest[:1] != ["edit"]:
            raise Unsolvable(f"“{step.title}” gives its decision and edit alone, and “{path}” asks for more")
        return self._reply_place(step_id, rest, path)

    def _called_place(self, step: Step, rest: list[str], path: str) -> Place:
        """A value that a called workflow returns: an answer of one of its steps."""
        called = self.flows.get(text_of(step.config.get("workflowId")))
        returns = text_of(setting(step, "returns"))
        whole = [*(returns.split(".") if returns else ["steps"]), *rest]
        inner = called.step(whole[1]) if called is not None and whole[0] == "steps" and len(whole) > 1 else None
        if inner is None or not asks(inner):
            raise Unsolvable(f"No answer gives “{path}” a value")
        return self._reply_place(f"{step.id}/{inner.id}", whole[2:], path, inner)

    def _batch_of(self, step_id: str) -> Step | None:
        for step in self.workflow.steps:
            if in_batch(self.workflow, step) and any(wire.port == OUT and wire.to == step_id for wire in step.next):
                return step
        return None

    def _reply_place(self, key: str, rest: list[str], path: str, step: Step | None = None) -> Place:
        step = step or self.workflow.step(key)
        batch = self._batch_of(key) if step is not None and step.type == "tool.call" else None
        if batch is not None:
            heads = [wire.to for wire in batch.next if wire.port == OUT]
            replies = self.replies.setdefault(batch.id, [{"results": {head: {"ok": True} for head in heads}}])
            kind, segments = "results", ("results", key, *rest)
        else:
            replies = self.replies.setdefault(key, [{"result": _bland(step)}])
            kind, segments = "result", ("result", *rest)
        if kind not in replies[-1]:
            raise Unsolvable(f"“{key}” fails on this way, and “{path}” asks for its result")
        return Place(replies[-1], segments)


def _reply(written: dict[str, Any]) -> Reply:
    if "results" in written:
        return Reply("results", written["results"])
    return Reply("error", written["error"]) if "error" in written else Reply("result", written["result"])


def _bland(step: Step | None) -> Any:
    """What a step is answered when nothing asks for more."""
    if step is None:
        return {}
    if step.type == "model.write":
        return {"text": "Short and plain."}
    if step.type == "model.extract":
        fields = step.config.get("fields")
        names = [item.get("name") for item in fields if isinstance(item, dict)] if isinstance(fields, list) else []
        return {name: f"some {name}" for name in names if isinstance(name, str)}
    if step.type == "gate.approve":
        return {"decision": "approve"}
    if step.type == "model.classify":
        labels = step.config.get("labels")
        return {"label": labels[0]} if isinstance(labels, list) and labels else {}
    return {"ok": True} if tool_of(step) else {}


_SPELLED = {
    "equals": "“{}”",
    "contains": "something with “{}” in it",
    "matches": "something that matches “{}”",
    "exists": "there",
    "missing": "missing",
    "gt": "more than {}",
    "lt": "less than {}",
}


def _spelled(demands: list[Demand]) -> str:
    """Demands in words."""
    parts = []
    for demand in demands:
        words = _SPELLED.get(demand.op, "{}").format(text_of(demand.value))
        parts.append(words if demand.wanted else f"not {words}")
    return " and ".join(dict.fromkeys(parts))
