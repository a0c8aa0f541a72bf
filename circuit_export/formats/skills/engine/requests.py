"""What the engine asks for: the directive for one node, and the whole request that an executor is handed."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from circuit_export.formats.skills.document import REPOSITORY, SYSTEM, SkillRef
from circuit_export.formats.skills.timing import is_time, timeout
from circuit_export.formats.skills.words import skill_name, title
from circuit_export.runs.directives import PREVIEW
from circuit_export.runs.record import TEST

if TYPE_CHECKING:
    from circuit_export.formats.skills.document import Node, SkillsDocument
    from circuit_export.formats.skills.engine.state import Options
    from circuit_export.runs.directives import Directive
    from circuit_export.runs.record import Run

RUN_SKILL: Final = "run_skill"

EXPECT = (
    "Run the skill with this input and report {status, output?, summary?, exitCode?}; status is success, failed, "
    "cancelled or timeout, and output is what the next nodes are given. A bare value is the output of a success. "
    "Report a failure as a failure, never a plausible output."
)
EXPECT_PREVIEW = "This is a test run: show what would be run, run nothing, and report what the skill might put out."


def directive(
    document: SkillsDocument, node: Node, given: dict[str, Any], run: Run, turn: int, options: Options
) -> Directive:
    """The directive to run a node; `given` is its input with the placeholders filled in, shared with it."""
    ref = node.ref
    test = run["mode"] == TEST
    made: Directive = {
        "act": PREVIEW if test else RUN_SKILL,
        "turn": turn,
        "stepId": node.id,
        "nodeId": node.id,
        "title": title(node, document),
        "task": ref.target if ref.source == SYSTEM else f"{ref.provider}:{ref.target}",
        "provider": ref.provider,
        "source": ref.source,
    }
    if ref.source == SYSTEM:
        made["systemSkillId"] = ref.system_id
    else:
        made["skillFile"] = ref.file
    made["input"] = given
    made["timeoutMs"] = timeout(given.get("timeoutMs"), options.timeout_ms)
    idle = given.get("idleTimeoutMs")
    if is_time(idle):
        made["idleTimeoutMs"] = idle
    if node.model:
        made["model"] = node.model
    if run["iteration"] is not None:
        made["iteration"] = run["iteration"]
    if run["rerun"] and run["rerun"]["nodeId"] == node.id:
        made["rerun"] = {key: value for key, value in run["rerun"].items() if key != "nodeId"}
    made["expect"] = EXPECT_PREVIEW if test else EXPECT
    return made


class Repository(NamedTuple):
    """The repository that a run works in; `path` is its absolute folder."""

    id: str
    name: str
    path: str


def context(run: Run, asked: Directive, repository: Repository, content: str = "") -> dict[str, Any]:
    """The whole request for an executor: a new object, of which the executor may do what it likes.

    `content` is the text of the skill's file. `previousOutputs` holds the result of every node that ran so far, also
    of those that failed.
    """
    made: dict[str, Any] = {
        "runId": run["id"],
        "workflowId": run["workflowId"],
        "nodeId": asked["nodeId"],
        "repository": repository._asdict(),
        "skill": _skill(asked, repository, content),
        "input": deepcopy(asked["input"]),
        "previousOutputs": deepcopy(run["data"]["steps"]),
    }
    if "rerun" in asked:
        made["rerun"] = deepcopy(asked["rerun"])
    made["execution"] = {"timeoutMs": asked["timeoutMs"], "cwd": repository.path}
    if "model" in asked:
        made["execution"]["model"] = asked["model"]
    return made


def _skill(asked: Directive, repository: Repository, content: str) -> dict[str, Any]:
    source, file, system_id = asked["source"], asked.get("skillFile", ""), asked.get("systemSkillId", "")
    # What does not lie in the repository has no path on this machine that would mean anything to a node.
    base = repository.path if source == REPOSITORY else f"{source}:/"
    made = {
        "source": source,
        "provider": asked["provider"],
        "name": skill_name(SkillRef(source, asked["provider"], file, system_id)),
        "rootDir": f"{base}/{file.rpartition('/')[0]}",
        "skillFile": file,
        "skillFileAbsPath": f"{base}/{file or system_id}",
        "content": content,
    }
    return {**made, "systemSkillId": system_id} if source == SYSTEM else made
