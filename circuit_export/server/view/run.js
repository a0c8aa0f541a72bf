// A run on the board in words: what each step came to, where the run is, and how it goes.
const WORDS = { running: "now", held: "waits for you", idle: "waiting" };
const KINDS = ["idle", "running", "done", "skipped", "held", "failed", "retrying"];
const ACTIVE = ["running", "held", "retrying", "failed"];

const entryOf = (run, step) => object(run.entries.get(step.id));

// A step's state in the run; without one, only that its tool is not there.
function markOf(step, run) {
  if (run === null) return step.lacking ? { kind: "failed", word: "no such tool", note: "" } : null;
  const entry = entryOf(run, step);
  const state = text(entry.state) || "idle";
  const usual = Object.hasOwn(WORDS, state) ? WORDS[state] : state;
  const word = state === "idle" && run.over ? "not run" : usual;
  return { kind: KINDS.includes(state) ? state : "other", word, note: text(entry.error) || text(entry.summary) };
}

// The step where the run waits or stopped. Inside a called workflow that is the one that calls: a step of the other
// board may have the id of one of this.
function whereIs(steps, run) {
  if (run === null || !run.at) return null;
  const active = step => ACTIVE.includes(entryOf(run, step).state);
  const own = steps.find(step => step.id === run.at && active(step));
  return own ?? steps.find(step => step.calls && active(step)) ?? null;
}

function runWords(run, step) {
  const name = step ? `“${step.title}”` : `“${run.at}”`;
  if (run.status === "succeeded") return "The run is done.";
  if (run.status === "cancelled") return "The run ended: it was rejected.";
  const error = step === null ? "" : text(entryOf(run, step).error);
  if (run.status === "failed") return `The run stopped at ${name}: ${error || "it failed"}`;
  if (run.act === "ask") return `The run waits for you at ${name}.`;
  return run.at ? `The run is at ${name}.` : "The run goes on.";
}

function lackWords(steps) {
  const tools = new Set(steps.filter(step => step.lacking).map(step => step.tool));
  return tools.size ? `Not among the connectors that were reported: ${[...tools].join(", ")}.` : "";
}
