// The front end of all labs. It shows the controls and the page that Python made as HTML, and reports what was moved,
// pressed, clicked and typed. It knows no rules of any game. Its host has get, set, save_changes, on and send, so a
// page without a kernel can be one.
//
// What a page can contain:
//   data-to="9,4,2"         these words are sent to Python on a click; all parts with the same words light up together;
//                           for a field inside, what is typed and its focus are sent too
//   data-group="grid"       one stop of the Tab key; arrow keys go from part to part by data-x and data-y (which grows upward)
//   data-now                where the focus goes when the part that had it is gone or disabled, an answer was typed with
//                           Enter, or a button with data-leaves was pressed
//   data-once               a double click counts once: it makes a move, and two would be a surprise
//   data-peek="Point …"     shows the aria-label of the part that is pointed at
//   data-after="800"        sent automatically after this number of ms, as if it had been clicked
//   data-key="l"            clicked when this key is pressed on the page
//   data-task="done"        a task, which stays done from then on
//   data-field              a field next to a button, which Enter presses
//   data-board="{…}"        a board in this position: see board.js

const SILENCE = 5000; // ms without an answer before the page says so
const NO_ANSWER = "Python does not answer. It may be busy, or was restarted: then run this cell again.";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-1, 0], End: [1, 0] };

// Make `old` like `fresh`, part by part: what stays the same keeps its focus, and is not read out again.
function follow(old, fresh) {
  if (old.isEqualNode(fresh)) return; // the browser compares a thousand cells faster than a script
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.data = fresh.data;
    return;
  }
  const typed = old.nodeName === "INPUT" && old.getAttribute("value") !== fresh.getAttribute("value");
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (typed) old.value = fresh.getAttribute("value");
  const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
  after.forEach((node, index) => (before[index] ? follow(before[index], node) : old.append(node)));
  before.slice(after.length).forEach((node) => node.remove());
}

// --- the value of a control

const isTyped = ({ type }) => ["number", "text"].includes(type);
const choices = ({ dataset }) => dataset.choices && JSON.parse(dataset.choices); // pairs of words and value

function read(input) {
  const place = input.selectedIndex ?? input.valueAsNumber;
  if (choices(input)) return choices(input)[place][1];
  return input.type === "checkbox" ? input.checked : input.type === "text" ? input.value : place;
}

function show(input, value) {
  const place = choices(input)?.findIndex(([, choice]) => choice === value) ?? value;
  if (input.nodeName === "SELECT") input.selectedIndex = place;
  else if (input.type === "checkbox") input.checked = value;
  else if (input.value !== String(place)) input.value = place;
  inform(input);
}

// A slider says its value, to the eye and to a screen reader.
function inform(input) {
  if (input.type !== "range") return;
  const words = choices(input)?.[input.value][0] ?? (input.step < 1 ? input.valueAsNumber.toFixed(2) : input.value);
  input.parentNode.nextElementSibling.textContent = words;
  input.setAttribute("aria-valuetext", words);
}

// --- the page, of which every function is given a part

const spot = (node) => node?.closest?.("[data-to]");
const groupOf = (node) => node.closest("[data-group]");
const placeOf = (node) => `${node.dataset.x},${node.dataset.y}`;
const fieldOf = (node) => node.querySelector("input");
const focusOf = (node) => fieldOf(node) ?? node;
const noticeAt = (input) => input.closest(".control").querySelector(".refused"); // only numbers have one

function go(node) {
  focusOf(node).focus();
  focusOf(node).select?.();
}

// The parts of its group in a direction, the next first: in the nearest line, and there the nearest.
function ahead(node, [right, up]) {
  const distance = ({ dataset: { x, y } }) => {
    const [dx, dy] = [x - node.dataset.x, y - node.dataset.y];
    if (right) return dy ? 0 : dx * right;
    return dy * up <= 0 ? 0 : dy * up * 1000 + Math.abs(dx - up / 4); // up leans to the right, down to the left
  };
  const others = [...groupOf(node).querySelectorAll("[data-to]")].filter((other) => distance(other) > 0);
  return others.sort((one, other) => distance(one) - distance(other));
}

