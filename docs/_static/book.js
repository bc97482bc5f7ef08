// What the lessons need from the page that shows them.
(() => {
  // The labs ask the page whether its theme is light, in the way of JupyterLab.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tell = () => {
    const theme = document.body.dataset.theme || "auto";
    const light = theme === "light" || (theme === "auto" && !dark.matches);
    document.body.dataset.jpThemeLight = String(light);
  };

  // On a phone a picture of a lab stays as wide as its smallest letters need, and scrolls in its own place.
  const SMALLEST = 11; // pixels
  const readable = () => {
    if (innerWidth > 736) return; // 46em, as in book.css
    for (const picture of document.querySelectorAll(".live-lab svg")) {
      picture.style.minWidth = "";
      const scale = picture.getScreenCTM()?.a;
      const sizes = [...picture.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize));
      const smallest = Math.min(...sizes) * scale;
      if (!scale || !(smallest < SMALLEST)) continue;
      picture.style.minWidth = `${Math.ceil((picture.getBoundingClientRect().width * SMALLEST) / smallest)}px`;
      picture.parentElement.classList.add("scroll");
    }
  };

  // A box whose content is too wide is reached with the Tab key, and scrolled with the arrow keys.
  const reach = () => {
    readable();
    for (const box of document.querySelectorAll("pre, .table-wrapper, .math, .output, .output .scroll, .live-lab .scroll")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else if (box.tabIndex === 0 && !box.hasAttribute("aria-label")) box.removeAttribute("tabindex");
    }
  };

  // If a page was opened as a file, a browser shows a notebook instead of saving it. So there the notebook comes as a
  // script.
  const save = (event) => {
    const link = event.target.closest("a[download]");
    if (!link || location.protocol !== "file:") return;
    event.preventDefault();
    const script = document.createElement("script");
    script.onload = () => {
      const file = new Blob([window.notebook], { type: "application/x-ipynb+json" });
      Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: link.download }).click();
    };
    script.src = `${link.href}.js`;
    document.head.append(script);
  };

  const begin = () => {
    document.addEventListener("click", save);
    tell();
    dark.addEventListener("change", tell);
    new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-theme"] });
    reach();
    new MutationObserver(reach).observe(document.body, { childList: true, subtree: true }); // a lab was drawn again
    addEventListener("load", reach);
    addEventListener("resize", reach);
    document.addEventListener("toggle", reach, true);
    for (const cell of document.querySelectorAll("th")) if (!cell.textContent.trim()) cell.role = "cell"; // not a heading
    document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
    document.querySelector(".toc-drawer")?.setAttribute("aria-label", "This page");
  };
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);
})();
