// What is wider than its place can be reached with the Tab key, and then scrolled with the arrow keys.
(() => {
  const PLACES = "pre, .cell_output .output, .table-wrapper, .math, .scroll";
  const look = (entries) => {
    for (const { target } of entries) {
      const wide = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
      if (wide && !target.hasAttribute("tabindex")) target.tabIndex = 0;
    }
  };
  const begin = () => {
    const sizes = new ResizeObserver(look); // also when a folded part is opened
    for (const place of document.querySelectorAll(PLACES)) sizes.observe(place);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
