// A small editor for Python: the browser's own field for text, with line numbers and the keys that code needs.
//
// It changes the text with `insertText`, so that the browser's own undo works. Tab indents; after Escape the next Tab leaves
// the field.
const pythonEditor = (() => {
  const STEP = 4;

  // `execCommand` is deprecated and works in every browser; nothing else keeps the undo of a field.
  const insert = (words) => document.execCommand(words ? "insertText" : "delete", false, words);

  const lineStart = (field, place) => field.value.lastIndexOf("\n", place - 1) + 1;

  function lineOf(field) {
    return field.value.slice(lineStart(field, field.selectionStart), field.selectionStart);
  }

  function newLine(field) {
    const line = lineOf(field);
    const indent = line.match(/^ */)[0];
    const opens = line.trimEnd().endsWith(":") ? " ".repeat(STEP) : "";
    insert(`\n${indent}${opens}`);
  }

  // Move all lines of the selection by one step.
  function move(field, change) {
    const begin = lineStart(field, field.selectionStart);
    const end = field.selectionEnd;
    const before = field.value.slice(begin, end);
    const after = before.split("\n").map(change).join("\n");
    if (after === before) return;
    field.setSelectionRange(begin, end);
    insert(after);
    field.setSelectionRange(begin, begin + after.length);
  }

  const further = (line) => (line ? " ".repeat(STEP) + line : line);
  const back = (line) => line.replace(/^ {1,4}/, "");

  function indent(field) {
    if (field.value.slice(field.selectionStart, field.selectionEnd).includes("\n")) {
      move(field, further);
      return;
    }
    insert(" ".repeat(STEP - (lineOf(field).length % STEP)));
  }

  // The opposite of `outdent`: it indents the line, wherever the caret is in it.
  function indentLine(field) {
    if (field.selectionStart !== field.selectionEnd) {
      move(field, further);
      return;
    }
    const begin = lineStart(field, field.selectionStart);
    const place = field.selectionStart + STEP;
    field.setSelectionRange(begin, begin);
    insert(" ".repeat(STEP));
    field.setSelectionRange(place, place);
  }

  function outdent(field) {
    if (field.selectionStart !== field.selectionEnd) {
      move(field, back);
      return;
    }
    const begin = lineStart(field, field.selectionStart);
    const blanks = field.value.slice(begin).match(/^ {0,4}/)[0].length;
    if (!blanks) return;
    const place = Math.max(begin, field.selectionStart - blanks);
    field.setSelectionRange(begin, begin + blanks);
    insert("");
    field.setSelectionRange(place, place);
  }

  // Before the first letter of a line, Backspace removes a whole step.
  function removesStep(field) {
    const line = lineOf(field);
    if (field.selectionStart !== field.selectionEnd || !/^ +$/.test(line)) return false;
    const blanks = line.length % STEP || STEP;
    field.setSelectionRange(field.selectionStart - blanks, field.selectionStart);
    insert("");
    return true;
  }

  function keys(field) {
    let leaves = false;
    field.addEventListener("keydown", (event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
      if (event.key === "Escape") {
        leaves = true;
      } else if (event.key === "Tab" && plain && !leaves) {
        event.preventDefault();
        if (event.shiftKey) outdent(field);
        else indent(field);
      } else if (event.key === "Enter" && plain && !event.shiftKey) {
        event.preventDefault();
        newLine(field);
      } else if (event.key === "Backspace" && plain && removesStep(field)) {
        event.preventDefault();
      } else if (!["Tab", "Shift"].includes(event.key)) {
        leaves = false;
      }
    });
    field.addEventListener("blur", () => (leaves = false));
  }

  // `changed` is called after each change.
  function make({ label, hint, changed }) {
    const place = document.createElement("div");
    const numbers = document.createElement("pre");
    const field = document.createElement("textarea");
    const paper = document.createElement("pre"); // for printing, where a text field cuts long lines
    paper.className = "write-paper";
    place.className = "write-code";
    numbers.setAttribute("aria-hidden", "true");
    Object.assign(field, { wrap: "off", spellcheck: false, autocomplete: "off" });
    for (const name of ["autocapitalize", "autocorrect"]) field.setAttribute(name, "off");
    field.setAttribute("aria-label", label);
    field.setAttribute("aria-describedby", hint);
    place.append(numbers, field, paper);

    function count() {
      const lines = field.value.split("\n").length;
      numbers.textContent = Array.from({ length: lines }, (_, line) => line + 1).join("\n");
      field.rows = lines;
      paper.textContent = field.value;
    }
    field.addEventListener("input", () => {
      count();
      changed();
    });
    keys(field);

    return {
      place,
      field,
      read: () => field.value,
      write(words) {
        field.value = words;
        count();
      },
      // Like `write`, but undoable, unless the browser does not let the field be written to.
      replace(words) {
        const focused = document.activeElement;
        field.focus({ preventScroll: true });
        field.select();
        insert(words);
        if (field.value !== words) this.write(words);
        focused.focus({ preventScroll: true });
      },
      indent: () => (field.focus(), indentLine(field)),
      outdent: () => (field.focus(), outdent(field)),
    };
  }

  return { make };
})();
