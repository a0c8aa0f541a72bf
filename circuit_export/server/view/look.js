// What is to be said of the step that a person has chosen: below the board, since a chip has room for little.
const POLICIES = {
  stop: () => "If it fails, the run stops here.",
  skip: () => "If it fails, this path ends and the rest goes on.",
  retry: policy => `If it fails, it is tried up to ${number(policy.attempts, 2)} times.`,
  route: policy => `If it fails, the run goes on by “${text(policy.port) || "error"}”.`,
};

function paintLook(panel, step, chip, steps, run, mark, choose) {
  const head = make("h2");
  head.append(make("span", "no", chip.no), " ", bdi(step.title));
  const kind = make("p", "kind");
  kind.append(make("span", "silk", step.verb), step.actor === "circuit" ? "by itself" : `by ${ACTORS[step.actor]}`);
  if (step.tool) kind.append(make("code", "", step.tool));
  if (step.writes) kind.append(make("span", "tag", "writes"));
  if (step.off) kind.append(make("span", "tag mute", "switched off"));
  if (mark) kind.append(make("span", `word ${mark.kind}`, mark.word));
  const parts = [head, kind];
  const say = (words, kind = "") => parts.push(Object.assign(make("p", kind, words), { dir: "auto" }));
  if (step.summary) say(step.summary);
  if (step.lacking) say(`“${step.tool}” is not among the connectors that were reported.`, "wrong");
  if (mark?.note) say(mark.note, mark.kind === "failed" ? "wrong" : "");
  parts.push(ways(step, steps, choose));
  const policy = Object.hasOwn(POLICIES, step.policy.do) ? POLICIES[step.policy.do](step.policy) : "";
  if (policy) say(policy, "quiet");
  parts.push(...moments(step, run));
  panel.replaceChildren(...parts);
}

function bdi(words) {
  return make("bdi", "", words);
}

function ways(step, steps, choose) {
  const rows = make("ul", "to");
  for (const wire of step.next) {
    const target = steps.find(other => other.id === wire.to);
    const row = make("li");
    if (step.ports.length > 1) row.append(make("code", "", wire.port), " ");
    row.append("→ ");
    if (target) {
      const way = make("button", "way");
      way.type = "button";
      way.append(bdi(target.title));
      way.addEventListener("click", () => choose(target.index, true));
      row.append(way);
    } else row.append(`no step: there is none called “${wire.to}”`);
    rows.append(row);
  }
  if (!step.next.length) rows.append(make("li", "quiet", "No step follows."));
  return rows;
}

// What the step was given and what came back, the last time it was anything.
function moments(step, run) {
  const own = run ? run.moments.filter(moment => !moment.path && text(moment.stepId) === step.id) : [];
  const last = own.filter(moment => "input" in moment || "output" in moment).pop();
  if (!last) return [];
  const parts = [];
  for (const [key, words] of [["input", "It was given"], ["output", "What came back"]]) {
    if (!(key in last)) continue;
    const value = make("pre", "", text(last[key]) || "an empty text");
    value.dir = "auto";
    value.tabIndex = 0;
    parts.push(make("p", "silk", words), value);
  }
  return parts;
}
