// What comes from a server or a model, read as data: whatever its shape, each part ends up as what it should be.
const text = value => (typeof value === "string" ? value : value === null || value === undefined ? "" : json(value));
const json = value => (typeof value === "object" ? JSON.stringify(value, null, 2) : String(value));
const list = value => (Array.isArray(value) ? value.filter(item => item !== null && item !== undefined) : []);
const object = value => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});
const number = (value, fallback = 0) => (Number.isSafeInteger(value) ? value : fallback);

const ACTORS = { you: "you", claude: "the assistant", circuit: "by itself" };

// A step as it is painted and looked at, from a board's payload or from what a model has written of it so far.
function readStep(given, index) {
  const step = object(given);
  const [verb, actor] = Object.hasOwn(KIT, step.type) ? KIT[step.type] : ["step", "circuit"];
  const next = list(step.next).map(object).map(wire => ({ port: text(wire.port) || "out", to: text(wire.to) }));
  const ports = list(step.ports).map(text);
  return {
    index,
    id: text(step.id),
    title: text(step.title) || text(step.id) || "untitled",
    verb: text(step.label) || verb,
    actor: Object.hasOwn(ACTORS, step.actor) ? step.actor : actor,
    summary: text(step.summary),
    tool: text(step.tool),
    lacking: step.toolKnown === false,
    ports: ports.length ? ports : [...new Set(next.map(wire => wire.port))],
    next,
    off: step.enabled === false,
    writes: step.writes === true,
    policy: object(step.onError),
    calls: step.type === "flow.call",
    place: step.position ? { col: number(step.position.col), lane: number(step.position.lane) } : null,
  };
}

// The payload of a result, wherever a host has left it.
function readProps(result) {
  const meta = object(result._meta);
  const found = [result.structuredContent, meta["ui/props"], object(meta.ui).props];
  return found.map(object).find(props => Array.isArray(object(props.workflow).steps)) ?? null;
}

const readText = result => list(result.content).map(block => text(object(block).text)).join("\n").trim();

// What a run came to at each step of the board itself, by the step's id; null without a run.
function readRun(given) {
  if (given === null || typeof given !== "object") return null;
  const awaiting = object(given.awaiting);
  const trace = list(given.trace).map(object).filter(entry => entry.path === undefined);
  return {
    id: text(given.id),
    workflow: text(given.workflowId),
    status: text(given.status),
    test: given.mode === "test",
    at: text(awaiting.stepId) || text(given.failedAt),
    act: text(awaiting.act),
    turn: awaiting.turn,
    note: text(awaiting.note), // why it is asked once more
    over: ["succeeded", "cancelled", "failed"].includes(given.status),
    entries: new Map(trace.map(entry => [text(entry.stepId), entry]).reverse()),
    moments: list(given.history).map(object),
    earlier: number(given.earlierMoments),
  };
}

// The drawing that came with a result, if it is whole; what it says of chips is parallel to the board's steps.
function readDrawing(given, steps) {
  const drawing = object(given);
  const good = Array.isArray(drawing.chips) && Array.isArray(drawing.wires) && Array.isArray(drawing.pads);
  return good && drawing.chips.length === steps ? drawing : null;
}
