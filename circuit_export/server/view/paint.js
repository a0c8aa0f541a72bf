// Paints a drawing: a button for each chip, a path for each wire. Every text goes in as text.
const part = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function make(name, kind = "", words = "") {
  const node = document.createElement(name);
  if (kind) node.className = kind;
  if (words) node.textContent = words;
  return node;
}

function paintBoard(board, drawing, steps) {
  const { width, height } = drawing;
  board.style.width = `${width}px`;
  board.style.height = `${height}px`;
  const chips = drawing.chips.map((chip, index) => paintChip(chip, steps[index]));
  const number = index => Number(drawing.chips[index].no);
  const order = chips.map((_, index) => index).sort((a, b) => number(a) - number(b));
  board.replaceChildren(paintWires(drawing), ...order.map(index => chips[index]));
  return { chips, order, wires: [...board.querySelectorAll(".wire")] };
}

function paintWires({ width, height, wires, pads }) {
  const svg = document.createElementNS(SVG, "svg");
  const set = (node, given) => Object.entries(given).forEach(([name, value]) => node.setAttribute(name, value));
  set(svg, { class: "wires", width, height, "aria-hidden": "true" });
  for (const [, , data, optional] of wires) {
    const path = document.createElementNS(SVG, "path");
    set(path, { class: optional ? "wire opt" : "wire", d: data });
    svg.append(path);
  }
  const dots = document.createElementNS(SVG, "path");
  const ring = "a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z";
  set(dots, { class: "pads", d: pads.map(([x, y]) => `M${x - 3.5} ${y}${ring}`).join("") });
  svg.append(dots);
  return svg;
}

function paintChip(chip, step) {
  const kinds = ["writes", "off", "rtl", "rough"].filter(kind => chip[kind]);
  const node = make("button", ["chip", chip.actor, ...kinds].join(" "));
  node.type = "button";
  node.dataset.step = step.id;
  node.style.left = `${chip.x}px`;
  node.style.top = `${chip.y}px`;
  node.style.height = `${chip.h}px`;
  if (chip.cut) node.title = [step.title, step.summary].filter(Boolean).join("\n");
  const verb = make("span", "verb");
  verb.append(make("i", `pin ${chip.actor}`), make("i", "no", chip.no), chip.verb);
  const title = paintLines("b", "title", list(chip.title), chip.rooms?.[0]);
  if (chip.writes) title.append(make("i", "w"));
  node.append(verb, title);
  if (chip.text?.length) node.append(paintLines("span", "text", chip.text, chip.rooms?.[1]));
  if (chip.ports) {
    const ports = paintLines("span", `ports p${chip.pitch}`, chip.ports);
    ports.style.top = `${chip.top}px`;
    node.append(ports);
  }
  return node;
}

function paintLines(name, kind, lines, room) {
  const node = make(name, kind);
  node.dir = "auto";
  if (room) node.style.width = `${room}px`;
  lines.forEach((line, index) => node.append(...(index ? [make("br")] : []), text(line)));
  return node;
}

// The state of a chip: a sign and a word on its upper edge, and in its name for who does not see it.
function paintState(node, chip, step, mark, now) {
  node.querySelector(".st")?.remove();
  node.classList.toggle("ran", mark !== null);
  node.classList.toggle("now", now);
  if (now) node.setAttribute("aria-current", "step");
  else node.removeAttribute("aria-current");
  node.setAttribute("aria-label", nameOf(chip, step, mark));
  if (mark === null) return;
  const sign = make("i", `st ${mark.kind}`);
  sign.append(make("b", "", mark.note && mark.note.length <= 14 ? `${mark.word} · ${mark.note}` : mark.word));
  node.append(sign);
}

function nameOf(chip, step, mark) {
  const parts = [`${chip.no} ${step.verb}: ${step.title}.`];
  if (step.summary) parts.push(`${step.summary}.`);
  const facts = [step.actor === "circuit" ? "Done by itself" : `Done by ${ACTORS[step.actor]}`];
  if (step.writes) facts.push("writes");
  if (step.off) facts.push("switched off");
  if (step.ports.length > 1) facts.push(`ways out: ${step.ports.join(", ")}`);
  parts.push(`${facts.join(", ")}.`);
  if (mark) parts.push(`Now: ${mark.word}${mark.note ? `, ${mark.note}` : ""}.`);
  return parts.join(" ");
}

// The signs that the chips bear, each with its meaning.
function paintKey(key, steps) {
  const signs = Object.entries(ACTORS).filter(([actor]) => steps.some(step => step.actor === actor));
  const rows = signs.map(([actor, words]) => [`pin ${actor}`, words]);
  if (steps.some(step => step.writes)) rows.push(["w", "writes"]);
  if (steps.some(step => step.off)) rows.push(["dash", "switched off"]);
  key.replaceChildren(
    ...rows.map(([sign, words]) => {
      const row = make("li");
      row.append(make("i", sign), words);
      return row;
    }),
  );
}
