"""Boards taken out of the store and put back in: export, import, delete."""

from __future__ import annotations

import copy
import re
from typing import Any

from circuit_export import api, formats
from circuit_export.board.anchors import slug
from circuit_export.board.text_clean import flat
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.base import Document
from circuit_export.formats.steps.calls import CALL
from circuit_export.formats.steps.document import FORMAT_NAME, StepsDocument
from circuit_export.formats.wording import shown as quoted
from circuit_export.server.answers import Answer, label, lines
from circuit_export.server.arguments import Arguments
from circuit_export.server.desk import Desk, board_of, read_board
from circuit_export.server.handed_in import opened_text
from circuit_export.server.payload import exported
from circuit_export.server.saving import check, read_value, remarks
from circuit_export.server.schemas import WORKFLOW, flag, takes, text
from circuit_export.server.tools.boards import shown
from circuit_export.server.tools.spec import Spec
from circuit_export.store.base import NEW, Content, Schedule, StoredBoard
from circuit_export.store.shelf import NotRemoved, called_by, definition_of, document_of, facts_of, remove

BEGIN = "--- begin html ---"
END = "--- end html ---"

_OURS = re.compile(r"^([ \t]*)-(?=-- (?:begin html|end html|do this next) ---)", re.MULTILINE)


async def workflow_of(desk: Desk, board: StoredBoard) -> api.Workflow:
    """A stored board of any format as a workflow, with what it calls and the schedule that it was armed with."""
    document: Document
    if board.head.format == FORMAT_NAME:
        opened = await read_board(desk, board)
        definition = definition_of(board)
        document = formats.get(FORMAT_NAME).load(Definition(exported(opened), FORMAT_NAME, definition.path))
    else:
        document = document_of(board)
    return api.Workflow(document, await called_by(desk.store, desk.workspace, [document]))


async def export(desk: Desk, given: Arguments) -> Answer:
    board = await board_of(desk, given.text("workflowId"))
    workflow = await workflow_of(desk, board)
    name = f"{slug(workflow.document.name) or slug(board.head.id) or 'workflow'}.html"
    said = lines(
        f"Write the page below to {name}, every character as it is, and publish it as an artifact, so that the user "
        "gets a link. The page holds the whole workflow: circuit_import rebuilds it from the page or its text.",
        _left_out(workflow),
        BEGIN,
        _unlike_ours(api.export_page(workflow)),
        END,
    )
    return Answer(said)


def _left_out(workflow: api.Workflow) -> str:
    """What a workflow calls, or what that calls, and its page does not hold."""
    needs = [need for one in (workflow.document, *workflow.called.values()) for need in workflow.format.needs(one)]
    names = dict.fromkeys(label(need.id or need.path) for need in needs if need.id not in workflow.called)
    return f"What it calls is not all here, so the page does not hold {', '.join(names)}." if names else ""


def _unlike_ours(page: str) -> str:
    """A page in which no line reads like one of an answer's; it says the same, to a browser and to an import."""
    return _OURS.sub(r"\1&#45;", page)


# --- import ------------------------------------------------------------------------------------------------------


async def import_(desk: Desk, given: Arguments) -> Answer:
    source = given.text("source")
    workflow = opened_text(_source(desk, source))
    said = "\n".join(map(flat, workflow.remarks))
    name = given.text("name") if given.has("name") else None
    if workflow.definition.format != FORMAT_NAME:
        kept = "It keeps its own name, which is part of its text." if name is not None else ""
        return await _import_other(desk, workflow, lines(said, kept))
    main = _as_steps(workflow.document)
    bundled = {key: _as_steps(other) for key, other in workflow.called.items()}
    ids = {key: desk.new_id("wf") for key in bundled}
    board_id = desk.new_id("wf")
    fresh = {ids[key]: _moved(other, ids[key], ids) for key, other in bundled.items()}
    document = _moved(main, board_id, ids, name)
    beside = {**fresh, board_id: document}
    found = await check(desk, document, beside)
    for other in fresh.values():
        await check(desk, other, beside)
    for other_id, other in fresh.items():
        await _add(desk, other_id, other)
    board = await _add(desk, board_id, document)
    more = f"It brought along {', '.join(fresh)}, which it calls." if fresh else ""
    return await shown(desk, board, lines("Restored as a draft.", said, more), remarks(found))


def _source(desk: Desk, source: str) -> api.Source:
    """What was handed in as it is; a link is read if whoever runs the server allows it. Never a path."""
    link = source.strip()
    if not api.is_url(link) or link.lower().startswith("data:") or len(link.split()) > 1:
        return api.Source("<source>", source.encode("utf-8", "surrogatepass"))
    if not desk.rules.allow_fetch:
        raise CircuitError(
            "This server fetches no links",
            found=link[:200],
            hint="open the link, and pass the page's HTML or text as “source”",
        )
    return fetched(link)


