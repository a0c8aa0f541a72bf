// The view itself: what the host says comes in here, and what a person does goes out.
const part = id => document.getElementById(id);
const board = part("board");
const scroll = part("scroll");

const host = { context: {}, can: {}, tall: 512 };
let drawings = new Map(); // by digest; the last one alone
let shown = null; // what is painted: steps, drawing, its nodes, the run
let current = 0; // the chip that the tab key comes to
let chosen = -1; // the chip that is looked at
let scale = null; // null: as it fits, as long as that is legible

// --- what is painted ---

function show(result) {
  const props = readProps(result);
  warn(result.isError ? readText(result) || "It could not be done." : "");
  if (props === null) {
    say(result.isError ? "" : readText(result));
    return null;
  }
  const steps = props.workflow.steps.map(readStep);
  const given = object(object(result._meta)[META]);
  keep(given.drawing, steps.length);
  const digest = text(props.drawing);
  paint({
    workflow: object(props.workflow),
    steps,
    digest,
    drawing: drawings.get(digest) ?? null,
    run: readRun(props.run),
    taken: list(given.taken),
    directive: props.directive,
  });
  if ((shown.drawing === null && digest) || isHidden(shown)) complete(shown);
  return props;
}

function keep(given, steps) {
  const drawing = readDrawing(given, steps);
  if (drawing) drawings = new Map([[text(drawing.digest), drawing]]);
}

// Does a gate wait whose question did not come along? Nobody should answer it unseen.
const isHidden = ({ run, directive }) => run?.act === "ask" && object(directive).act !== "ask";

// Asks for what did not come along: the drawing, which the server sends only once where it does not know whether
// anybody looks, and what the run waits with.
async function complete(wanted) {
  if (!host.can.serverTools || !wanted.workflow.id) return;
  const call = { name: "circuit_open", arguments: { workflowId: wanted.workflow.id } };
  const result = await link.ask("tools/call", call).catch(() => ({}));
  if (shown !== wanted) return;
  keep(object(object(result._meta)[META]).drawing, wanted.steps.length);
  const drawing = drawings.get(wanted.digest) ?? wanted.drawing;
  const opened = object(readProps(result));
  const run = readRun(opened.run ?? null);
  const same = run !== null && run.id === wanted.run?.id && run.turn === wanted.run.turn;
  paint({ ...wanted, drawing, directive: same && isHidden(wanted) ? opened.directive : wanted.directive });
}

function paint(next) {
  const drawing = next.drawing ?? sketch(next.steps);
  const key = next.drawing ? next.digest : JSON.stringify(drawing);
  const same = shown?.key === key;
  const focused = board.contains(document.activeElement);
  const nodes = same ? shown.nodes : paintBoard(board, drawing, next.steps);
  const anew = !same && !next.growing && (shown === null || shown.growing);
  shown = Object.assign(next, { key, nodes, chips: drawing.chips, width: drawing.width, height: drawing.height });
  shown.wires = drawing.wires;
  part("figure").hidden = false;
  if (!same) {
    current = Math.min(current, Math.max(0, next.steps.length - 1));
    if (!next.steps[current]) current = nodes.order[0] ?? 0;
    nodes.chips.forEach((node, index) => node.addEventListener("click", () => choose(index)));
    paintKey(part("key"), next.steps);
  }
  paintRun();
  paintHead();
  if (anew) scroll.scrollTo(0, 0);
  gate.paint(next.run, next.directive, Boolean(host.can.serverTools) && !isHidden(next));
  fit();
  rove(current, focused && !same);
  choose(next.steps[chosen] ? chosen : -1, false, true);
}

const WORDS = { running: "now", held: "waits for you", idle: "waiting" };
const KINDS = ["idle", "running", "done", "skipped", "held", "failed", "retrying"];

