// Shows the page that Python wrote into "value" and reports what was clicked. No rule of any game is decided here.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const SILENCE = 5000; // ms without an answer before the page says so

// Make `old` like `fresh`, part by part: what stays the same keeps its focus, and is not read out again.
function follow(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
  after.forEach((node, index) => (before[index] ? follow(before[index], node) : old.append(node)));
  before.slice(after.length).forEach((node) => node.remove());
}

function render({ model, el }) {
  const page = document.createElement("div");
  page.setAttribute("role", "group");
  el.append(page);
  const stops = {}; // for each group the place where the Tab key enters it
  let timer = 0;

  const spot = (node) => node && node.closest && node.closest("[data-to]");
  const groupOf = (node) => node.closest("[data-group]").dataset.group;
  const placeOf = (node) => `${node.dataset.x},${node.dataset.y}`;
  const inGroup = (root, group) => // not those of a group within it
    [...root.querySelectorAll(`[data-group="${group}"] [data-to]`)].filter((node) => groupOf(node) === group);

  // What is a still picture elsewhere can be reached and pressed here.
  function enliven(root) {
    for (const group of root.querySelectorAll("[data-group]")) {
      if (group.getAttribute("role") === "img") group.setAttribute("role", "group");
      const nodes = inGroup(root, group.dataset.group);
      const stop =
        nodes.find((node) => placeOf(node) === stops[group.dataset.group]) ||
        nodes.find((node) => "now" in node.dataset) || nodes[0];
      for (const node of nodes) {
        node.setAttribute("role", "button");
        node.setAttribute("tabindex", node === stop ? "0" : "-1");
      }
    }
  }

  function light(node) {
    for (const other of page.querySelectorAll("[data-to]")) {
      const same = node && other.dataset.to === node.dataset.to;
      other.classList.toggle("lit", Boolean(same));
    }
    for (const first of page.querySelectorAll(".coin.lit")) // taking a coin takes all to its right
      for (const coin of page.querySelectorAll(`.coin[data-y="${first.dataset.y}"]`))
        if (Number(coin.dataset.x) > Number(first.dataset.x)) coin.classList.add("lit");
    const peek = page.querySelector("[data-peek]");
    if (peek) peek.textContent = node ? node.getAttribute("aria-label") || node.textContent : peek.dataset.peek;
  }

  const lightAgain = () => light(spot(page.querySelector("[data-to]:focus-visible") || page.querySelector("[data-to]:hover")));

  const heard = () => clearTimeout(timer);

  function draw() {
    const fresh = page.cloneNode(false);
    fresh.innerHTML = model.get("value");
    enliven(fresh);
    const kept = page.contains(document.activeElement);
    follow(page, fresh);
    if (kept && !page.contains(document.activeElement)) {
      const now = page.querySelector("[data-now]");
      if (now) now.focus();
    }
    lightAgain();
  }

  page.addEventListener("click", (event) => {
    const node = spot(event.target);
    if (!node) return;
    heard();
    timer = setTimeout(() => {
      const peek = page.querySelector("[data-peek]");
      if (peek) peek.textContent = "Python does not answer. It may be busy, or was restarted: then run this cell again.";
    }, SILENCE);
    model.send({ to: node.dataset.to });
  });
  page.addEventListener("keydown", (event) => {
    const node = spot(event.target);
    if (!node || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key !== "Tab") event.stopPropagation(); // the notebook has shortcuts of its own for these keys
    const step = STEPS[event.key];
    if (step) {
      const [x, y] = [Number(node.dataset.x) + step[0], Number(node.dataset.y) + step[1]];
      const next = inGroup(page, groupOf(node)).find((other) => placeOf(other) === `${x},${y}`);
      if (next) next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    } else return;
    event.preventDefault();
  });
  page.addEventListener("focusin", (event) => {
    const node = spot(event.target);
    if (!node) return;
    stops[groupOf(node)] = placeOf(node);
    for (const other of inGroup(page, groupOf(node))) other.setAttribute("tabindex", other === node ? "0" : "-1");
    light(node);
  });
  page.addEventListener("focusout", lightAgain);
  page.addEventListener("pointerover", (event) => light(spot(event.target)));
  page.addEventListener("pointerleave", lightAgain);

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
