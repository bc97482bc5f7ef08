// What JupyterLab lacks for people who use a screen reader or the keyboard alone, or do not see faint lines: names of
// figures and sliders, keys that stay in a lab, edges of controls. JupyterLab loads this file as it is (a "prebuilt extension", written by hand).

(() => {
  const FIGURES = ".jp-RenderedImage img:not([alt])";
  const HANDLES = ".noUi-handle";
  // at least 3 to 1 on the light and on the dark page
  const EDGES = `
    body { --jp-widgets-input-border-color: #8a8a8a; }
    .jupyter-widgets .noUi-target .noUi-connects { background: #8a8a8a; }
    .jupyter-widgets .noUi-target .noUi-handle:not(:hover, :focus) { border-color: #767676; }`;

  // What its author says about a figure stands in the metadata of its cell. A student may have changed the code
  // since, so it is said whose words these are.
  function nameFigure(app, image) {
    for (const panel of app.shell.widgets("main")) {
      for (const cell of panel.content?.widgets ?? []) {
        if (!cell.node.contains(image)) continue;
        const words = cell.model?.getMetadata?.("mystnb")?.image?.alt;
        if (words) image.alt = `As the lesson has it: ${words}`;
      }
    }
  }

  // A slider is called what stands before it, and its value is what stands behind it.
  function nameSlider(handle) {
    const line = handle.closest(".widget-inline-hbox");
    const label = line?.querySelector(".widget-label")?.textContent.trim();
    const value = line?.querySelector(".widget-readout")?.textContent.trim();
    if (label) set(handle, "aria-label", label);
    if (value && line.querySelectorAll(HANDLES).length === 1) set(handle, "aria-valuetext", value);
  }

  function set(node, name, value) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }

  // In a menu "m" chooses what begins with an m. The notebook would make the cell Markdown, and D D delete it.
  function keepKey(event) {
    const elsewhere = event.ctrlKey || event.metaKey || event.altKey || ["Tab", "Escape"].includes(event.key);
    const runsCell = event.shiftKey && event.key === "Enter";
    if (!elsewhere && !runsCell && event.target.closest(".jupyter-widgets")) event.stopPropagation();
  }

  function activate(app) {
    let waiting = false;
    const look = () => {
      waiting = false;
      for (const image of document.querySelectorAll(FIGURES)) nameFigure(app, image);
      for (const handle of document.querySelectorAll(HANDLES)) nameSlider(handle);
    };
    new MutationObserver(() => {
      if (!waiting) requestAnimationFrame(look); // once for all that changes at a time
      waiting = true;
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    document.body.addEventListener("keydown", keepKey); // before JupyterLab, which listens on the document
    document.head.append(Object.assign(document.createElement("style"), { textContent: EDGES }));
    look();
  }

  const plugin = { id: "coinlib-access:plugin", autoStart: true, activate };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["coinlib-access"] = {
    init: () => {},
    get: async () => () => ({ __esModule: true, default: plugin }),
  };
})();