// A step's state in the run; without one, only that its tool is not there.
function markOf(step) {
  const { run } = shown;
  if (run === null) return step.lacking ? { kind: "failed", word: "no such tool", note: "" } : null;
  const entry = object(run.entries.get(step.id));
  const state = text(entry.state) || "idle";
  const word = state === "idle" && run.over ? "not run" : (Object.hasOwn(WORDS, state) ? WORDS[state] : state);
  return { kind: KINDS.includes(state) ? state : "other", word, note: text(entry.error) || text(entry.summary) };
}

function paintRun() {
  const { steps, chips, nodes, run, taken } = shown;
  const at = run ? run.at : "";
  steps.forEach((step, index) => {
    paintState(nodes.chips[index], chips[index], step, markOf(step), at !== "" && step.id === at);
  });
  board.querySelector(".wires").classList.toggle("ran", run !== null);
  nodes.wires.forEach((wire, index) => wire.classList.toggle("took", taken.includes(index)));
}

function paintHead() {
  const { workflow, steps, run } = shown;
  part("name").textContent = text(workflow.name) || "Untitled";
  const schedule = object(workflow.schedule);
  const facts = [`${steps.length} ${steps.length === 1 ? "step" : "steps"}`];
  if (workflow.status) facts.push(workflow.status === "armed" ? "live" : text(workflow.status));
  if (workflow.status === "armed" && schedule.cron) facts.push(text(schedule.note) || text(schedule.cron));
  if (run?.test) facts.push("a test run: nothing outside is changed");
  part("facts").textContent = facts.join(" · ");
  scroll.setAttribute("aria-label", `The board, ${facts[0]}`);
  say(run ? runWords(run, steps) : lackWords(steps));
}

function lackWords(steps) {
  const tools = new Set(steps.filter(step => step.lacking).map(step => step.tool));
  return tools.size ? `Not among the connectors that were reported: ${[...tools].join(", ")}.` : "";
}

function runWords(run, steps) {
  const step = steps.find(other => other.id === run.at);
  const name = step ? `“${step.title}”` : run.at ? `“${run.at}”` : "";
  if (run.status === "succeeded") return "The run is done.";
  if (run.status === "cancelled") return "The run ended: it was rejected.";
  if (run.status === "failed") return `The run stopped at ${name}: ${text(object(run.entries.get(run.at)).error) || "it failed"}`;
  if (run.act === "ask") return `The run waits for you at ${name}.`;
  return name ? `The run is at ${name}.` : "The run goes on.";
}

// What went wrong; no words, and nothing did.
function warn(words) {
  part("problem").hidden = !words;
  part("problem").textContent = words;
}

// Said aloud too, so only when it is something else than before.
function say(words) {
  if (part("status").textContent !== words) part("status").textContent = words;
}

// --- steps as they are written ---

// Before the server has spoken: a step is placed once it is closed, which it is when another follows it or all are there.
function showGrowing(given, closed) {
  const written = object(given);
  if (!Array.isArray(written.steps) || (shown && !shown.growing)) return;
  const steps = (closed ? written.steps : written.steps.slice(0, -1)).map(readStep);
  if (!steps.length || (shown && shown.steps.length === steps.length && !closed)) return;
  const workflow = { name: text(written.name) };
  paint({ workflow, steps, digest: "", drawing: null, run: null, taken: [], directive: null, growing: true });
  say(closed ? "Saving the board." : `${steps.length} ${steps.length === 1 ? "step" : "steps"} so far.`);
  reveal(steps.length - 1);
}

// --- choosing and going about ---

function choose(index, focus = false, again = false) {
  if (!again) chosen = index === chosen && !focus ? -1 : index;
  const step = shown.steps[chosen];
  part("look").hidden = !step;
  shown.nodes.chips.forEach((node, other) => node.setAttribute("aria-pressed", String(other === chosen)));
  if (!step) return;
  paintLook(part("look"), step, shown.chips[chosen], shown.steps, shown.run, markOf(step), choose);
  rove(chosen, focus);
}

