// What the lessons need from the page that shows them.
(() => {
  // The labs ask the page whether its theme is light, as they would ask JupyterLab.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tell = () => {
    const theme = document.body.dataset.theme || "auto";
    const light = theme === "light" || (theme === "auto" && !dark.matches);
    document.body.dataset.jpThemeLight = String(light);
  };

  // On a phone, small letters in a lab's picture are enlarged if there is room. If not, the picture stays as wide as they
  // need, and scrolls in place.
  const SMALLEST = 11; // pixels
  const SMALL_PICTURE = 0.8; // of its full size
  const MOST = 1.6; // letters enlarged by more than this spill out of their shapes
  const readable = () => {
    for (const text of document.querySelectorAll(".live-lab svg text[style]")) text.style.fontSize = "";
    for (const picture of document.querySelectorAll(".live-lab svg")) {
      picture.style.minWidth = "";
      const scale = picture.getScreenCTM()?.a;
      if (innerWidth > 736 || !scale) continue; // 46em, as in book.css
      const texts = [...picture.querySelectorAll("text")];
      const sizeOf = (text) => parseFloat(getComputedStyle(text).fontSize) * scale;
      const growth = SMALLEST / Math.min(...texts.map(sizeOf));
      if (!(growth > 1)) continue;
      for (const text of texts.filter((each) => sizeOf(each) < SMALLEST)) text.style.fontSize = `${SMALLEST / scale}px`;
      if (growth <= MOST && findRoom(texts, picture)) continue;
      for (const text of texts) text.style.fontSize = "";
      picture.style.minWidth = `${Math.ceil(picture.getBoundingClientRect().width * growth)}px`;
      picture.parentElement.classList.add("scroll");
    }
  };

  // Whether these texts are inside the picture and do not overlap.
  const findRoom = (texts, picture) => {
    const { left, right } = picture.getBoundingClientRect();
    const still = texts.filter((text) => !text.closest(".fresh")); // what is fresh moves across other letters at first
    const boxes = still.map((text) => text.getBoundingClientRect());
    const isInside = (box) => box.left > left - 3 && box.right < right + 3;
    const meet = (one, other) =>
      one.left < other.right && other.left < one.right &&
      one.top + one.height / 4 < other.bottom && other.top + other.height / 4 < one.bottom;
    return boxes.every((box, place) => isInside(box) && !boxes.slice(place + 1).some((other) => meet(box, other)));
  };

  // A box whose content is too wide says so, and can be reached with the Tab key and scrolled with the arrow keys.
  const reach = () => {
    readable();
    addButtons();
    for (const box of document.querySelectorAll("pre, .table-wrapper, .math, .output, .output .scroll, .live-lab .scroll")) {
      const scrolls = box.scrollWidth > box.clientWidth;
      box.classList.toggle("scrolls", scrolls);
      if (scrolls) box.tabIndex = 0;
      else if (box.tabIndex === 0 && !box.hasAttribute("aria-label")) box.removeAttribute("tabindex");
    }
  };

  // A picture with small print gets a button that shows it in full size, as a tap on the picture does; book.css hides
  // the button where there is room. The pictures of sliders have theirs already.
  const button = (words, className) =>
    Object.assign(document.createElement("button"), { type: "button", textContent: words, className });
  const addButtons = () => {
    for (const picture of document.querySelectorAll(".cell_output img:not(.live-lab img, :has(+ .full-size))")) {
      const width = picture.getBoundingClientRect().width;
      if (width && width < SMALL_PICTURE * picture.naturalWidth) picture.after(button("Full size", "full-size"));
    }
  };

  const showPicture = ({ target }) => {
    const picture = target.closest("img:has(+ .full-size)") ?? target.closest(".full-size")?.previousElementSibling;
    if (!picture) return;
    const dialog = document.createElement("dialog");
    dialog.className = "whole-picture";
    dialog.setAttribute("aria-label", "The picture in full size");
    dialog.append(button("Close", "close-picture"), picture.cloneNode());
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  // If a page was opened as a file, a browser shows a notebook instead of saving it. So there the notebook is loaded as
  // a script.
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
    document.addEventListener("click", showPicture);
    tell();
    dark.addEventListener("change", tell);
    new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-theme"] });
    reach();
    new MutationObserver(reach).observe(document.body, { childList: true, subtree: true }); // a lab was redrawn
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