function render({ model, el }) {
  const lab = document.createElement("div");
  lab.className = "coin-lab";
  el.append(lab);
  const stops = {}; // for each group of the page the place where the Tab key enters it
  const done = new Set(); // the numbers of tasks: a task that was done stays done
  let [silent, later, drawn, expecting, unfinished] = [0, 0, "", false, null]; // a field that is typed in
  let complaint = ""; // the field next to a button whose number was refused last: only one notice is shown
  let refused = false; // whether this press of the mouse or of a key has made a setting refuse its number

  // --- messages to and from Python

  function heard() {
    clearTimeout(silent);
    lab.querySelector(".silence")?.replaceChildren();
  }

  function send(content) {
    clearTimeout(silent);
    silent = setTimeout(() => (lab.querySelector(".silence").textContent = NO_ANSWER), SILENCE);
    model.send(content);
  }

  // --- drawing

  // Parts that are a still picture elsewhere can be reached and pressed here.
  function enliven(root) {
    for (const group of root.querySelectorAll("[data-group]")) {
      if (group.getAttribute("role") === "img") group.setAttribute("role", "group");
      const nodes = [...group.querySelectorAll("[data-to]")];
      const stop =
        nodes.find((node) => placeOf(node) === stops[group.dataset.group]) ||
        nodes.find((node) => "now" in node.dataset) || nodes[0];
      for (const node of nodes) {
        if (fieldOf(node)) continue; // which is a separate stop
        if (node.nodeName !== "BUTTON") node.setAttribute("role", "button");
        node.setAttribute("tabindex", node === stop ? "0" : "-1");
      }
    }
  }

  function draw() {
    const before = drawn;
    drawn = model.get("frame") + model.get("page");
    if (drawn !== before) drawAnew();
    for (const input of lab.querySelectorAll("[data-name]"))
      if (input !== unfinished || input !== document.activeElement) show(input, model.get(input.dataset.name));
  }

  function drawAnew() {
    heard();
    clearTimeout(later);
    const fresh = lab.cloneNode(false);
    fresh.innerHTML = model.get("frame");
    fresh.querySelector(".page").innerHTML = model.get("page");
    for (const place of fresh.querySelectorAll("[data-board]")) place.outerHTML = drawBoard(JSON.parse(place.dataset.board));
    enliven(fresh);
    fresh.querySelectorAll("[data-task]").forEach(tick);
    const inside = lab.contains(document.activeElement);
    follow(lab, fresh);
    lab.querySelectorAll("[data-field]").forEach(inform);
    for (const wrong of lab.querySelectorAll("[data-field]:invalid"))
      if (wrong !== unfinished && wrong.dataset.field === complaint) refuse(wrong);
    const [active, now] = [document.activeElement, lab.querySelector("[data-now]")];
    if (now && (expecting || (inside && (!lab.contains(active) || active.disabled)))) go(now);
    expecting = false;
    lightAgain();
    const soon = lab.querySelector("[data-after]"); // an answer that comes automatically, after some milliseconds
    if (soon) later = setTimeout(() => send({ to: soon.dataset.to }), Number(soon.dataset.after));
  }

  function tick(task, number) {
    if (task.dataset.task === "done") done.add(number);
    if (!done.has(number)) return;
    task.dataset.task = "done";
    task.firstChild.textContent = "✓";
  }

  function light(node) {
    for (const other of lab.querySelectorAll("[data-to]"))
      other.classList.toggle("lit", Boolean(node) && other.dataset.to === node.dataset.to);
    const peek = lab.querySelector("[data-peek]");
    if (peek) peek.textContent = node ? focusOf(node).getAttribute("aria-label") || node.textContent : peek.dataset.peek;
  }

  const lightAgain = () => light(spot(lab.querySelector(":focus-visible") ?? lab.querySelector("[data-to]:hover")));

  // --- what is done with it

  function moved({ type, target }) {
    const { name, field } = target.dataset;
    if (isTyped(target)) unfinished = type === "input" && target;
    if (!(name || field) || isTyped(target) !== (type === "change")) return; // typed, it counts at the end
    if (!target.checkValidity()) return refuse(target);
    noticeAt(target)?.replaceChildren();
    inform(target);
    if (!name) return;
    model.set(name, read(target));
    model.save_changes();
  }

  // A number that is impossible, or missing: a setting goes back to the last possible number; a field next to a button
  // stays as it is, and the button waits until it is corrected.
  function refuse(target) {
    let why = target.validationMessage; // the browser says what is possible
    if (target.dataset.name) {
      refused = true;
      target.value = model.get(target.dataset.name);
      why += ` It is ${target.value} again.`;
    } else {
      for (const other of lab.querySelectorAll("[data-field]")) noticeAt(other)?.replaceChildren();
      complaint = target.dataset.field;
    }
    noticeAt(target).textContent = why;
  }

  function answered({ target }) {
    if (!spot(target) || !target.value.trim()) return;
    expecting = target.matches(":focus"); // so it was Enter, and the field was not left
    if (expecting) target.select(); // what is typed before Python has answered belongs to the next field
    send({ to: spot(target).dataset.to, typed: target.value });
  }

  function begun() {
    refused = false;
  }

  function clicked({ target, detail }) {
    if (detail > 1 && target.closest("[data-once]")) return;
    const [button, node] = [target.closest("[data-press]"), spot(target)];
    if (button && refused) return; // the press was for the number that has just been refused
    if (button?.matches(".coin:not(.picked)")) { // marked now, taken by another click
      lab.querySelector(".coin.picked")?.classList.remove("picked");
      button.classList.add("picked");
    } else if (button) {
      const fields = [...button.parentNode.querySelectorAll("[data-field]")];
      const wrong = fields.find((input) => !input.checkValidity());
      if (wrong) {
        refuse(wrong);
        return go(wrong);
      }
      const values = Object.fromEntries(fields.map((input) => [input.dataset.field, read(input)]));
      complaint = "";
      expecting = "leaves" in button.dataset;
      send({ press: button.dataset.press, fields: values });
    } else if (node && !fieldOf(node) && node.getAttribute("aria-disabled") !== "true") send({ to: node.dataset.to });
  }

  function focused({ target }) {
    const node = spot(target);
    if (!node) return;
    if (groupOf(node)) stops[groupOf(node).dataset.group] = placeOf(node); // the Tab key comes back to it
    enliven(lab);
    if (fieldOf(node)) send({ to: node.dataset.to, looked: true });
    light(node);
  }

  function keyed(event) {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || ["Tab", "Escape"].includes(key)) return;
    if (event.shiftKey && key === "Enter") return;
    event.stopPropagation(); // the notebook has its own shortcuts
    const next = key === "Enter" && target.dataset.field && target.closest(".row").querySelector("[data-press]:enabled");
    if (next) {
      event.preventDefault();
      target.blur(); // what is wrong with its number is said first
      target.focus();
      return next.click();
    }
    if (!target.closest(".page")) return;
    const [node, typing] = [spot(target), isTyped(target)];
    const far = ["Home", "End"].includes(key); // in a field they move the cursor
    const pressed = [...lab.querySelectorAll("[data-key]")].find(
      (other) => other.dataset.key.toLowerCase() === key.toLowerCase() && !other.disabled,
    );
    if (key in STEPS && node && groupOf(node) && !(far && typing)) {
      const goal = ahead(node, STEPS[key]).at(far ? -1 : 0);
      if (goal) go(goal);
    } else if (pressed && !(typing && /\w/.test(key))) {
      pressed.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    } else if (node && !typing && node.nodeName !== "BUTTON" && (key === "Enter" || key === " ")) {
      node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    } else return;
    event.preventDefault();
  }

  const listeners = {
    input: [moved],
    change: [moved, answered],
    pointerdown: [begun],
    click: [clicked],
    focusin: [focused],
    focusout: [lightAgain],
    pointerover: [({ target }) => light(spot(target))],
    pointerleave: [lightAgain],
    keydown: [begun, keyed],
  };
  for (const [event, acts] of Object.entries(listeners)) for (const act of acts) lab.addEventListener(event, act);

  model.on("change", draw);
  model.on("msg:custom", heard);
  draw();
}

export default { render };
