// The page of search results: "misere" finds misère, each result shows the text around what was found, and a glossary
// term opens at its entry.
(() => {
  const plain = (words) => words.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const CONTEXT = 110; // characters before and after what was found

  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // a file cannot read other pages; search_texts.js has their texts

  const split = splitQuery;
  splitQuery = (query) => split(plain(query));

  const merged = (words) => {
    const found = {};
    for (const [word, pages] of Object.entries(words)) {
      const key = plain(word);
      found[key] = key in found ? [...new Set([found[key], pages].flat())] : pages;
    }
    return found;
  };
  const setIndex = Search.setIndex;
  Search.setIndex = (index) =>
    setIndex({ ...index, terms: merged(index.terms), titleterms: merged(index.titleterms) });

  const around = (text, words) => {
    const folded = plain(text);
    const places = words.map((word) => ` ${folded}`.search(new RegExp(`[^\\p{L}]${word}`, "u"))).filter((place) => place >= 0);
    const place = places.length ? Math.min(...places) : 0;
    const begin = place < CONTEXT ? 0 : text.indexOf(" ", place - CONTEXT);
    const end = text.length < place + CONTEXT ? text.length : text.lastIndexOf(" ", place + CONTEXT);
    return (begin ? "… " : "") + text.slice(begin, end).trim() + (end < text.length ? " …" : "");
  };

  const complete = (item, query) => {
    const link = item.querySelector("a");
    const [page, anchor] = link.getAttribute("href").split("#");
    const docname = page.replace(/\.html$/, "");
    const text = SEARCH_TEXTS.texts[docname];
    if (text) {
      const context = document.createElement("p");
      context.className = "context";
      context.textContent = around(text, splitQuery(query));
      item.append(context);
    }
    const wanted = plain(query).trim();
    const terms = Object.keys(SEARCH_TEXTS.terms);
    const term = terms.find((known) => known === wanted) || terms.find((known) => known.startsWith(`${wanted} `));
    if (docname === SEARCH_TEXTS.glossary && !anchor && term) link.href = `${page}#${SEARCH_TEXTS.terms[term]}`;
  };

  addEventListener("DOMContentLoaded", () => {
    const query = new URLSearchParams(location.search).get("q") || "";
    const results = document.getElementById("search-results");
    const seen = new WeakSet();
    new MutationObserver(() => {
      for (const item of results.querySelectorAll("ul.search > li")) {
        if (seen.has(item)) continue;
        seen.add(item);
        complete(item, query);
      }
    }).observe(results, { childList: true, subtree: true });
  });
})();
