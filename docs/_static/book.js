// The labs ask the page, as JupyterLab answers them: is it light?
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tell = () => {
    const theme = document.body.dataset.theme || "auto";
    const light = theme === "light" || (theme === "auto" && !dark.matches);
    document.body.dataset.jpThemeLight = String(light);
  };
  const begin = () => {
    tell();
    dark.addEventListener("change", tell);
    new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-theme"] });
  };
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);
})();