function rove(index, focus) {
  current = index;
  shown.nodes.chips.forEach((node, other) => {
    node.tabIndex = other === index ? 0 : -1;
  });
  if (focus) shown.nodes.chips[index]?.focus();
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The nearest chip in a direction: what lies to the side counts threefold.
function beside(index, [right, down]) {
  const middle = chip => [chip.x + chip.w / 2, chip.y + chip.h / 2];
  const [x, y] = middle(shown.chips[index]);
  let best = { index, far: Infinity };
  shown.chips.forEach((chip, other) => {
    const [dx, dy] = middle(chip).map((value, axis) => value - [x, y][axis]);
    const along = dx * right + dy * down;
    const far = along + 3 * Math.abs(dx * down + dy * right);
    if (along > 0 && far < best.far) best = { index: other, far };
  });
  return best.index;
}

board.addEventListener("keydown", event => {
  if (!shown || event.altKey || event.ctrlKey || event.metaKey) return;
  const { order } = shown.nodes;
  const ends = { Home: order[0], End: order[order.length - 1] };
  if (event.key in ARROWS) rove(beside(current, ARROWS[event.key]), true);
  else if (event.key in ends) rove(ends[event.key], true);
  else if (event.key === "Escape" && chosen >= 0) choose(-1);
  else return;
  event.preventDefault();
});

// --- size ---

const LEGIBLE = 0.75;

// The scale at which all of the board is in sight.
function whole() {
  const filled = document.documentElement.classList.contains("filled");
  return Math.min(1, scroll.clientWidth / shown.width, (filled ? scroll.clientHeight : host.tall) / shown.height);
}

function fit() {
  if (!shown) return;
  const wide = Math.min(1, scroll.clientWidth / shown.width);
  const at = scale ?? (wide < LEGIBLE ? 1 : wide);
  board.style.transform = at === 1 ? "" : `scale(${at})`;
  part("room").style.width = `${Math.floor(shown.width * at)}px`;
  part("room").style.height = `${Math.ceil(shown.height * at)}px`;
  part("fit").setAttribute("aria-pressed", String(at === whole()));
  shown.scale = at;
  const follow = shown.run ? `${shown.run.id} ${shown.run.at}` : "";
  if (shown.run?.at && shown.key + follow !== fit.followed) {
    fit.followed = shown.key + follow;
    reveal(shown.steps.findIndex(step => step.id === shown.run.at));
  }
}

function reveal(index) {
  const chip = shown.chips[index];
  if (!chip) return;
  scroll.scrollLeft = (chip.x + chip.w / 2) * shown.scale - scroll.clientWidth / 2;
  scroll.scrollTop = (chip.y + chip.h / 2) * shown.scale - scroll.clientHeight / 2;
}

function zoom(to) {
  scale = Math.min(2, Math.max(0.02, to));
  fit();
}

part("larger").addEventListener("click", () => zoom(shown.scale * 1.25));
part("smaller").addEventListener("click", () => zoom(shown.scale / 1.25));
part("fit").addEventListener("click", () => {
  zoom(shown.scale === whole() ? 1 : whole());
});
part("full").addEventListener("click", async () => {
  const mode = host.context.displayMode === "fullscreen" ? "inline" : "fullscreen";
  const result = await link.ask("ui/request-display-mode", { mode }).catch(() => ({}));
  if (result.mode) adapt({ displayMode: result.mode });
});

const size = {};

function measure() {
  const { maxWidth, width } = object(host.context.containerDimensions);
  const now = { height: Math.ceil(part("view").getBoundingClientRect().height) };
  if (width === undefined && maxWidth > 0) now.width = Math.min(maxWidth, Math.max(320, (shown?.width ?? 0) + 2));
  if (now.height === size.height && now.width === size.width) return;
  Object.assign(size, now);
  link.tell("ui/notifications/size-changed", now);
}

const watch = new ResizeObserver(() => {
  fit();
  measure();
});

// --- the host ---

const COLOURS = {
  page: "--color-background-primary",
  panel: "--color-background-secondary",
  ink: "--color-text-primary",
  quiet: "--color-text-secondary",
  rule: "--color-border-primary",
};

function adapt(change) {
  Object.assign(host.context, change);
  const { theme, styles, containerDimensions, displayMode, availableDisplayModes, safeAreaInsets } = host.context;
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const variables = object(object(styles).variables);
  // A host's colours belong together: with some of them only, text might not be legible on the others.
  const all = Object.values(COLOURS).every(name => text(variables[name]));
  for (const [own, name] of Object.entries(COLOURS)) {
    if (all) root.style.setProperty(`--${own}`, text(variables[name]));
    else root.style.removeProperty(`--${own}`);
  }
  root.style.setProperty("--words", text(variables["--font-sans"]) || "var(--sans)");
  const insets = ["top", "right", "bottom", "left"].map(side => `${number(object(safeAreaInsets)[side])}px`);
  root.style.setProperty("--safe", insets.join(" "));
  const { height, maxHeight } = object(containerDimensions);
  root.classList.toggle("filled", displayMode === "fullscreen" || height > 0);
  host.tall = maxHeight > 0 ? Math.max(200, Math.min(512, maxHeight - 150)) : 512;
  root.style.setProperty("--tall", `${host.tall}px`);
  part("full").hidden = displayMode !== "fullscreen" && !list(availableDisplayModes).includes("fullscreen");
  part("full").textContent = displayMode === "fullscreen" ? "Close" : "Full screen";
  fit();
}

async function answerGate(given) {
  const { id: run, workflow } = shown.run;
  let result;
  try {
    result = await link.ask("tools/call", { name: "circuit_answer", arguments: given });
  } catch (error) {
    result = { isError: true, content: [{ type: "text", text: `Your answer did not arrive: ${error.message}` }] };
  }
  const props = show(result);
  if (props === null || shown.run === null) {
    if (!result.isError) warn("Nothing came back, so it is not known whether your answer arrived.");
    return;
  }
  const why = refusal(props, shown.run);
  warn(why);
  if (why || shown.run.note) return; // it asks once more, and says why
  board.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  goOn(given.decision, run, workflow, readText(result));
}

// Why an answer was not taken though the run could be shown; nothing when it was.
function refusal(props, run) {
  const directive = object(props.directive);
  if (props.late === true) return "Somebody else answered first, so your answer was not taken.";
  return directive.act === "blocked" && run.act === "ask" ? text(directive.reason) : "";
}

// Tells the model, which cannot see the board, that it may go on. What came back is context; the message, which counts
// as the person's own words, has none of the board's in it.
function goOn(decision, run, workflow, said) {
  const block = words => [{ type: "text", text: words }];
  if (host.can.updateModelContext) link.ask("ui/update-model-context", { content: block(said) }).catch(() => {});
  if (!host.can.message) return;
  const words = {
    approve: `I approved on the board what run ${run} waited for. Go on with it; circuit_open with workflowId ${workflow} shows its directive.`,
    reject: `I rejected on the board what run ${run} waited for, so it has ended.`,
  };
  link.ask("ui/message", { role: "user", content: block(words[decision]) }).catch(() => {});
}

gate.start(answerGate);
link.hear("ui/notifications/tool-input-partial", ({ arguments: given }) => showGrowing(given, false));
link.hear("ui/notifications/tool-input", ({ arguments: given }) => showGrowing(given, true));
link.hear("ui/notifications/tool-result", show);
link.hear("ui/notifications/tool-cancelled", ({ reason }) => say(`It was called off${reason ? `: ${text(reason)}` : "."}`));
link.hear("ui/notifications/host-context-changed", adapt);
link.answer("ping", () => ({}));
link.answer("ui/resource-teardown", () => {
  watch.disconnect();
  return {};
});

link
  .ask("ui/initialize", {
    appInfo: { name: "circuit-board", title: "Circuit board", version: VERSION },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    protocolVersion: "2026-01-26",
  })
  .then(({ hostCapabilities, hostContext }) => {
    host.can = object(hostCapabilities);
    adapt(object(hostContext));
    link.tell("ui/notifications/initialized");
    watch.observe(part("view"));
    watch.observe(scroll);
  })
  .catch(error => warn(`The board cannot be shown here: ${error.message}`));
