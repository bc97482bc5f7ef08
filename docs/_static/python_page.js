// The exercises of a lesson are written, checked and handed in on its page.
//
// Below the text of each exercise stands <div class="write" data-exercise="settle" data-stub="…">. An editor takes the
// place of the still code before it. What was written is kept by the browser, and goes into the notebook of the lesson,
// which the lesson's script brings together with what the judge knows of the exercises.
(() => {
  const LOADS = "The first press brings Python to this page: 8 MB, once. A slow laptop takes twenty seconds.";
  const KEYS = "Tab indents. Escape, then Tab, leaves the code. Ctrl+Enter checks. ";
  const ENDED = `Your code was ended after ${python.SECONDS} seconds. Is there a loop that never ends?`;
  const BROKE = "Python broke down while your code ran, and starts anew. Does a function call itself without end?";
  const KEEPS_NOT = "This browser keeps nothing for this page. Download your work before you close it.";
  const LESSON = document.querySelector("[data-lesson]")?.dataset.lesson;
  const exercises = []; // those of this page that can be written here
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

  // --- what is kept from one day to the next, for each exercise: { source, passed }

  // The name has no path in it: a stick gets another letter on another machine.
  const NAME = `coinlib work ${LESSON}`;
  let keeps = true;

  function kept() {
    try {
      return JSON.parse(localStorage.getItem(NAME)) ?? {};
    } catch {
      return {};
    }
  }

  function keep() {
    const now = {};
    for (const { name, source, stub, passed } of exercises) {
      if (source() !== stub || passed) now[name] = { source: source(), passed };
    }
    try {
      localStorage.setItem(NAME, JSON.stringify(now));
    } catch {
      keeps = false;
    }
  }

  // --- what is done

  // The score of the page is drawn anew with each prediction, and then knows of no exercise.
  function score() {
    for (const chips of document.querySelectorAll(".chips")) {
      const all = [...chips.querySelectorAll("[data-exercise]")];
      const done = all.filter(({ dataset }) => exercises.some(({ name, passed }) => passed && name === dataset.exercise));
      for (const chip of done.filter(({ classList }) => !classList.contains("done"))) {
        chip.classList.add("done");
        chip.textContent = `✓ ${chip.dataset.exercise}`;
      }
      const line = chips.previousElementSibling.querySelector("strong");
      const words = `${line.dataset.words}: ${done.length} of ${all.length} done`;
      if (line.textContent !== words) line.textContent = words;
    }
    for (const line of document.querySelectorAll(".work-done")) {
      const done = exercises.filter(({ passed }) => passed).length;
      const words = `Right so far: ${done} of the ${exercises.length} exercises that can be written on this page.`;
      if (line.textContent !== words) line.textContent = words;
    }
  }

  // --- one exercise

  function lesson() {
    loaded ??= python.script(`_static/exercises/${LESSON}.js`).then(() => window.LESSON);
    return loaded;
  }

  function exercise(place, number) {
    const { exercise: name, stub } = place.dataset;
    // `passed` is the last source that was right
    const about = { name, stub, passed: "", source: () => editor.read() };
    const hint = element("p", { className: "write-hint", id: `write-hint-${number}` });
    const loads = element("span", { className: "write-loads", textContent: LOADS });
    hint.append(element("span", { className: "write-keys", textContent: KEYS }), loads);
    const editor = pythonEditor.make({ label: `Your code for ${name}`, hint: hint.id, changed });
    const line = element("p", { className: "write-line" });
    const bar = element("progress", { max: 1, hidden: true });
    const answer = element("div", { className: "write-answer" });
    line.setAttribute("role", "status");
    answer.setAttribute("role", "status");
    bar.setAttribute("aria-label", "How far Python is");

    function say(...words) {
      line.replaceChildren(...words);
    }

    function changed() {
      keep();
      say(keeps ? "" : KEEPS_NOT);
    }

    // Another text takes the place of what was written, which can come back.
    about.put = (source, words) => {
      const before = editor.read();
      editor.write(source);
      changed();
      const bring = button("Bring back what I wrote", () => about.put(before, ""));
      say(words, " ", ...(before === source || before === stub ? [] : [bring]));
    };

    // --- with Python

    async function ask(call, given) {
      const hear = (share, words) => {
        bar.hidden = share === 1;
        if (share === 1) document.body.classList.add("has-python");
        bar.value = share;
        say(words);
      };
      python.hears.add(hear);
      place.setAttribute("aria-busy", "true");
      try {
        const found = await python.ask(call, ...given);
        if (!found.broken) return found;
        say(BROKE);
      } catch (error) {
        bar.hidden = true;
        say(`Python could not be started in this browser: ${error.message}.`);
      } finally {
        python.hears.delete(hear);
        place.removeAttribute("aria-busy");
      }
      return null;
    }

    // What the judge knows of the exercise; functions of earlier exercises are hers, where they are right.
    async function recording() {
      const { recordings } = await lesson();
      const known = recordings[name];
      const own = exercises.filter((earlier) => earlier.passed && known.uses.includes(earlier.name));
      return { ...known, before: [known.before, ...own.map(({ passed }) => passed)].join("\n\n") };
    }

    // The exercises whose functions this one needs and has nobody's: a book without solutions has only hers.
    async function openBefore() {
      const { needs, solution } = (await lesson()).recordings[name];
      if (solution) return [];
      return needs.filter((needed) => !exercises.some((earlier) => earlier.name === needed && earlier.passed));
    }

    async function check() {
      const source = editor.read();
      answer.replaceChildren();
      say("Your code is checked.");
      const found = await ask("check", [source, JSON.stringify(await recording())]);
      if (!found) return;
      const verdict = JSON.parse(found.answer ?? found.note ?? "null");
      const open = verdict?.right ? [] : await openBefore();
      say(open.length ? `This exercise needs ${open.join(" and ")} first.` : "");
      if (verdict) answer.innerHTML = verdict.html;
      else say(ENDED);
      if (verdict?.right) {
        about.passed = source;
        keep();
        score();
        if (place.dataset.agent) await offer();
      }
    }

    // An agent that is right can sit at the first board of the page on which it makes a legal move in every state.
    async function offer() {
      const { agent } = place.dataset;
      const given = [about.passed, JSON.stringify(await recording())];
      for (const board of living.boards.filter((each) => each.coins())) {
        const found = await ask("plays", [...given, JSON.stringify([board.coins()])]);
        if (!found?.answer) return;
        const [choices] = JSON.parse(found.answer);
        if (choices.every(([, move]) => move)) {
          answer.append(button(`Play against your ${agent}`, () => sit(board, agent, choices)));
          return;
        }
      }
    }

    function sit(board, agent, choices) {
      board.seat(agent, choices);
      const back = element("a", { href: `#${editor.field.id}`, textContent: "Back to your code" });
      board.place.querySelector(".living-line").replaceChildren(`The computer now plays by your function ${agent}. `, back);
      board.place.scrollIntoView();
      board.place.querySelector("[data-to], button")?.focus();
    }

    async function run() {
      answer.replaceChildren();
      say("Your code runs.");
      const known = await recording();
      const found = await ask("run", [editor.read(), known.before, JSON.stringify(known)]);
      if (!found) return;
      if (found.late) {
        say(ENDED);
        return;
      }
      const { printed, value, error } = JSON.parse(found.answer);
      const shown = [printed, value, error].filter(Boolean).join("\n");
      say(shown ? "" : "It ran, and shows nothing. Write a call as the last line to see its value.");
      if (shown) answer.append(element("pre", { tabIndex: 0, textContent: shown }));
    }

    // --- without

    function startAgain() {
      answer.replaceChildren();
      about.put(stub, "The exercise is as it was.");
      editor.field.focus();
    }

    // The button takes the place of the line that opens the solution.
    function solution() {
      const folded = document.getElementById(`solution-${name}`);
      if (!folded) return [];
      folded.classList.add("write-solution");
      const opens = button("Solution", () => (folded.open = !folded.open));
      const tell = () => opens.setAttribute("aria-expanded", String(folded.open));
      folded.addEventListener("toggle", tell); // a search in the page opens it too
      tell();
      return [opens];
    }

    const buttons = element("p", { className: "write-buttons" });
    buttons.append(button("Check", check, { className: "write-first" }), button("Run", run));
    buttons.append(button("Start again", startAgain), ...solution());
    const blanks = element("span", { className: "write-blanks" });
    blanks.append(button("⇤", editor.outdent, { ariaLabel: "Less indent" }));
    blanks.append(button("⇥", editor.indent, { ariaLabel: "More indent" }));
    buttons.append(blanks);

    editor.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        check();
      }
    });

    const before = kept()[name];
    about.passed = before?.passed ?? "";
    editor.write(before?.source ?? stub);
    editor.field.id = `write-${name}`;
    place.append(editor.place, buttons, hint, bar, line, answer);
    place.previousElementSibling.hidden = true; // the still code
    return about;
  }

  // --- the notebook of the lesson

  const lines = (source) => source.split(/(?<=\n)/).filter(Boolean);
  const exerciseOf = (cell) => cell.metadata?.coinlib?.exercise;

  async function download() {
    const { notebook } = await lesson();
    const work = structuredClone(notebook);
    for (const cell of work.cells) {
      const written = exercises.find(({ name }) => name === exerciseOf(cell));
      if (written) cell.source = lines(written.source());
    }
    const file = new Blob([`${JSON.stringify(work, null, 1)}\n`], { type: "application/x-ipynb+json" });
    const link = element("a", { href: URL.createObjectURL(file), download: `${LESSON.split("/").at(-1)}.ipynb` });
    link.click();
  }

  // The answers in a notebook's file, by exercise; nothing where it is none.
  function answersIn(text) {
    const found = new Map();
    try {
      for (const cell of JSON.parse(text).cells) {
        if (cell.cell_type === "code" && exerciseOf(cell)) found.set(exerciseOf(cell), [cell.source].flat().join(""));
      }
    } catch {
      return new Map();
    }
    return found;
  }

  async function goOn(file, say) {
    const found = answersIn(await file.text());
    const here = exercises.filter(({ name, source }) => found.has(name) && found.get(name) !== source());
    const known = exercises.some(({ name }) => found.has(name));
    for (const { name, put } of here) put(found.get(name), "This came from your file.");
    if (!known) say(`${file.name} holds no exercise of this lesson.`);
    else say(`${here.length} of ${exercises.length} exercises came from ${file.name}.`);
  }

  function work(place) {
    const line = element("p", { className: "write-line" });
    line.setAttribute("role", "status");
    const file = element("input", { type: "file", accept: ".ipynb", hidden: true });
    file.addEventListener("change", () => {
      if (file.files[0]) goOn(file.files[0], (words) => line.replaceChildren(words));
      file.value = "";
    });
    const done = element("span", { className: "work-done" });
    const what = "What you write stays in this browser. To hand it in, or to go on elsewhere, take it with you as a notebook.";
    const buttons = element("p", { className: "write-buttons" });
    buttons.append(button("Download my work", download), button("Go on with a file", () => file.click()));
    place.append(element("p", {}, done, ` ${what}`), buttons, file, line);
  }

  function begin() {
    if (!window.DecompressionStream || !LESSON) return; // the still code stays
    const places = [...document.querySelectorAll(".write")];
    places.forEach((place, number) => exercises.push(exercise(place, number)));
    if (exercises.length) document.querySelectorAll(".work").forEach(work);
    score();
    // The labs come to life later, and are drawn anew.
    new MutationObserver(score).observe(document.querySelector("article") ?? document.body, { childList: true, subtree: true });
    document.addEventListener("forgotten", () => {
      for (const about of exercises) about.passed = "";
      keep();
    });
    addEventListener("beforeunload", (event) => {
      if (!keeps) event.preventDefault();
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
