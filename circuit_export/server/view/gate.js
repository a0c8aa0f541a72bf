// The gate that waits: what a person is asked, the text that goes on, and the two answers.
const gate = (() => {
  let held = null;
  let busy = false;

  // Shows the gate of a run that waits, or none. What was typed stays while it is the same question.
  function paint(run, directive, able) {
    const waits = run !== null && run.act === "ask";
    part("gate").hidden = !waits;
    if (!waits) {
      held = null;
      return;
    }
    const asked = object(directive).act === "ask" ? object(directive) : {};
    const key = `${run.id} ${run.turn} ${"question" in asked}`;
    if (held?.key !== key) {
      held = { key, run, preview: text(asked.preview) };
      part("question").textContent = text(asked.question) || text(asked.title) || "Approve this step?";
      part("preview").value = held.preview;
      part("draft").hidden = !held.preview;
      changed();
      busy = false;
    }
    part("note").hidden = !run.note;
    part("note").textContent = run.note;
    part("elsewhere").hidden = able;
    for (const id of ["approve", "reject"]) part(id).hidden = !able;
    part("preview").readOnly = !able;
    settle();
  }

  function settle() {
    for (const id of ["approve", "reject", "restore"]) part(id).disabled = busy;
    part("gate").setAttribute("aria-busy", String(busy));
  }

  // A text area gives every line end as a line feed; a text that differs by no more was not changed.
  const edited = () => held !== null && part("preview").value !== held.preview.replace(/\r\n?/g, "\n");

  function changed() {
    part("restore").hidden = !edited();
    part("approve").textContent = edited() ? "Approve with my changes" : "Approve";
  }

  function decide(decision, answer) {
    if (held === null || busy) return;
    busy = true;
    settle();
    const edit = decision === "approve" && edited() ? { edit: part("preview").value } : {};
    const { id, turn } = held.run;
    const named = typeof turn === "number" ? { turn } : {};
    answer({ runId: id, decision, ...named, ...edit }).finally(() => {
      busy = false;
      settle();
    });
  }

  function start(answer) {
    part("preview").addEventListener("input", changed);
    part("restore").addEventListener("click", () => {
      part("preview").value = held?.preview ?? "";
      changed();
      part("preview").focus();
    });
    for (const decision of ["approve", "reject"]) {
      part(decision).addEventListener("click", () => decide(decision, answer));
    }
  }

  return { paint, start };
})();
