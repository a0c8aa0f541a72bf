// The view itself: what the host says comes in here, and what a person does goes out.
let drawings = new Map(); // by digest; the last one alone
let current = 0; // the chip that the tab key comes to
let chosen = -1; // the chip that is looked at

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
  const ids = [current, chosen].map(index => shown?.steps[index]?.id);
  const nodes = same ? shown.nodes : paintBoard(board, drawing, next.steps);
  const anew = !same && !next.growing && (shown === null || shown.growing);
  const at = whereIs(next.steps, next.run);
  const { chips, width, height } = drawing;
  shown = Object.assign(next, { key, nodes, at, chips, width, height });
  part("figure").hidden = false;
  if (!same) {
    [current, chosen] = ids.map(id => next.steps.findIndex(step => step.id === id));
    if (current < 0) current = nodes.order[0] ?? 0;
    nodes.chips.forEach((node, index) => node.addEventListener("click", () => choose(index)));
    paintKey(part("key"), next.steps);
  }
  paintRun();
  paintHead();
  if (anew) scroll.scrollTo(0, 0);
  gate.paint(next.run, next.directive, Boolean(host.can.serverTools) && !isHidden(next));
  fit();
  rove(current, focused && !same);
  look(false);
}

function paintRun() {
  const { steps, chips, nodes, run, at } = shown;
  const taken = new Set(shown.taken);
  steps.forEach((step, index) => paintState(nodes.chips[index], chips[index], step, markOf(step, run), step === at));
  board.querySelector(".wires").classList.toggle("ran", run !== null);
  nodes.wires.forEach((wire, index) => wire.classList.toggle("took", taken.has(index)));
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
  say(run ? runWords(run, shown.at) : lackWords(steps));
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

// Before the server has spoken: a step is placed once it is closed, as it is when another follows or all are there.
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

function choose(index, focus = false) {
  chosen = index === chosen && !focus ? -1 : index;
  look(focus);
}

function look(focus) {
  const step = shown.steps[chosen];
  part("look").hidden = !step;
  shown.nodes.chips.forEach((node, other) => node.setAttribute("aria-pressed", String(other === chosen)));
  if (!step) return;
  paintLook(part("look"), step, shown.chips[chosen], shown.steps, shown.run, markOf(step, shown.run), choose);
  if (focus) rove(chosen, true);
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
  const next = `Go on with it; circuit_open with workflowId ${workflow} shows its directive.`;
  const words = {
    approve: `I approved on the board what run ${run} waited for. ${next}`,
    reject: `I rejected on the board what run ${run} waited for, so it has ended.`,
  };
  link.ask("ui/message", { role: "user", content: block(words[decision]) }).catch(() => {});
}

gate.start(answerGate);
link.hear("ui/notifications/tool-input-partial", ({ arguments: given }) => showGrowing(given, false));
link.hear("ui/notifications/tool-input", ({ arguments: given }) => showGrowing(given, true));
link.hear("ui/notifications/tool-result", show);
link.hear("ui/notifications/tool-cancelled", ({ reason }) => {
  say(reason ? `It was called off: ${text(reason)}` : "It was called off.");
});
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