def fetched(link: str) -> api.Source:
    """A public page over https. Raises CircuitError for another scheme, or an address that is not public."""
    from circuit_export.restore.fetch import fetch

    if not link.lower().startswith("https://"):
        raise CircuitError("Only https links are fetched", found=link[:200])
    page = fetch(link, **api.LIMITS._asdict(), allow_address=is_public)
    return api.Source(page.url, page.data, page.charset, notes=page.notes)


def is_public(address: str) -> bool:
    """Is it an address on the open internet? One that wraps an IPv4 address is judged by that alone."""
    from ipaddress import IPv6Address, IPv6Network, ip_address

    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        isatap = ip_address(ip.packed[12:]) if ip.packed[9:12] == b"\0\x5e\xfe" else None
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else isatap)
        if inner is not None:
            ip = inner
        elif ip not in IPv6Network("2000::/3") or ip in IPv6Network("3fff::/20"):
            return False  # what leads elsewhere (translated, site-local, not given out) is of no concern to the public
    return ip.is_global and not ip.is_multicast


def _as_steps(document: Any) -> StepsDocument:
    if not isinstance(document, StepsDocument):
        raise CircuitError("This board calls a workflow of another format, which is not run here", found=document.id)
    return document


def _moved(document: StepsDocument, board_id: str, ids: dict[str, str], name: str | None = None) -> StepsDocument:
    """A board under its new id; its calls follow. A text that need not change is kept to the letter."""
    value = copy.deepcopy(document.value)
    if "id" in value:
        value["id"] = board_id
    if name is not None:
        value["name"] = name
    for step in value["steps"]:
        config = step.get("config")
        if step["type"] == CALL and isinstance(config, dict) and config.get("workflowId") in ids:
            config["workflowId"] = ids[config["workflowId"]]
    if value == document.value:
        definition = document.definition
        kept: StepsDocument = formats.get(FORMAT_NAME).load(  # type: ignore[assignment]
            Definition(definition.text, FORMAT_NAME, f"{board_id}.json")
        )
        return kept
    return read_value(value, board_id)


async def _add(desk: Desk, board_id: str, document: Document) -> StoredBoard:
    saved = getattr(document, "schedule", None)
    schedule = Schedule(saved.cron, saved.note) if saved is not None else None
    definition = document.definition
    content = Content(definition.text, definition.format, facts_of(document), schedule=schedule)
    head = await desk.store.put_board(desk.workspace, board_id, content, expected=NEW, at=desk.stamp())
    if head is None:
        raise CircuitError(f"There is a workflow {quoted(board_id)} already", hint="import it again")
    return StoredBoard(head, content.text)


async def _import_other(desk: Desk, workflow: api.Workflow, said: str) -> Answer:
    """Keeps a workflow of another format, which is not run here, with its exact text."""
    board_id = desk.new_id("wf")
    await _add(desk, board_id, workflow.document)
    title = workflow.format.title.lower()
    missing = f"What it calls was not kept: {', '.join(workflow.called)}." if workflow.called else ""
    return Answer(
        lines(
            f"Restored as a draft: “{label(workflow.document.name)}” ({board_id}), a {title}.",
            said,
            missing,
            "It is not run or edited here; circuit_export, circuit_validate and circuit_diff take it.",
        )
    )


# --- delete ------------------------------------------------------------------------------------------------------


async def delete(desk: Desk, given: Arguments) -> Answer:
    board_id = given.text("workflowId")
    await board_of(desk, board_id)
    try:
        head = await remove(desk.store, desk.workspace, board_id, force=given.flag("force", False))
    except NotRemoved as error:
        hint = (error.hint or "").replace("--force", "pass force when the user wants it gone")
        raise CircuitError(error.message, hint=hint) from None
    return Answer(f"Deleted “{label(head.facts.name)}” ({board_id}) with its versions. Its runs stay.")


TOOLS = (
    Spec(
        "circuit_export",
        "Save a workflow the user can keep",
        "The workflow as one self-contained HTML page: it shows the board, needs nothing else, and holds the whole "
        "definition, with the workflows it calls.",
        export,
        takes({"workflowId": WORKFLOW}),
        reads=True,
        repeatable=True,
    ),
    Spec(
        "circuit_import",
        "Rebuild a saved workflow",
        "Rebuilds a workflow from an exported page, from JSON or from text that holds one, as a new draft. A link "
        "works only where the server allows it.",
        import_,
        takes(
            {"source": text("The page's HTML, the JSON, or a text that holds it.")},
            name=text("Another name for it."),
        ),
        outside=True,
        draws=True,
    ),
    Spec(
        "circuit_delete",
        "Delete a workflow",
        "Deletes a workflow with its earlier versions, for good. Refused while it is armed or another calls it, "
        "unless forced. Ask the user first.",
        delete,
        takes({"workflowId": WORKFLOW}, force=flag("Though it is armed or another calls it.")),
        destroys=True,
    ),
)
