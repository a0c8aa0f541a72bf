"""The machine: one is bound to a graph, is handed a run and what was reported, and says what comes next.

A run belongs to its caller and is worked on in place, so that a move costs the same however long the run is. Between
two calls it is plain JSON. A directive may share values with the run and is not to be changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.skills.engine import results
from circuit_export.formats.skills.engine.requests import RUN_SKILL, directive
from circuit_export.formats.skills.engine.starting import (
    first_to_repeat,
    new_run,
    reject,
    rejection,
    take_over,
    take_up,
)
from circuit_export.formats.skills.engine.state import (
    CANCELLED,
    CYCLE,
    FAILED,
    QUEUED,
    RUNNING,
    SKIPPED,
    SUCCESS,
    WAITING,
    Options,
    end,
    has_run,
    set_state,
    shared,
)
from circuit_export.formats.skills.placeholders import Refused, substitute
from circuit_export.formats.skills.plan import plan
from circuit_export.formats.wording import shown
from circuit_export.runs.clipping import clip
from circuit_export.runs.directives import BLOCKED, DONE, Directive
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.outline import Outline, Way
from circuit_export.runs.record import IDLE, LIVE, NotPlain, Run, plain
from circuit_export.runs.record import SKIPPED as STEP_SKIPPED
from circuit_export.runs.templates import text_of
from circuit_export.runs.timeline import Moment, Timeline

if TYPE_CHECKING:
    from circuit_export.formats.skills.document import Node, SkillsDocument
    from circuit_export.runs.targets import Proposer

OUT = "out"
_NO_INPUT: Mapping[str, Any] = {}


class Machine:
    """The engine of one skill graph. It holds nothing of any run."""

    def __init__(self, document: SkillsDocument, options: Options = Options()) -> None:  # noqa: B008  # immutable
        own = document.value.get("x-circuit")
        if isinstance(own, dict) and own.get("allowCycles") is True:
            options = options._replace(allow_cycles=True)
        self.document = document
        self.options = options
        self.plan = plan(len(document.nodes), document.graph.links())
        in_order = self.plan.order or range(len(document.nodes))
        self.order = tuple(dict.fromkeys(document.nodes[index].id for index in in_order))
        self.before: dict[str, list[str]] = {}
        for _, _, source, target in document.edges:
            if source in document.by_id:
                self.before.setdefault(target, []).append(source)

    # --- beginning -----------------------------------------------------------------------------------------------

    def start(
        self, run_id: str, now: str, mode: str = LIVE, trigger: Any = None, input: Mapping[str, Any] = _NO_INPUT
    ) -> Run:
        """A new run. `now` is a time as text. One that is refused is `rejected`, and `advance` says why.

        Raises CircuitError for a trigger or an input: a graph has none, its nodes have theirs.
        """
        if trigger is not None or input:
            raise CircuitError(
                "A skill graph takes no trigger and no input of its own",
                found="a trigger" if trigger is not None else "an input",
                hint="write it into the input of the node that needs it",
            )
        runs_in_rounds = bool(self.plan.cycle) and self.options.allow_cycles
        run = new_run(self.document, run_id, now, mode, runs_in_rounds)
        refused = rejection(self.document, self.plan, self.options)
        if refused is not None:
            reject(run, self.document, refused, now)
        else:
            run["queue"] = list(reversed(self.order))
        return run

    def rerun(self, previous: Run, run_id: str, now: str, start_at: str | None = None) -> Run:
        """A run that begins at a node, by default the first of `previous` that did not succeed.

        What the nodes before it put out then is there again. A start that is no node, and a loop, run from the
        beginning; `history` says so.
        """
        self._check(previous)
        run = self.start(run_id, now, previous["mode"])
        if run["rejected"] is not None:
            return run
        start = start_at if start_at is not None else first_to_repeat(previous, self.order)
        if run["runMode"] == CYCLE or start is None or start not in self.document.by_id:
            if start is not None:
                why = "a loop always begins anew" if start in self.document.by_id else "it is no node"
                _note(run, Moment(start, now, IDLE, summary=f"cannot begin at {shown(start)}: {why}; all is run"))
            return run
        take_over(run, self.document, previous, self.order, start)
        return run

    def resume(self, run: Run, now: str, skip: bool = False, input: Mapping[str, Any] | None = None) -> Directive:
        """Takes up a run that stopped, at the node where it did, with `skip` after it; the next directive.

        A loop begins anew. What is not stopped is not changed. Raises CircuitError for an input: a graph has none.
        """
        self._check(run)
        if input:
            raise CircuitError("A skill graph takes no input of its own", hint="write it into the node that needs it")
        if run["awaiting"] or run["failedAt"] is None:
            return self.advance(run, now)
        at = first_to_repeat(run, self.order) or run["failedAt"]
        if skip and run["runMode"] == CYCLE:
            return _blocked(run, at, "A loop begins anew, so it passes over no node. Nothing was changed.")
        take_up(run, self.rerun(run, run["id"], now, at))
        if skip and run["queue"] and run["queue"][-1] == at:
            run["queue"].pop()
            set_state(run, self.document.by_id[at], at, SKIPPED)
            _note(run, Moment(at, now, STEP_SKIPPED, summary="passed over"))
        return self.advance(run, now)

    # --- moving on -----------------------------------------------------------------------------------------------

    def advance(self, run: Run, now: str = "") -> Directive:
        """The next directive. While something is awaited, and once the run has ended, it is the same one again.

        Raises CircuitError for the record of a run of something else.
        """
        self._check(run)
        if run["awaiting"]:
            node = self.document.node(run["awaiting"]["stepId"])
            given = substitute(node.input, run["data"]["steps"]) if node is not None else None
            if node is None or isinstance(given, Refused) or given is None:
                return self._refuse(run, "but the graph has changed so that it cannot be run any more")
            return directive(self.document, node, given, run, run["awaiting"]["turn"], self.options)
        if run["stopped"]:
            return {**run["stopped"], "turn": run["directives"]}
        return self._walk_on(run, now)

    def report(self, run: Run, now: str, step_id: str, result: Any, turn: int | None = None) -> Directive:
        """Takes the result of the awaited node and returns the next directive.

        A result is an object with a `status`; any other value is the output of a success. A report for what is not
        awaited, or that is no plain JSON, changes nothing and returns `blocked`, which says what is awaited.
        """
        refused = self._unexpected(run, step_id, turn)
        if refused is not None:
            return refused
        try:
            value = plain(result)
        except NotPlain as error:
            return self._refuse(run, f"the result is not plain JSON: {error}")
        return self._take(run, now, results.read(value))

    def fail(self, run: Run, now: str, step_id: str, error: Any, turn: int | None = None) -> Directive:
        """Takes an executor's own failure, which counts as a failed node; returns the next directive."""
        refused = self._unexpected(run, step_id, turn)
        if refused is not None:
            return refused
        text = text_of(error)
        return self._take(run, now, {"status": FAILED, "summary": text})

    def report_many(
        self,
        run: Run,
        now: str,  # the driver's protocol; a graph has no batches
        step_id: str,
        results: Mapping[str, Any],
        errors: Mapping[str, Any],
        turn: int | None = None,
    ) -> Directive:
        """Refuses: one node is run at a time."""
        return self._unexpected(run, step_id, turn) or self._refuse(run, "one result is awaited, not several")

    def event(self, run: Run, step_id: str, event: Mapping[str, Any], turn: int | None = None) -> bool:
        """Takes note of what the awaited node does meanwhile; False when it is not awaited, and nothing changes.

        `approval_required` makes it wait for a person, anything else makes it run again.
        """
        if self._unexpected(run, step_id, turn) is not None:
            return False
        waits = event.get("type") == "approval_required"
        set_state(run, self.document.by_id[step_id], step_id, WAITING if waits else RUNNING)
        results.add_text(run["tails"].setdefault(step_id, {}), event)
        return True

    def cancel(self, run: Run, now: str = "") -> Directive:
        """Ends a run before its next node; the node that is awaited, whose process is to be stopped, at once."""
        self._check(run)
        if run["stopped"]:
            return self.advance(run, now)
        if run["awaiting"]:
            return self._take(run, now, {"status": CANCELLED})
        run["cancelling"] = True
        return self._walk_on(run, now)

    def path(self, run: Run) -> tuple[str, ...]:  # a graph calls no other workflow
        """The calling steps that lead to where the run is: none."""
        return ()

    def outline(self) -> Outline:
        """The graph's nodes and edges, and which nodes ask for something: all but those that limit loops."""
        nodes = [self.document.nodes[index] for index in self.document.by_id.values()]
        links = dict.fromkeys(
            Way(source, OUT, target)
            for _, _, source, target in self.document.edges
            if source in self.document.by_id and target in self.document.by_id
        )
        asks = {node.id: RUN_SKILL for node in nodes if not node.ref.is_loop_limiter}
        return Outline(tuple(node.id for node in nodes), tuple(links), asks)

    def proposer(self) -> Proposer:
        """What suggests scenarios for the graph."""
        from circuit_export.formats.skills.engine.suggesting import GraphProposer

        return GraphProposer(self)

    # --- inside --------------------------------------------------------------------------------------------------

    def _walk_on(self, run: Run, now: str) -> Directive:
        """Goes on to the next node that somebody has to run, or to the end."""
        while True:
            if run["cancelling"]:
                return self._end(run, now, CANCELLED)
            if not run["queue"] and not self._next_round(run):
                return self._end(run, now, self._outcome(run))
            node = self.document.node(run["queue"].pop())
            if node is None:
                continue  # edited out of the graph since the run began
            ended = self._enter(run, now, node)
            if ended is not None:
                return ended

    def _next_round(self, run: Run) -> bool:
        """Begins the next round of a loop; False when there is none."""
        if run["runMode"] != CYCLE or run["worst"] is not None:
            return False
        full = run["iteration"] >= self.options.rounds
        if full or run["directives"] - run["since"] + len(self.order) > self.options.directives:
            bound = f"{run['iteration']:,} rounds" if full else f"{self.options.directives:,} directives"
            why = f"the loop did not end within {bound} (C774)"
            run["worst"] = {"stepId": self.order[0], "status": FAILED, "why": why}
            return False
        run["iteration"] += 1
        for node in self.document.nodes:
            set_state(run, node.index, node.id, QUEUED)
        run["queue"] = list(reversed(self.order))
        return True

    def _enter(self, run: Run, now: str, node: Node) -> Directive | None:
        """Asks for a node to be run; None when it is over already and the walk goes on."""
        self._arrive(run, node)
        if node.ref.is_loop_limiter:
            result = results.limited(node, run["iteration"] or 1)
            run["data"]["steps"][node.id] = result
            return self._settle(run, now, node, result)
        why = self._no_executor(node.ref.provider)
        given: dict[str, Any] | Refused = {}
        if not why:
            given = substitute(node.input, run["data"]["steps"])
            if isinstance(given, Refused):
                why = f"the output of {shown(given.node)} is not there: {_WHY.get(given.why, given.why)} (C773)"
        if why or isinstance(given, Refused):
            return self._settle(run, now, node, {"status": FAILED, "summary": why})
        run["directives"] += 1
        run["awaiting"] = {"stepId": node.id, "act": RUN_SKILL, "turn": run["directives"], "input": clip(given)}
        set_state(run, node.index, node.id, RUNNING)
        return directive(self.document, node, given, run, run["directives"], self.options)

    def _arrive(self, run: Run, node: Node) -> None:
        """Records the edges by which a node is reached: those from nodes that have run, each once."""
        for source in self.before.get(node.id, ()):
            at = self.document.by_id[source]
            key = f"{at}.{node.index}"
            if key not in run["seen"] and has_run(run, at, source):
                run["seen"][key] = 1
                run["taken"].append({"step": source, "port": OUT, "to": node.id})

    def _no_executor(self, provider: str) -> str:
        if provider not in self.options.executors:
            return f"nobody can run a skill of {shown(provider)} (C772)"
        return "" if provider in self.options.allowed else f"this run may not use {shown(provider)} (C771)"

    def _take(self, run: Run, now: str, result: results.Result) -> Directive:
        """Takes the awaited node's result and goes on."""
        node = self.document.node(run["awaiting"]["stepId"])
        assert node is not None
        if result["status"] == SUCCESS and run["nodeStates"][node.id] == WAITING:
            result = {**result, "status": FAILED, "summary": "it still waited for a person when it ended"}
        run["data"]["steps"][node.id] = result
        given = run["awaiting"]["input"]
        run["awaiting"] = None
        return self._settle(run, now, node, result, given) or self._walk_on(run, now)

    def _settle(self, run: Run, now: str, node: Node, result: results.Result, given: Any = MISSING) -> Directive | None:
        """Sets what a node ended with; the last directive when the run ends with it, None when it goes on."""
        status, text = result["status"], results.said(result)
        bad = status != SUCCESS
        rounds = "" if run["iteration"] is None else f"round {run['iteration']:,}"
        summary, error = (rounds, text or status) if bad else (text or rounds, "")
        set_state(run, node.index, node.id, status, summary=summary, error=error)
        state, answer = shared(status), result.get("output", MISSING)
        _note(run, Moment(node.id, now, state, summary=summary, error=error, given=given, answer=answer))
        if not bad:
            done = run["runMode"] == CYCLE and results.is_complete(result)
            return self._end(run, now, SUCCESS) if done else None
        run["worst"] = {"stepId": node.id, "status": status, "why": text}
        goes_on = status == FAILED and self.document.continue_on_failure and run["runMode"] != CYCLE
        return None if goes_on else self._end(run, now, status)

    def _outcome(self, run: Run) -> str:
        worst = run["worst"]
        return str(worst["status"]) if worst else SUCCESS

    def _end(self, run: Run, now: str, state: str) -> Directive:
        """Ends the run; what was still to come is skipped."""
        for node in self.document.nodes:
            if run["nodeStates"].get(node.id) == QUEUED:
                set_state(run, node.index, node.id, SKIPPED)
        end(run, state, now)
        run["directives"] += 1
        run["stopped"] = self._last_word(run, state)
        return {**run["stopped"], "turn": run["directives"]}

    def _last_word(self, run: Run, state: str) -> Directive:
        if state == SUCCESS:
            count = sum(ended == SUCCESS for ended in run["nodeStates"].values())
            return {"act": DONE, "summary": f"{count:,} of {len(self.document.nodes):,} nodes ran and succeeded."}
        if state == CANCELLED:
            return {"act": DONE, "summary": "The run was cancelled."}
        worst = run["worst"]
        run["failedAt"] = worst["stepId"]
        happened = "took too long" if worst["status"] == "timeout" else "failed"
        why = f": {worst['why']}" if worst["why"] else ""
        reason = f"It {happened}{why}. Mend it and run again from here; what ran before is kept."
        return {"act": BLOCKED, "stepId": worst["stepId"], "reason": reason}

    # --- refusing ------------------------------------------------------------------------------------------------

    def _check(self, run: Run) -> None:
        """Raises CircuitError for a record that is none of a run of this graph."""
        if "nodeStates" not in run or "state" not in run:
            raise CircuitError("This is no run of a skill graph", expected="what `circuit run --save` wrote for one")
        if run["workflowId"] != self.document.id:
            raise CircuitError(
                "This is a run of another workflow",
                found=f"“{run['workflowId']}”",
                expected=f"“{self.document.id}”",
            )

    def _unexpected(self, run: Run, step_id: str, turn: int | None) -> Directive | None:
        """The refusal of a report about what is not awaited, None when it is. Raises CircuitError as `advance`."""
        self._check(run)
        awaiting = run["awaiting"]
        if not awaiting:
            ended = "the run has ended" if run["stopped"] else "the run has not been advanced yet"
            return _blocked(run, str(step_id), f"Nothing is awaited: {ended}.")
        if step_id != awaiting["stepId"]:
            return self._refuse(run, f"a report about {shown(str(step_id))} is not")
        if turn is not None and turn != awaiting["turn"]:
            return self._refuse(run, f"turn {turn} is not")
        if self.document.node(step_id) is None:
            return self._refuse(run, "but the graph has no such node any more")
        return None

    def _refuse(self, run: Run, why: str) -> Directive:
        """`blocked`, about the awaited node; the run stays as it is."""
        awaiting = run["awaiting"]
        what = f"Turn {awaiting['turn']}, run_skill “{awaiting['stepId']}”, is awaited; {why}. Nothing was changed."
        return _blocked(run, awaiting["stepId"], what)


def _note(run: Run, moment: Moment) -> None:
    timeline = Timeline()
    timeline.add(moment)
    timeline.flush(run["history"])


_WHY = {
    "failed": "it failed",
    "timeout": "it took too long",
    "cancelled": "it was cancelled",
    "no-output": "it succeeded without one",
    "never-run": "it has not run",
    "malformed": "the placeholder is malformed",
}


def _blocked(run: Run, step_id: str, reason: str) -> Directive:
    return {"act": BLOCKED, "stepId": step_id, "reason": reason, "turn": run["directives"]}
