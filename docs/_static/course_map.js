// The map of the course in the book shows what this browser has saved: exercises that are right, and predictions.
(() => {
  function saved(name) {
    try {
      return JSON.parse(localStorage.getItem(name)) ?? {};
    } catch {
      return {};
    }
  }

  function fill(row) {
    const page = row.querySelector("a").getAttribute("href");
    const work = saved(`coinlib work ${page.replace(".html", "")}`); // as python_page.js saves it
    const isDone = ({ dataset }) => {
      const { passed = "", source = "" } = work[dataset.exercise] ?? {};
      return passed !== "" && passed.trim() === source.trim();
    };
    for (const marks of row.querySelectorAll(".marks")) {
      const all = [...marks.children].filter(({ dataset }) => !("elsewhere" in dataset)); // not those for JupyterLab
      for (const mark of all) mark.textContent = isDone(mark) ? "✓" : "○";
      marks.setAttribute("aria-label", `${all.filter(isDone).length} of ${all.length} done`);
    }
    const [main, starred] = row.querySelectorAll("[data-asked]");
    const made = Object.keys(saved(`coinlib choices ${page}`)); // as live_labs.js saves them
    const withStar = made.filter((question) => question.startsWith("★")).length;
    main.textContent = `${made.length - withStar} of ${main.dataset.asked} made`;
    if (starred) starred.textContent = `${withStar} of ${starred.dataset.asked} made`;
  }

  // It is filled again when something is done on its page or in another tab.
  document.addEventListener("DOMContentLoaded", () => {
    const fillAll = () => document.querySelectorAll(".course-map tbody tr").forEach(fill);
    for (const event of ["saved", "predicted"]) document.addEventListener(event, fillAll);
    addEventListener("storage", fillAll);
    fillAll();
  });
})();
