// What a client does with the server from its first day on: `node tour.js GENERATION ERA URL`, or a command to start.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { connected } from "./clients.js";

const BOARD = JSON.parse(readFileSync(new URL("../data/tour.json", import.meta.url), "utf8"));
const VIEW = "ui://circuit/board.html";
const SENDS = "Gmail:send_message";
const TOOLS = ["Gmail:search_threads", "Gmail:list_labels", SENDS];
const THREADS = Array.from({ length: 45 }, (_, id) => ({ id, subject: "Where is my order? ".repeat(30) }));
const NEXT = "--- do this next ---";
const [BEGIN, END] = ["--- begin html ---\n", "\n--- end html ---"];

const [generation, era, place, ...args] = process.argv.slice(2);
const target = /^https?:/.test(place) ? { url: place } : { command: place, args };
const { client, spoken } = await connected(generation, era, target);

// --- asking ---------------------------------------------------------------------------------------------------------

async function call(tool, given = {}) {
  const result = await client.callTool({ name: `circuit_${tool}`, arguments: given });
  assert.equal(result.content.length, 1);
  const { content, structuredContent: props, isError, _meta: meta } = result;
  return { text: content[0].text, props, failed: isError === true, meta };
}

async function good(tool, given) {
  const said = await call(tool, given);
  assert(!said.failed, said.text);
  if (said.props?.workflow) {
    assert.deepEqual(said.meta["ui/props"], said.props);
    assert.deepEqual(said.meta.ui.props, said.props);
  }
  return said;
}

async function bad(tool, given) {
  const said = await call(tool, given);
  assert(said.failed, said.text);
  assert.equal(said.props, undefined);
  return said.text;
}

/** What is to be done next, which text and payload say alike. */
function directive(said) {
  assert.deepEqual(JSON.parse(said.text.split(NEXT)[1]), said.props.directive);
  assert.equal(said.props.phase, "run");
  return said.props.directive;
}

const step = (said, report) => good("step", { runId: said.props.run.id, stepId: directive(said).stepId, ...report });
const chip = (said, id) => said.props.workflow.steps.find((one) => one.id === id);
const state = (said, id) => said.props.run.trace.find((one) => one.stepId === id);
const includes = (text, part) => assert(String(text).includes(part), `${part} is not in: ${text}`);
const read = async (uri) => (await client.readResource({ uri })).contents[0];

async function designed(name, steps, more = {}) {
  const said = await good("design", { name, steps, ...more });
  return said.props.workflow.id;
}

const ask = (id, ...to) => ({ id, type: "trigger.ask", title: "When I ask", config: {}, next: wires(to) });
const tool = (id, name, to = [], more = {}) => {
  return { id, type: "tool.call", title: id, config: { tool: name }, next: wires(to), ...more };
};
const wires = (to) => to.map((one) => (typeof one === "string" ? { port: "out", to: one } : one));

// --- the way --------------------------------------------------------------------------------------------------------

let boardId;

