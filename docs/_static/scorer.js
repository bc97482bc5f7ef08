// In which order the search shows what it has found: the glossary first, and of the lessons the one that comes first.
var Scorer = {
  score([page, , anchor, , score]) {
    if (page === "docs/guide/glossary") return score + 20;
    const lesson = page.match(/^notebooks\/(\d+)/);
    const found = anchor ? Math.min(score, 7) : score; // the heading of a section says less than the title of a page
    return lesson ? found + (20 - lesson[1]) / 2 : found;
  },
  // what Sphinx itself gives
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
