// Draws what Python put into "view" and reports clicks. No rule of any game is decided here.

const LABELS = { scenario: "Game", ending: "Ending", opponent: "Opponent", start: "Who starts" };
const FIVE = 5;
const SILENCE = 5000; // ms without an answer before the board says so

function element(tag, className, parent) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (parent) parent.append(node);
  return node;
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text; // an unchanged text is not read out again
}

function button(className, parent, act) {
  const node = element("button", className, parent);
  node.type = "button";
  node.addEventListener("click", act);
  return node;
}

function render({ model, el }) {
  const board = element("div", "coin-board", el);
  board.setAttribute("role", "group");
  board.setAttribute("aria-label", "Coin game board");
  const top = element("div", "top", board);
  const rules = element("div", "rules", top);
  const score = element("div", "score", top);
  const says = element("div", "says", board);
  says.setAttribute("role", "status");
  says.setAttribute("aria-live", "polite");
  const headline = element("div", "headline", says);
  const said = element("div", "said", says);
  const notice = element("div", "notice", says);
  const hint = element("div", "hint", says);
  const rows = element("div", "rows", board);
  const bar = element("div", "bar", board);
  const keys = element("div", "keys", board);
  const menus = element("div", "menus", board);
  element("span", "", keys).textContent = "A click marks a coin and all coins to its right; a second click takes them. ";
  element("span", "wide", keys).textContent = "Keyboard: arrow keys, then Enter to mark, Enter again to take.";

  const take = button("take main", bar, () => send({ kind: "take" }));
  const undo = button("undo", bar, () => send({ kind: "undo" }));
  const fresh = button("new", bar, () => send({ kind: "new" }));
  write(undo, "Undo");
  write(fresh, "New game");

  const fields = {};
  for (const name of Object.keys(LABELS)) {
    const label = element("label", name, menus);
    element("span", "", label).textContent = LABELS[name];
    const select = element("select", "", label);
    select.setAttribute("aria-label", LABELS[name]);
    select.addEventListener("change", () => send({ kind: "set", name, value: select.value }));
    fields[name] = { label, select };
  }
  const tick = element("label", "tick hints", menus);
  const box = element("input", "", tick);
  box.type = "checkbox";
  element("span", "", tick).textContent = "Hints";
  box.addEventListener("change", () => send({ kind: "set", name: "hints", value: box.checked }));

  let view = model.get("view");
  let at = null; // the coin that the arrow keys are on: [row, place]
  let replyTimer = 0;
  let silenceTimer = 0;

  function silent() {
    write(notice, "Python does not answer. It may be busy, or it was restarted: then run this cell again.");
  }

  function send(content) {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(silent, SILENCE);
    try {
      model.send(content);
    } catch (error) {
      silent();
    }
  }

  const coinAt = (row, place) => rows.querySelector(`.coin[data-row="${row}"][data-place="${place}"]`);
  const countAt = (coin) => view.rows[coin.dataset.row].held - Number(coin.dataset.place);

  function pick(coin) {
    const row = Number(coin.dataset.row);
    const count = countAt(coin);
    const again = view.picked && view.picked[0] === row && view.picked[1] === count;
    send(again ? { kind: "take" } : { kind: "pick", row, count });
  }

  function look(coin) {
    // shows which coins a click would mark, and how many
    for (const other of rows.querySelectorAll(".coin")) {
      const inside =
        coin && view.yours && other.dataset.row === coin.dataset.row &&
        Number(other.dataset.place) >= Number(coin.dataset.place);
      other.classList.toggle("ahead", Boolean(inside));
      if (inside && other === coin) other.dataset.count = countAt(coin);
      else delete other.dataset.count;
    }
  }

  function rove(row, place, focus) {
    const held = view.rows.map((one) => one.held);
    if (!held.some(Boolean)) return;
    const step = row < 0 ? 1 : -1;
    row = Math.max(0, Math.min(held.length - 1, row));
    while (!held[row]) row = (row + held.length + step) % held.length;
    at = [row, Math.max(0, Math.min(held[row] - 1, place))];
    for (const coin of rows.querySelectorAll(".coin")) coin.tabIndex = -1;
    const coin = coinAt(...at);
    coin.tabIndex = 0;
    if (focus) coin.focus();
  }

  function nextRow(row, step) {
    for (let next = row + step; view.rows[next]; next += step) if (view.rows[next].held) return next;
    return row;
  }

  rows.addEventListener("click", (event) => {
    const coin = event.target.closest(".coin");
    if (!coin) return;
    rove(Number(coin.dataset.row), Number(coin.dataset.place), false);
    pick(coin);
  });
  rows.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") look(event.target.closest(".coin"));
  });
  rows.addEventListener("pointerleave", () => look(null));
  rows.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) look(event.target.closest(".coin"));
  });
  rows.addEventListener("focusout", () => look(null));
  rows.addEventListener("keydown", (event) => {
    if (!event.target.classList.contains("coin") || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = Number(event.target.dataset.row);
    const place = Number(event.target.dataset.place);
    const left = view.rows[row].held - place; // up and down keep "how many"
    const goal = {
      ArrowLeft: () => [row, place - 1],
      ArrowRight: () => [row, place + 1],
      ArrowUp: () => [nextRow(row, -1), view.rows[nextRow(row, -1)].held - left],
      ArrowDown: () => [nextRow(row, 1), view.rows[nextRow(row, 1)].held - left],
      Home: () => [row, 0],
      End: () => [row, view.rows[row].held - 1],
    }[event.key];
    if (goal) {
      rove(...goal(), true);
      event.preventDefault();
    }
    event.stopPropagation(); // the notebook has shortcuts of its own for these keys
  });
  board.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") event.stopPropagation();
  });

  function drawRows() {
    const kept = document.activeElement && rows.contains(document.activeElement);
    while (rows.children.length > view.rows.length) rows.lastChild.remove();
    while (rows.children.length < view.rows.length) {
      const line = element("div", "row", rows);
      element("div", "name", line);
      element("div", "coins", line);
    }
    view.rows.forEach((row, index) => drawRow(rows.children[index], row, index));
    rove(...(at || [0, Infinity]), false);
    if (!kept) return;
    if (view.won) fresh.focus();
    else if (!rows.contains(document.activeElement)) rove(...at, true);
  }

  function lookAgain() {
    look(rows.querySelector(".coin:focus-visible") || rows.querySelector(".coin:hover"));
  }

  function drawRow(line, row, index) {
    write(line.children[0], `row ${index}`);
    const coins = line.children[1];
    coins.setAttribute("role", "group");
    coins.setAttribute("aria-label", `row ${index}: ${row.held} of ${row.start}`);
    const fives = Math.ceil(row.start / FIVE); // coins lie in fives, so that they can be counted
    while (coins.children.length < fives) element("div", "five", coins);
    while (coins.children.length > fives) coins.lastChild.remove();
    for (let place = 0; place < row.start; place++) {
      const five = coins.children[Math.floor(place / FIVE)];
      let node = five.children[place % FIVE];
      const tag = place < row.held ? "BUTTON" : "SPAN";
      if (!node || node.tagName !== tag) {
        const made = element(tag.toLowerCase());
        if (tag === "BUTTON") made.type = "button";
        if (node) node.replaceWith(made);
        else five.append(made);
        node = made;
      }
      if (place < row.held) drawCoin(node, row, index, place);
      else drawGone(node, row, place);
    }
    const last = coins.lastChild;
    while (last && last.children.length > row.start - FIVE * (fives - 1)) last.lastChild.remove();
  }

  function drawCoin(node, row, index, place) {
    const count = row.held - place;
    const legal = row.legal.includes(count);
    const best = row.best.includes(count);
    const picked = view.picked && view.picked[0] === index && count <= view.picked[1];
    node.className = "coin";
    node.classList.toggle("far", view.yours && !legal);
    node.classList.toggle("best", best);
    node.classList.toggle("picked", Boolean(picked));
    node.dataset.row = index;
    node.dataset.place = place;
    node.setAttribute("aria-pressed", String(Boolean(picked)));
    node.setAttribute("aria-disabled", String(!view.yours));
    const more = best ? " (hint: this wins)" : view.yours && !legal ? " (too many)" : "";
    node.setAttribute("aria-label", `row ${index}: take ${count}${more}`);
  }

  function drawGone(node, row, place) {
    const fresh = place - row.held < row.fresh;
    node.className = fresh ? "gone fresh" : "gone";
    node.setAttribute("aria-hidden", "true");
    write(node, row.taken[place - row.held] || "");
  }

  function drawMenus() {
    for (const [name, { label, select }] of Object.entries(fields)) {
      const [chosen, options] = view.menus[name];
      const key = JSON.stringify(options);
      if (select.dataset.key !== key) {
        select.dataset.key = key;
        select.replaceChildren();
        for (const [value, text] of options) {
          const option = element("option", "", select);
          option.value = value;
          option.textContent = text;
        }
      }
      select.value = chosen;
      label.hidden = !view.show.includes(name);
      label.style.display = label.hidden ? "none" : "";
    }
    box.checked = view.hints;
    tick.style.display = view.show.includes("hints") ? "" : "none";
    undo.style.display = view.show.includes("undo") ? "" : "none";
    fresh.style.display = view.show.includes("new game") ? "" : "none";
    menus.style.display = view.show.some((name) => name !== "undo" && name !== "new game") ? "" : "none";
  }

  function draw() {
    clearTimeout(silenceTimer);
    clearTimeout(replyTimer);
    view = model.get("view");
    const most = Math.max(...view.rows.map((row) => row.start));
    rows.style.setProperty("--longest", Math.max(1, most));
    board.classList.toggle("waiting", view.waiting);
    board.classList.toggle("won", view.won > 0 && (view.won === 1 || !view.against));
    board.classList.toggle("lost", view.won === 2 && view.against);
    write(rules, view.rules);
    write(headline, view.headline);
    write(said, view.said);
    write(notice, view.notice);
    write(hint, view.hint);
    drawScore();
    drawRows();
    drawMenus();
    write(take, view.take);
    const onTake = document.activeElement === take;
    take.disabled = !view.picked;
    take.classList.toggle("main", !view.won);
    fresh.classList.toggle("main", view.won > 0);
    undo.disabled = !view.can_undo;
    if (onTake && take.disabled) {
      if (view.won) fresh.focus();
      else rove(...at, true);
    }
    lookAgain();
    if (view.waiting) replyTimer = setTimeout(() => send({ kind: "reply", ply: view.ply }), view.delay);
  }

  function drawScore() {
    const key = JSON.stringify(view.score);
    if (score.dataset.key === key) return;
    score.dataset.key = key;
    score.replaceChildren();
    for (const [name, games] of view.score) {
      const one = element("span", "", score);
      one.append(name, " ");
      element("b", "", one).textContent = games;
    }
  }

  model.on("change:view", draw);
  draw();
  return () => {
    clearTimeout(replyTimer);
    clearTimeout(silenceTimer);
    model.off("change:view", draw);
  };
}

export default { render };
