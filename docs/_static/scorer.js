// The order of search results: first the pages with all words of the query in their titles, then the glossary, then the
// lessons in their order.
var Scorer = {
  score([page, title, , , score, , kind]) {
    const plain = (words) => words.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
    const query = plain(new URLSearchParams(location.search).get("q") ?? "");
    const words = query.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const pageTitle = plain(title.split(" > ")[0]); // after " > " comes the title of a section
    const isPage = kind !== "object" && kind !== "index"; // not a name of the API
    if (isPage && words.length && words.every((word) => pageTitle.includes(word))) score += 40;
    if (page === "docs/guide/glossary") score += 20;
    const lesson = page.match(/^notebooks\/(\d+)/);
    return lesson ? score + 0.3 * (20 - lesson[1]) : score;
  },
  title: 7, partialTitle: 6, term: 5, partialTerm: 2, // a word in a heading counts a little more than one in the text
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0, // as in Sphinx
};
