// The exercises of a lesson are written, checked and handed in on its page.
//
// Below the text of each exercise is a <div class="write" data-exercise="settle" data-stub="…">. An editor takes the
// place of the still code before it. The browser saves what was written. Two scripts load the rest when it is needed:
// python.js, and the lesson's own script with its notebook and its recorded exercises.
(() => {
  const LOADS = "The first press loads Python into this page: 8 MB, once. On a slow laptop this takes twenty seconds.";
  const KEYS = "Tab indents. Escape, then Tab, leaves the code. Ctrl+Enter checks. ";
  const ENDED = `Your code was stopped after ${python.SECONDS} seconds. Is there a loop that never ends?`;
  const ENDED_TRIAL = `${ENDED.slice(0, -1)}, or does it use something of the lesson that takes long?`;
  const BROKE = "Python broke down while your code ran, and is starting again. Does a function call itself without end?";
  const NOT_SAVED = "This browser cannot save what you write here. Download your work before you close the page.";
  const SAVED =
    "What you write is saved in this browser only; a private window forgets it when you close it. To hand it in, or to go on " +
    "somewhere else, download it as a notebook.";
  const EMPTIES =
    "This deletes what you wrote on this page and what you chose in its questions, from this browser. It cannot be undone. ";
  const EMPTIED = "Your work on this page is deleted from this browser.";
  const WAS_RIGHT = "✓ Right when you last checked it.";
  const ALL_DONE = "You have done every exercise on the way through this lesson. Well done!";
  const ALL_HERE = "You have done every exercise on the way that can be written on this page. Well done!";
  const TRIES =
    "Each run begins anew and knows what the lesson has defined up to the next exercise, and your answer once that is right. " +
    "There is no NumPy, no pandas and no picture here, and nothing is saved.";
  const IS_OLD = "You have changed your code since this check.";
  const RUN_IS_OLD = "You have changed your code since this run.";
  const FROM_ANOTHER_TAB = "This was changed in another tab.";
  const LESSON = document.querySelector("[data-lesson]")?.dataset.lesson;
  const exercises = []; // those that can be written on this page
  let loaded; // a promise of what the lesson's script holds

  function element(tag, about = {}, ...inside) {
    const made = Object.assign(document.createElement(tag), about);
    made.append(...inside);
    return made;
  }

  function button(words, press, about = {}) {
    const made = element("button", { type: "button", textContent: words, ...about });
    made.addEventListener("click", press);
    return made;
  }

  // --- what the browser saves of each exercise: its source, the last source that was right, and one to bring back

  // There is no path in the name: a USB stick gets another drive letter on another machine.
  const NAME = `coinlib work ${LESSON}`;
  let canSave = true;

  function savedWork() {
    try {
      return JSON.parse(localStorage.getItem(NAME)) ?? {};
    } catch {
      return {};
    }
  }

  function saveWork() {
    const work = {};
    for (const { name, source, stub, passed, replaced } of exercises) {
      if (source() !== stub || passed || replaced) work[name] = { source: source(), passed, replaced };
    }
    try {
      localStorage.setItem(NAME, JSON.stringify(work));
    } catch {
      canSave = false;
    }
    document.dispatchEvent(new Event("saved")); // for course_map.js
  }

  function deleteWork() {
    try {
      localStorage.removeItem(NAME);
    } catch {} // nothing was saved
  }

  // --- what is right so far

  // A comment or an empty line at the end changes nothing.
  const withoutEnd = (source) => source.replace(/(\n[^\S\n]*(#.*)?)+$/, "").trim();
  const isSame = (one, other) => withoutEnd(one) === withoutEnd(other);

  // What counts is what would be handed in now, not what was once right.
  const isRight = ({ passed, source }) => passed !== "" && isSame(passed, source());

  // The page's score is redrawn with each prediction, and then knows nothing about exercises.
  function score() {
    const right = exercises.filter(isRight);
    for (const chips of document.querySelectorAll(".chips")) {
      const all = [...chips.querySelectorAll("[data-exercise]:not([data-elsewhere])")];
      const isDone = ({ dataset }) => right.some(({ name }) => name === dataset.exercise);
      for (const chip of all) {
        chip.classList.toggle("done", isDone(chip));
        setText(chip, `${isDone(chip) ? "✓" : "○"} ${chip.dataset.exercise}`);
      }
      const line = chips.previousElementSibling.querySelector("strong");
      const count = all.length ? `${all.filter(isDone).length} of ${all.length} done` : "in JupyterLab";
      setText(line, `${line.dataset.words}: ${count}`);
    }
    for (const status of document.querySelectorAll("[role=status]:has(> .chips)")) {
      const chips = [...status.querySelector(".chips").children];
      const all = chips.filter(({ dataset }) => !("elsewhere" in dataset));
      const encouragement = status.lastElementChild;
      encouragement.dataset.words ??= encouragement.textContent;
      const isAll = all.length && all.every((chip) => chip.classList.contains("done"));
      setText(encouragement, isAll ? (all.length < chips.length ? ALL_HERE : ALL_DONE) : encouragement.dataset.words);
    }
    for (const line of document.querySelectorAll("[data-made-with]")) {
      line.hidden = line.dataset.madeWith.split(" ").every((needed) => right.some(({ name }) => name === needed));
    }
    for (const line of document.querySelectorAll(".work-done")) {
      setText(line, `Right so far: ${right.length} of the ${exercises.length} exercises that can be written on this page.`);
    }
  }

  function setText(place, words) {
    if (place.textContent !== words) place.textContent = words; // an observer calls `score` after each change
  }

  // --- one exercise

  // The code of a lesson with a reader's answer, which comes before the lesson gives it another name, as in
  // `next_states = check.children.or_ours(children)`.
  function withAnswer(code, { name, passed }) {
    const statements = code.split(/\n(?=\S)/);
    const place = statements.findIndex((statement) => statement.includes(`check.${name}.or_ours(`));
    statements.splice(place === -1 ? statements.length : place, 0, passed);
    return statements.join("\n");
  }

  function lesson() {
    loaded ??= python.script(`_static/exercises/${LESSON}.js`).then(() => window.LESSON);
    return loaded;
  }

  // Where something is said about code that runs, and the bar that shows how far Python has started.
  function messages() {
    const line = element("p", { className: "write-line" });
    const bar = element("progress", { max: 1, hidden: true });
    line.setAttribute("role", "status");
    bar.setAttribute("aria-label", "How far Python has started");
    return { line, bar, say: (...words) => line.replaceChildren(...words) };
  }

  function exercise(place, number) {
    const { exercise: name, stub } = place.dataset;
    // `passed` is the last source that was right, `replaced` the one that "Bring back what I wrote" brings back
    const about = { name, stub, passed: "", replaced: "", source: () => editor.read(), check };
    const hint = element("p", { className: "write-hint", id: `write-hint-${number}` });
    const loads = element("span", { className: "write-loads", textContent: LOADS });
    hint.append(element("span", { className: "write-keys", textContent: KEYS }), loads);
    const editor = pythonEditor.make({ label: `Your code for ${name}`, hint: hint.id, changed });
    const main = messages();
    const { line, bar, say } = main;
    const old = element("p", { className: "write-old", hidden: true });
    const answer = element("div", { className: "write-answer" });
    let shown; // what `answer` is about: the source that was checked or run, and what to say if it has changed
    answer.setAttribute("role", "status");
    old.setAttribute("role", "status");

    function changed() {
      if (isRight(about)) about.passed = editor.read(); // with the comment at its end
      saveWork();
      score();
      tellAge();
      if (!canSave) say(NOT_SAVED);
      else sayRight();
    }

    function sayRight() {
      say(isRight(about) && !answer.hasChildNodes() ? WAS_RIGHT : "");
    }

    // What is shown about code that has changed since becomes grey; it is as before when the code is what it was.
    function tellAge() {
      const isOld = answer.hasChildNodes() && !isSame(shown.source, editor.read());
      answer.classList.toggle("old", isOld);
      for (const each of answer.querySelectorAll("button")) each.hidden = isOld;
      old.hidden = !isOld;
      setText(old, isOld ? shown.words : "");
    }

    function clear() {
      answer.replaceChildren();
      tellAge();
    }

    // Replace what was written with another text; it can be brought back.
    about.put = (source, words) => {
      const before = editor.read();
      if (before !== source && before !== stub) about.replaced = before;
      editor.replace(source);
      changed();
      bringsBack.hidden = about.replaced === "";
      if (words) say(words);
    };

    function bringBack() {
      const source = about.replaced;
      about.replaced = "";
      about.put(source, "");
      editor.field.focus();
    }

    // --- with Python

    async function ask(call, given, { bar, say } = main) {
      const stopListening = python.listen((share, words) => {
        bar.hidden = share === 1;
        if (share === 1) document.body.classList.add("has-python");
        bar.value = share;
        say(words);
      });
      place.setAttribute("aria-busy", "true");
      try {
        const found = await python.ask(call, ...given);
        if (!found.broken) return found;
        say(BROKE);
      } catch (error) {
        say(`Python could not be started in this browser: ${error.message}.`);
      } finally {
        bar.hidden = true;
        stopListening();
        place.removeAttribute("aria-busy");
      }
      return null;
    }

    // The recording of this exercise. The reader's right answers to earlier exercises replace the course's.
    async function recorded(part = "before") {
      const known = (await lesson()).exercises[name];
      const own = exercises.filter((earlier) => earlier.passed && known.uses.includes(earlier.name));
      return { ...known, before: own.reduce(withAnswer, known[part]) };
    }

    // The same for code to try, which also knows what comes after this exercise: there the reader's own answer, if right.
    async function recordedAfter() {
      const known = await recorded("after");
      const before = about.passed ? withAnswer(known.before, about) : `${known.before}\ndel ${known.answer}`;
      return { ...known, before };
    }

    // The exercises that must be done first, because this one needs them and a book without solutions has no other answer.
    async function openBefore() {
      const { needs, solution } = (await lesson()).exercises[name];
      if (solution) return [];
      return needs.filter((needed) => !exercises.some((earlier) => earlier.name === needed && earlier.passed));
    }

    async function check() {
      const source = editor.read();
      clear();
      say("Checking your code.");
      const found = await ask("check", [source, JSON.stringify(await recorded())]);
      if (!found) return;
      const verdict = JSON.parse(found.answer ?? found.note ?? "null");
      const open = verdict?.right ? [] : await openBefore();
      say(open.length ? `This exercise needs ${open.join(" and ")} first.` : "");
      if (verdict) answer.innerHTML = verdict.html;
      else say(ENDED);
      shown = { source, words: IS_OLD };
      if (verdict?.right) await count(source);
      tellAge(); // the code may have changed while Python ran
    }

    async function count(source) {
      about.passed = source;
      saveWork();
      score();
      if (place.dataset.agent) await offer();
    }

    // An agent that is right can play on the first board on the page where it makes a legal move in every state, unless
    // it plays the opposite ending better.
    async function offer() {
      const { agent } = place.dataset;
      const given = [about.passed, JSON.stringify(await recorded())];
      for (const board of liveLabs.boards.filter((each) => each.coins())) {
        const found = await ask("plays", [...given, JSON.stringify([board.coins()])]);
        if (!found?.answer) return;
        const [{ moves, fits }] = JSON.parse(found.answer);
        if (fits && moves.every(([, move]) => move)) {
          const [, , misere] = board.coins();
          const words = `Play against your ${agent} (${misere ? "misère" : "normal"} play)`;
          answer.append(button(words, () => sit(board, agent, moves)));
          return;
        }
      }
    }

    function sit(board, agent, choices) {
      board.seat(agent, choices);
      const back = element("a", { href: `#${editor.field.id}`, textContent: "Back to your code" });
      board.place.querySelector(".live-lab-note").replaceChildren(`The computer now plays by your function ${agent}. `, back);
      board.place.scrollIntoView();
      board.place.querySelector("[data-to], button")?.focus();
    }

    // Run some code after what is known before it, and show what it gives; whether its check found it right.
    async function run(source, known, shows, { say, ended = ENDED, ...others }) {
      say("Running your code.");
      const found = await ask("run", [source, known.before, JSON.stringify(known)], { say, ...others });
      if (!found) return false;
      const { printed, value, error, right = false } = found.late ? found : JSON.parse(found.answer);
      const words = [printed, value, error].filter(Boolean).join("\n");
      if (found.late) say(ended);
      else say(words ? "" : "It ran and printed nothing. Write a call as the last line to see its value.");
      if (words) shows.append(element("pre", { tabIndex: 0, textContent: words }));
      return right;
    }

    async function runAnswer() {
      const source = editor.read();
      clear();
      const right = await run(source, await recorded(), answer, main);
      shown = { source, words: RUN_IS_OLD };
      if (right) await count(source);
      tellAge();
    }

    // A second box, for code that is not the answer. It knows the answer once that is right.
    function tries() {
      const own = { ...messages(), ended: ENDED_TRIAL };
      const shows = element("div", { className: "write-tried" });
      const tip = element("p", { className: "write-hint", id: `write-try-${number}`, textContent: TRIES });
      const box = pythonEditor.make({ label: `Code to try below ${name}`, hint: tip.id, changed() {} });
      const runs = async () => {
        shows.replaceChildren();
        await run(box.read(), await recordedAfter(), shows, own);
      };
      shows.setAttribute("role", "status");
      onCtrlEnter(box.field, runs);
      box.write("");
      return [box.place, element("p", { className: "write-buttons" }, button("Run", runs)), tip, own.bar, own.line, shows];
    }

    function onCtrlEnter(field, act) {
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        act();
      });
    }

    // --- without Python

    function startAgain() {
      clear();
      about.put(stub, "The exercise is empty again.");
      editor.field.focus();
    }

    // This button replaces the line that opens the solution.
    function solution() {
      const folded = document.getElementById(`solution-${name}`);
      if (!folded) return [];
      folded.classList.add("write-solution");
      const opens = button("Solution", () => {
        folded.open = !folded.open;
        if (folded.open) folded.scrollIntoView({ block: "nearest" }); // on a phone it is below the screen
      });
      const tell = () => opens.setAttribute("aria-expanded", String(folded.open));
      folded.addEventListener("toggle", tell); // a search in the page opens it too
      tell();
      return [opens];
    }

    const bringsBack = button("Bring back what I wrote", bringBack, { hidden: true });
    const buttons = element("p", { className: "write-buttons" });
    buttons.append(button("Check", check, { className: "write-first" }), button("Run", runAnswer));
    buttons.append(button("Start again", startAgain), bringsBack, ...solution());
    const indents = element("span", { className: "write-blanks" });
    indents.append(button("⇤", editor.outdent, { ariaLabel: "Less indent" }));
    indents.append(button("⇥", editor.indent, { ariaLabel: "More indent" }));
    buttons.append(indents);

    onCtrlEnter(editor.field, check);
    const trial = element("details", { className: "write-try" }, element("summary", { textContent: "Try code" }));
    trial.addEventListener("toggle", () => trial.append(...tries()), { once: true });

    // Show what the browser has saved of this exercise; returns whether the code was another one.
    about.take = ({ source = stub, passed = "", replaced = "" } = {}) => {
      const isNew = source !== editor.read();
      Object.assign(about, { passed, replaced });
      bringsBack.hidden = replaced === "";
      if (isNew) {
        editor.write(source);
        clear();
      }
      return isNew;
    };

    // Another tab of this lesson has saved something.
    about.follow = (saved) => {
      if (about.take(saved)) say(FROM_ANOTHER_TAB);
    };

    about.take(savedWork()[name]);
    editor.field.id = `write-${name}`;
    place.append(editor.place, buttons, hint, bar, line, old, answer, trial);
    place.previousElementSibling.hidden = true; // the still code
    sayRight();
    return about;
  }

  // --- the work on this page, and the notebook of the lesson

  const lines = (source) => source.split(/(?<=\n)/).filter(Boolean);
  const exerciseOf = (cell) => cell.metadata?.coinlib?.exercise;

  async function download(say) {
    const { notebook } = await lesson();
    const work = structuredClone(notebook);
    for (const cell of work.cells) {
      const written = exercises.find(({ name }) => name === exerciseOf(cell));
      if (written) cell.source = lines(written.source());
    }
    const choices = liveLabs.choices();
    if (Object.keys(choices).length) work.metadata = { coinlib: { choices }, ...work.metadata };
    const file = new Blob([`${JSON.stringify(work, null, 1)}\n`], { type: "application/x-ipynb+json" });
    const link = element("a", { href: URL.createObjectURL(file), download: `${LESSON.split("/").at(-1)}.ipynb` });
    link.click();
    say(`Your browser saves ${link.download}: the lesson with your code and your predictions.`);
  }

  // What a notebook file holds: the answers by exercise, and the choices in its predictions; null if it is no notebook.
  function workIn(text) {
    const answers = new Map();
    try {
      const { cells, metadata } = JSON.parse(text);
      for (const cell of cells) {
        if (cell.cell_type === "code" && exerciseOf(cell)) answers.set(exerciseOf(cell), [cell.source].flat().join(""));
      }
      return { answers, choices: metadata?.coinlib?.choices ?? {} };
    } catch {
      return null;
    }
  }

  // An exercise that is empty in the file stays as it is here.
  async function goOn(file, say) {
    const work = workIn(await file.text());
    if (!work) {
      say(`${file.name} is empty, damaged or not a notebook. Nothing was changed here.`);
      return;
    }
    const { answers, choices } = work;
    if (!exercises.some(({ name }) => answers.has(name))) {
      say(`${file.name} has no exercise of this lesson in it. Is it from another lesson? Nothing was changed here.`);
      return;
    }
    const written = exercises.filter(({ name, stub }) => answers.has(name) && answers.get(name) !== stub);
    const other = written.filter(({ name, source }) => answers.get(name) !== source());
    const brought = other.filter(({ stub, source }) => source() !== stub).length;
    for (const { name, put } of other) put(answers.get(name), "This came from your file.");
    const predictions = liveLabs.addChoices(choices);
    const words = [`${written.length} of ${exercises.length} exercises are written in ${file.name}.`];
    if (!written.length) words.push("So your code here was not changed.");
    else if (!other.length) words.push("They were the same here.");
    else words.push(`${counted(other.length, "exercise")} changed here. Press Check all to see which are right.`);
    if (brought) words.push("“Bring back what I wrote” brings back what was here before.");
    if (predictions) words.push(`${counted(predictions, "prediction")} came from it too.`);
    say(words.join(" "));
  }

  const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  async function checkAll(say) {
    const written = exercises.filter(({ source, stub }) => source() !== stub);
    for (const { name, check } of written) {
      say(`Checking ${name}.`);
      await check();
    }
    const right = written.filter(isRight).length;
    say(written.length ? `Checked: ${written.length}. Right: ${right}.` : "Nothing is written on this page yet.");
  }

  function empty() {
    deleteWork();
    document.dispatchEvent(new Event("forget"));
    for (const about of exercises) Object.assign(about, { passed: "", replaced: "" });
    exercises.length = 0; // so that nothing is saved again
    canSave = true; // so that the browser does not ask
    history.replaceState({ emptied: true }, "");
    location.reload();
  }

  function work(place) {
    const line = element("p", { className: "write-line" });
    line.setAttribute("role", "status");
    const say = (...words) => line.replaceChildren(...words);
    const file = element("input", { type: "file", accept: ".ipynb", hidden: true });
    file.addEventListener("change", () => {
      if (file.files[0]) goOn(file.files[0], say);
      file.value = "";
    });
    const askFirst = () => {
      const keep = button("Keep it", () => say());
      say(EMPTIES, button("Delete it", empty), " ", keep);
      keep.focus();
    };
    const buttons = element("p", { className: "write-buttons" });
    buttons.append(button("Download my work", () => download(say)), button("Go on with a file", () => file.click()));
    buttons.append(button("Check all", () => checkAll(say)), button("Empty this page", askFirst));
    place.append(element("p", {}, element("span", { className: "work-done" }), ` ${SAVED}`), buttons, file, line);
    if (history.state?.emptied) say(EMPTIED);
  }

  function begin() {
    if (!window.DecompressionStream || !LESSON) return; // the still code stays
    const places = [...document.querySelectorAll(".write")];
    places.forEach((place, number) => exercises.push(exercise(place, number)));
    if (exercises.length) document.querySelectorAll(".work").forEach(work);
    history.replaceState(null, ""); // `empty` says once that it has emptied the page
    score();
    // The labs come to life later, and are redrawn.
    new MutationObserver(score).observe(document.querySelector("article") ?? document.body, { childList: true, subtree: true });
    document.addEventListener("forgotten", () => {
      for (const about of exercises) about.passed = "";
      saveWork();
    });
    addEventListener("storage", ({ key }) => {
      if (key !== NAME && key !== null) return;
      const work = savedWork();
      for (const { name, follow } of exercises) follow(work[name]);
      score();
    });
    addEventListener("beforeunload", (event) => {
      if (!canSave) event.preventDefault();
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
