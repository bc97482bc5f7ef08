// Shows the page that Python wrote, keeps the focus on it, and reports what was clicked and typed. Decides no rule.

const SVG = "http://www.w3.org/2000/svg";
const SILENCE = 5000; // ms without an answer before the page says so
const STEPS = { ArrowLeft: [-1, -1], ArrowRight: [1, 1], ArrowDown: [0, -1], ArrowUp: [0, 1] };

function render({ model, el }) {
  const says = document.createElement("div"); // stays in place, so that what changes in it is read out
  says.setAttribute("role", "status");
  says.style.lineHeight = "1.4";
  const page = document.createElement("div");
  el.append(says, page);
  let at = null; // the cell or coin that Tab comes to, by name
  let follow = false; // whether the focus goes where Python says: after Enter
  let timer = 0;

  const named = (name) => name && page.querySelector(`[data-cell="${name}"]`);
  const placeOf = (node) => node.closest("[data-cell]");
  const fieldIn = (place) => place.querySelector("input") || place;
  const numbers = (place) => place.dataset.cell.split("-").map(Number);

  const heard = () => clearTimeout(timer);

  function send(content) {
    heard();
    timer = setTimeout(() => {
      says.textContent = "Python does not answer. It may be busy, or it was restarted: then run this cell again.";
    }, SILENCE);
    model.send(content);
  }

  function go(place, focus) {
    for (const other of page.querySelectorAll("[data-cell][tabindex]")) other.tabIndex = -1; // fields keep their own
    fieldIn(place).tabIndex = 0;
    at = place.dataset.cell;
    if (!focus) return;
    fieldIn(place).focus();
    if (fieldIn(place).select) fieldIn(place).select();
  }

  function next(place, key) {
    if (place.dataset.cell[0] === "c") {
      const coin = Number(place.dataset.cell.slice(1));
      if (key === "ArrowUp") return named(`${coin}-${coin}`);
      return key === "ArrowDown" ? null : named(`c${coin + STEPS[key][0]}`);
    }
    const [i, j] = numbers(place);
    if (key === "ArrowDown" && i === j) return named(`c${i}`);
    const up = key === "ArrowUp" && named(`${i - 1}-${j}`); // at the right edge the way up leads to the left
    return named(`${i + STEPS[key][0]}-${j + STEPS[key][1]}`) || up || null;
  }

  function look(place) {
    const line = page.querySelector(".tells");
    if (!line) return;
    line.dataset.rest ??= line.textContent;
    const words = place ? fieldIn(place).getAttribute("aria-label") : line.dataset.rest;
    if (line.textContent !== words) line.textContent = words;
  }

  function commit(field) {
    if (!field.value.trim() || field.value === field.dataset.sent) return;
    field.dataset.sent = field.value;
    send({ kind: "fill", cell: numbers(placeOf(field)), answer: field.value });
  }

  function giveField(place) {
    // a cell that is asked for becomes a real field, which every keyboard and screen reader knows
    const face = place.querySelector(".face");
    const frame = document.createElementNS(SVG, "foreignObject");
    for (const name of ["x", "y", "width", "height"]) frame.setAttribute(name, face.getAttribute(name));
    const field = document.createElement("input");
    field.value = field.dataset.sent = place.dataset.ask;
    field.autocomplete = "off";
    field.setAttribute("aria-label", place.getAttribute("aria-label"));
    field.setAttribute("aria-invalid", String(place.classList.contains("wrong")));
    field.addEventListener("change", () => commit(field));
    frame.append(field);
    place.append(frame);
    for (const name of ["role", "tabindex", "aria-label"]) place.removeAttribute(name); // the field has them now
  }

  function draw() {
    const old = document.activeElement;
    const had = page.contains(old) && placeOf(old) && placeOf(old).dataset.cell;
    const typed = had && old.tagName === "INPUT" && old.value !== old.dataset.sent ? old.value : null;
    const open = page.querySelector("details")?.open;
    const scrolled = page.querySelector(".scroll")?.scrollLeft;
    const made = document.createElement("template");
    made.innerHTML = model.get("value");
    const words = made.content.querySelector("[role=status]");
    heard();
    const said = words ? words.innerHTML : "";
    if (says.innerHTML !== said) says.innerHTML = said;
    if (words) words.remove();
    page.replaceChildren(made.content);
    for (const title of page.querySelectorAll("title")) {
      title.parentNode.setAttribute("aria-label", title.textContent); // the line above says it; no second bubble
      title.remove();
    }
    page.querySelectorAll("[data-ask]").forEach(giveField);
    if (open) page.querySelector("details")?.setAttribute("open", "");
    if (scrolled) page.querySelector(".scroll").scrollLeft = scrolled;
    const asked = page.querySelector("svg")?.dataset.go;
    const place = named((follow && asked) || had || at) || named(asked) || [...page.querySelectorAll(".cell")].pop();
    if (place) go(place, Boolean(had) || follow);
    if (typed !== null && place && (follow || place.dataset.cell === had)) fieldIn(place).value = typed;
    follow = false;
    look(page.querySelector("[data-cell]:hover") || (had && place));
  }

  page.addEventListener("pointerover", (event) => look(placeOf(event.target)));
  page.addEventListener("pointerleave", () => look(page.contains(document.activeElement) && placeOf(document.activeElement)));
  page.addEventListener("focusin", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    look(place);
    if (at !== place.dataset.cell) go(place, false);
    if (event.target.tagName === "INPUT") send({ kind: "at", cell: numbers(place) });
  });
  page.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    go(place, true);
    if (place.dataset.end) send({ kind: "take", end: place.dataset.end });
  });
  el.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") event.stopPropagation(); // the notebook has shortcuts of its own
    const place = placeOf(event.target);
    if (!place || event.altKey || event.ctrlKey || event.metaKey) return;
    const field = event.target.tagName === "INPUT" ? event.target : null;
    const letter = event.key.toUpperCase();
    if (event.key in STEPS) {
      const goal = next(place, event.key);
      if (goal) go(goal, true);
    } else if (field && event.key === "Enter") {
      follow = field.value.trim() !== "" && field.value !== field.dataset.sent;
      commit(field);
      field.select(); // what is typed before Python has answered belongs to the next cell
    } else if (field && event.key === "?") {
      send({ kind: "hint", cell: numbers(place) });
    } else if (!field && (letter === "L" || letter === "R")) {
      send({ kind: "take", end: letter });
    } else if (place.dataset.end && (event.key === "Enter" || event.key === " ")) {
      send({ kind: "take", end: place.dataset.end });
    } else return;
    event.preventDefault();
  });

  model.on("change:value", draw);
  model.on("msg:custom", heard);
  draw();
  return () => {
    heard();
    model.off("change:value", draw);
    model.off("msg:custom", heard);
  };
}

export default { render };
