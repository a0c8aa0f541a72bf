// A sketch of a board: what is painted while the server has not drawn it, because a model is still writing it or
// because the drawing is on its way. Cells are those of the server where it has said them, else a column further
// than what leads there. Sizes are the server's, so that little moves when the drawing comes.
const CHIP = { w: 178, low: 104, tall: 128, col: 220, lane: 150, edge: 24, gap: 21, cut: 4 };

function sketch(steps) {
  const cells = cellsOf(steps);
  const middles = middlesOf(steps, cells);
  const chips = steps.map((step, index) => {
    const h = tallness(step);
    const x = CHIP.edge + cells[index].col * CHIP.col;
    const y = middles.get(cells[index].lane) - h / 2;
    const pitch = step.ports.length > 6 ? 14 : 16;
    return {
      ...{ x, y, h, pitch, w: CHIP.w, no: String(index + 1).padStart(2, "0"), verb: step.verb, actor: step.actor },
      ...{ title: [step.title], text: step.summary ? [step.summary] : [], rough: true },
      ...(step.ports.length > 1 ? { ports: step.ports, top: h / 2 - (step.ports.length * pitch) / 2 - 1 } : {}),
      ...{ writes: step.writes, off: step.off },
    };
  });
  const far = (edge, size) => Math.max(0, ...chips.map(chip => chip[edge] + chip[size])) + CHIP.edge;
  return { width: far("x", "w"), height: far("y", "h"), chips, ...wiresOf(steps, chips) };
}

function cellsOf(steps) {
  if (steps.every(step => step.place)) return steps.map(step => step.place);
  const wanted = new Map(); // what the steps so far ask for those that they lead to
  const free = new Map(); // the lane below all that are taken, by column
  const cells = [];
  for (const step of steps) {
    const { col, lane: asked } = wanted.get(step.id) ?? { col: 0, lane: 0 };
    const lane = Math.max(asked, free.get(col) ?? 0);
    free.set(col, lane + 1);
    cells.push({ col, lane });
    step.next.forEach((wire, way) => {
      const before = wanted.get(wire.to);
      wanted.set(wire.to, { col: Math.max(col + 1, before?.col ?? 0), lane: before?.lane ?? lane + way });
    });
  }
  return cells;
}

function tallness({ ports }) {
  return ports.length < 2 ? CHIP.low : CHIP.tall + 14 * Math.max(0, ports.length - 6);
}

// The middle line of each lane: lanes stand further apart than usual only where their tallest chips need it.
function middlesOf(steps, cells) {
  const half = new Map();
  steps.forEach((step, index) => {
    const { lane } = cells[index];
    half.set(lane, Math.max(half.get(lane) ?? 0, tallness(step) / 2));
  });
  const middles = new Map();
  let last = null;
  for (const lane of [...half.keys()].sort((a, b) => a - b)) {
    const apart = last === null ? 0 : Math.max((lane - last) * CHIP.lane, half.get(last) + half.get(lane) + 22);
    middles.set(lane, last === null ? CHIP.edge + half.get(lane) : middles.get(last) + apart);
    last = lane;
  }
  return middles;
}

function wiresOf(steps, chips) {
  const index = new Map(steps.map(step => [step.id, step.index]).reverse());
  const wires = [];
  const pads = [];
  for (const step of steps) {
    for (const wire of step.next) {
      const to = index.get(wire.to);
      if (to === undefined) continue;
      const [a, b] = [chips[step.index], chips[to]];
      const port = Math.max(0, step.ports.indexOf(wire.port));
      const offset = ((2 * port - (step.ports.length - 1)) * a.pitch) / 2;
      const begin = [a.x + a.w, a.y + a.h / 2 + (step.ports.length > 1 ? offset : 0)];
      const end = [b.x, b.y + b.h / 2];
      pads.push(begin, end);
      wires.push([step.index, to, way(begin, end, Math.max(a.y + a.h, b.y + b.h) + 8)]);
    }
  }
  return { wires, pads };
}

// From pad to pad; what does not lead to the next column goes around below.
function way(begin, end, below) {
  const [x, y] = begin;
  const [toX, toY] = end;
  if (toX - x === CHIP.col - CHIP.w) {
    return y === toY ? `M${x} ${y}H${toX}` : cornered([begin, [x + CHIP.gap, y], [x + CHIP.gap, toY], end]);
  }
  const [out, into] = [x + CHIP.gap, toX - CHIP.gap];
  return cornered([begin, [out, y], [out, below], [into, below], [into, toY], end]);
}

// The points as path data, each corner cut as on the server's drawings.
function cornered(points) {
  let data = `M${points[0][0]} ${points[0][1]}`;
  for (let i = 1; i < points.length - 1; i += 1) {
    for (const other of [points[i - 1], points[i + 1]]) {
      const [x, y] = points[i].map((value, axis) => {
        const far = other[axis] - value;
        return value + Math.sign(far) * Math.min(CHIP.cut, Math.abs(far) / 2);
      });
      data += `L${x} ${y}`;
    }
  }
  const [x, y] = points[points.length - 1];
  return `${data}L${x} ${y}`;
}