const chapters = {
  async meet() {
    assert.equal(spoken, era);
    assert.equal(client.getServerVersion().name, "circuit");
    assert.equal(client.getServerVersion().title, "Circuit");
    includes(client.getInstructions(), "circuit_bind");
    const offered = client.getServerCapabilities();
    for (const kind of ["tools", "resources", "prompts"]) assert.equal(offered[kind].listChanged, undefined);
    assert(offered.completions);
    const tools = Object.fromEntries((await client.listTools()).tools.map((one) => [one.name, one]));
    assert.equal(Object.keys(tools).length, 27);
    assert.equal(tools.circuit_arm.annotations.destructiveHint, true);
    assert.equal(tools.circuit_catalog.annotations.readOnlyHint, true);
    assert.equal(tools.circuit_design._meta.ui.resourceUri, VIEW);
    assert.equal(tools.circuit_design._meta["ui/resourceUri"], VIEW);
    assert.deepEqual(tools.circuit_move._meta.ui.visibility, ["app"]);
    assert.deepEqual(tools.circuit_answer._meta.ui.visibility, ["app", "model"]);
  },

  async learnTheKit() {
    const said = await good("catalog");
    const kit = JSON.parse(said.text);
    assert.equal(kit.length, 14);
    assert.deepEqual(new Set(kit.map((one) => one.doneBy)), new Set(["user", "circuit", "claude"]));
    assert.equal(said.props, undefined);
  },

  async bind() {
    const said = await good("bind", { tools: TOOLS.map((name) => ({ name, hint: "of the mailbox" })) });
    includes(said.text, "3 tools of 1 connector");
    includes((await good("tools")).text, "send_message");
  },

  async design() {
    const said = await good("design", BOARD);
    const { workflow } = said.props;
    boardId = workflow.id;
    assert.match(boardId, /^wf_/);
    assert.deepEqual([workflow.name, workflow.status, workflow.version], [BOARD.name, "draft", 1]);
    assert.deepEqual([said.props.phase, said.props.run], ["design", null]);
    assert.deepEqual(workflow.steps.map((one) => one.id), BOARD.steps.map((one) => one.id));
    assert(workflow.steps.every((one) => Number.isInteger(one.position.col) && Number.isInteger(one.position.lane)));
    assert.deepEqual([chip(said, "send").toolKnown, chip(said, "fetch").toolKnown], [false, true]);
    assert.equal(chip(said, "send").writes, true);
    includes(said.text, "circuit_run will refuse");
    includes(said.text, SENDS);
    includes(await bad("run", { workflowId: boardId, input: { voice: "warm" } }), SENDS);
    includes(await bad("design", { name: "No", steps: [{ ...ask("start"), type: "slack.post" }] }), "slack.post");
  },

  async patch() {
    const fix = { op: "update_step", stepId: "send", config: { tool: SENDS } };
    const said = await good("patch", { workflowId: boardId, ops: [fix] });
    assert.deepEqual([chip(said, "send").toolKnown, said.props.workflow.version], [true, 2]);
    const ops = [fix, { op: "connect", from: "send", to: "nowhere" }];
    includes(await bad("patch", { workflowId: boardId, ops }), "nowhere");
    includes((await good("list")).text, boardId);
    assert((await good("diff", { workflowId: boardId })).props.changes.length > 0);
    assert(Array.isArray((await good("validate", { workflowId: boardId })).props.diagnostics));
  },

  async editByHand() {
    const board = { workflowId: boardId };
    const moved = await good("move", { ...board, stepId: "label", col: 9, lane: 3 });
    assert.deepEqual(chip(moved, "label").position, { col: 9, lane: 3 });
    for (const enabled of [false, true]) {
      const switched = await good("set_enabled", { ...board, stepId: "label", enabled });
      assert.equal(chip(switched, "label").enabled, enabled);
    }
    const wired = await good("wire", { ...board, from: "label", to: "gate" });
    assert.deepEqual(chip(wired, "label").next, [{ port: "out", to: "gate" }]);
    assert.deepEqual(chip(await good("unwire", { ...board, from: "label", to: "gate" }), "label").next, []);
    await bad("wire", { ...board, from: "label", to: "label" });
    assert.equal((await good("rename", { ...board, name: "Inbox" })).props.workflow.name, "Inbox");
  },

  async runWithALoop() {
    includes(await bad("run", { workflowId: boardId }), "voice");
    let said = await good("run", { workflowId: boardId, input: { voice: "warm" } });
    const runId = said.props.run.id;
    const first = directive(said);
    assert.deepEqual([first.act, first.stepId, first.tool], ["call_tool", "fetch", TOOLS[0]]);
    const elsewhere = await good("step", { runId, stepId: "send", result: {} });
    assert.deepEqual([directive(elsewhere).act, directive(elsewhere).stepId], ["blocked", "fetch"]);
    said = await step(said, { result: { threads: THREADS }, turn: first.turn });
    const fetched = JSON.stringify(said.props.run.history.find((one) => one.stepId === "fetch" && "output" in one));
    includes(fetched, "more characters");
    includes(fetched, "more of 45");
    assert.deepEqual([directive(said).task, directive(said).labels], ["classify", ["urgent", "later"]]);
    assert.deepEqual(directive(said).input, THREADS[0]);
    said = await step(said, { result: { label: "URGENT", why: "it waits" } });
    assert.deepEqual(directive(said).arguments, { thread: 0 });
    said = await step(said, { result: {} });
    assert.deepEqual(directive(said).input, THREADS[1]);
    const late = await good("step", { runId, stepId: "sort", result: { label: "later" }, turn: first.turn });
    assert.equal(directive(late).act, "blocked");
    said = await step(said, { result: { label: "later" } });
    assert.deepEqual([directive(said).task, directive(said).maxWords], ["write", 160]);
    return chapters.holdEditFailAndResume(runId, await step(said, { result: { text: "It comes today." } }));
  },

  async holdEditFailAndResume(runId, said) {
    assert.equal(said.props.run.status, "awaiting_approval");
    const asked = directive(said);
    assert.deepEqual([asked.act, asked.question, asked.preview], ["ask", "Send it?", "It comes today."]);
    said = await good("answer", { runId, decision: "approve", edit: "It comes tomorrow." });
    assert.deepEqual(directive(said).arguments, { body: "It comes tomorrow." });
    said = await step(said, { error: "the mailbox is full" });
    assert.equal(directive(said).act, "blocked");
    includes(directive(said).reason, "the mailbox is full");
    assert.deepEqual([said.props.run.status, said.props.run.failedAt], ["failed", "send"]);
    said = await good("resume", { runId });
    assert.deepEqual(directive(said).arguments, { body: "It comes tomorrow." });
    await step(said, { error: "the mailbox is full" });
    assert.equal((await good("open", { workflowId: boardId })).props.run.failedAt, "send");
    said = await good("resume", { runId, skip: true });
    assert.deepEqual([directive(said).act, said.props.run.status], ["done", "succeeded"]);
    await bad("resume", { runId });
  },

  async runAsATest() {
    let said = await good("run", { workflowId: boardId, input: { voice: "warm" }, mode: "test" });
    said = await step(said, { result: { threads: [] } });
    said = await step(said, { result: { text: "It comes today." } });
    said = await step(said, { result: { decision: "approve" } });
    assert.deepEqual([directive(said).act, directive(said).tool], ["preview", SENDS]);
    said = await step(said, { result: {} });
    assert.deepEqual([said.props.run.status, said.props.run.mode], ["succeeded", "test"]);
    includes(state(said, "send").summary, "would call");
    const runs = await good("runs", { workflowId: boardId, limit: 1 });
    assert.equal(runs.text.split("\n").length, 1);
    includes((await good("trace", { workflowId: boardId })).text, "call_tool fetch");
  },

  async failInEveryWay() {
    const workflowId = await designed("Failure drill", [
      ask("start", "flaky"),
      tool("flaky", TOOLS[0], ["risky"], { onError: { do: "retry", attempts: 3 } }),
      tool("risky", TOOLS[1], [{ port: "error", to: "after" }], { onError: { do: "route", port: "error" } }),
      tool("after", TOOLS[1]),
    ]);
    let said = await good("run", { workflowId });
    said = await step(said, { error: "429" });
    assert.deepEqual([directive(said).stepId, state(said, "flaky").attempts], ["flaky", 2]);
    said = await step(said, { error: "429 again" });
    assert.deepEqual([directive(said).stepId, state(said, "flaky").attempts], ["flaky", 3]);
    said = await step(said, { result: {} });
    said = await step(said, { error: "no such label" });
    assert.equal(directive(said).stepId, "after");
    assert.equal(directive(await step(said, { result: {} })).act, "done");
  },

  async askForMuchAtOnce() {
    const heads = [tool("a", TOOLS[0]), tool("b", TOOLS[1], [], { onError: { do: "skip" } })];
    const workflowId = await designed("At once", [
      ask("start", "all"),
      { ...ask("all", "a", "b", { port: "join", to: "end" }), type: "logic.branches", config: { together: true } },
      ...heads,
      { ...ask("end"), type: "note.say", config: { template: "All is there." } },
    ]);
    let said = await good("run", { workflowId });
    assert.deepEqual(directive(said).calls.map((one) => one.stepId), ["a", "b"]);
    said = await step(said, { results: { a: { threads: [1, 2] } }, errors: { b: "no such label" } });
    assert.deepEqual([state(said, "a").state, state(said, "b").state], ["done", "failed"]);
    includes(state(said, "b").summary, "dropped");
    assert.deepEqual([directive(said).act, directive(said).text], ["say", "All is there."]);
  },

  async callAnother() {
    const write = { ...ask("write"), type: "model.write", config: { instructions: "Greet {{input.who}}." } };
    const steps = [ask("start", "write"), write];
    const inputs = [{ name: "who", description: "Who is greeted" }];
    const child = await designed("Greeting", steps, { inputs });
    const config = { workflowId: child, input: { who: "Ada" }, returns: "steps.write.text" };
    const parent = await designed("Greet", [
      ask("start", "sub"),
      { ...ask("sub", "say"), type: "flow.call", config },
      { ...ask("say"), type: "note.say", config: { template: "{{steps.sub}}" } },
    ]);
    const said = await good("run", { workflowId: parent });
    includes(directive(said).instruction, "Greet Ada.");
    assert.equal(directive(await step(said, { result: { text: "Good morning." } })).text, "Good morning.");
    const back = { ...ask("write"), type: "flow.call", config: { workflowId: parent } };
    includes(await bad("design", { workflowId: child, name: "Round", steps: [ask("start", "write"), back] }), "→");
  },

  async takeItOutAndIn() {
    const said = await good("export", { workflowId: boardId });
    const page = said.text.split(BEGIN)[1].split(END)[0];
    const kept = await read(`circuit://workflow/${boardId}/page`);
    assert.deepEqual([kept.text, kept.mimeType], [page, "text/html"]);
    const back = await good("import", { source: page, name: "Inbox again" });
    assert.notEqual(back.props.workflow.id, boardId);
    assert.deepEqual([back.props.workflow.name, back.props.workflow.version], ["Inbox again", 1]);
    const there = await good("open", { workflowId: boardId });
    const shape = (one) => one.props.workflow.steps.map(({ id, type, next }) => ({ id, type, next }));
    assert.deepEqual(shape(back), shape(there));
    await good("delete", { workflowId: back.props.workflow.id });
    await bad("open", { workflowId: back.props.workflow.id });
    await bad("import", { source: "no board is in here" });
  },

  async runByTheClock() {
    const board = { workflowId: boardId };
    let said = await good("arm", board);
    assert.equal(said.props.workflow.status, "armed");
    assert.equal(said.props.workflow.schedule.cron, "0 7 * * 1-5");
    includes(said.text, said.props.schedulePrompt);
    includes(said.props.schedulePrompt, boardId);
    includes((await good("health")).text, "no scheduled task was ever reported back");
    said = await good("scheduled", { ...board, taskId: "task 7" });
    assert.equal(said.props.workflow.schedule.taskId, "task 7");
    includes((await good("health")).text, `ok ${boardId}`);
    const unguarded = await designed("Unguarded", [ask("start", "send"), tool("send", SENDS)]);
    includes(await bad("arm", { workflowId: unguarded }), SENDS);
    assert.equal((await good("arm", { workflowId: unguarded, force: true })).props.workflow.status, "armed");
    for (const workflowId of [unguarded, boardId]) {
      assert.equal((await good("disarm", { workflowId })).props.workflow.status, "draft");
    }
  },

  async lookThingsUp() {
    const runId = (await good("runs", { workflowId: boardId })).text.split(/\s/)[0];
    const complete = async (ref, name, value) => {
      const { completion } = await client.complete({ ref, argument: { name, value } });
      return completion.values;
    };
    const ofTemplate = (uri) => ({ type: "ref/resource", uri });
    assert((await complete(ofTemplate("circuit://workflow/{id}"), "id", boardId.slice(0, -2))).includes(boardId));
    assert((await complete(ofTemplate("circuit://run/{id}"), "id", runId.slice(0, -2))).includes(runId));
    assert.deepEqual(await complete({ type: "ref/prompt", name: "circuit-open" }, "workflowId", boardId), [boardId]);
    assert.deepEqual(await complete(ofTemplate("circuit://workflow/{id}"), "id", "nothing"), []);
    const uris = (await client.listResources()).resources.map((one) => one.uri);
    for (const uri of [VIEW, `circuit://workflow/${boardId}`, `circuit://run/${runId}`]) includes(uris, uri);
    const templates = (await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate);
    assert.equal(templates.length, 3);
    const kept = await read(`circuit://workflow/${boardId}`);
    assert.equal(kept.mimeType, "application/json");
    assert.deepEqual(JSON.parse(kept.text).steps[1].config, BOARD.steps[1].config);
    assert.equal(JSON.parse((await read(`circuit://run/${runId}`)).text).workflowId, boardId);
    const view = await read(VIEW);
    assert.equal(view.mimeType, "text/html;profile=mcp-app");
    assert(view.text.length > 5 * 1024 && view.text.length < 400 * 1024);
    await assert.rejects(read("circuit://workflow/no-such-board"), /no-such-board/);
  },

  async askForPrompts() {
    const prompts = (await client.listPrompts()).prompts.map((one) => one.name);
    assert.deepEqual(prompts, ["circuit-build", "circuit-open", "circuit-save", "circuit-check"]);
    const { messages } = await client.getPrompt({ name: "circuit-build", arguments: { what: "answer my mail" } });
    includes(messages[0].content.text, "answer my mail");
    await assert.rejects(client.getPrompt({ name: "circuit-nothing" }), /circuit-nothing/);
  },
};

try {
  for (const [name, chapter] of Object.entries(chapters)) {
    if (chapter.length > 0) continue; // goes on from another one
    console.log(name);
    await chapter();
  }
} finally {
  await client.close();
}
