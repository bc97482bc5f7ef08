// Names for what JupyterLab leaves without one, so that a screen reader can say it: figures and sliders.
// JupyterLab loads this file as it is (a "prebuilt extension", written by hand: it needs nothing of anybody).

(() => {
  const FIGURES = ".jp-RenderedImage img:not([alt])";
  const HANDLES = ".noUi-handle";

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
    look();
  }

  const plugin = { id: "coinlib-access:names", autoStart: true, activate };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["coinlib-access"] = {
    init: () => {},
    get: async () => () => ({ __esModule: true, default: plugin }),
  };
})();
