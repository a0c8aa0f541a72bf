// How much of the board is in sight, and how much room the view asks for.
const board = part("board");
const scroll = part("scroll");
const LEGIBLE = 0.75;

const host = { context: {}, can: {}, tall: 512 };
let shown = null; // what is painted: steps, drawing, its nodes, the run
let scale = null; // null: as it fits, as long as that is legible
let followed = ""; // where the run was when the board was last scrolled there

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
  const follow = shown.at === null ? "" : `${shown.key} ${shown.run.id} ${shown.at.id}`;
  if (follow && follow !== followed) reveal(shown.at.index);
  followed = follow;
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
