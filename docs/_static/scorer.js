// In which order the search shows what it has found: the glossary first, and of the lessons the one that comes first.
var Scorer = {
  score([page, , , , score]) {
    if (page === "docs/guide/glossary") return score + 20;
    const lesson = page.match(/^notebooks\/(\d+)/);
    return lesson ? score + 0.3 * (20 - lesson[1]) : score;
  },
  title: 7, partialTitle: 6, term: 5, partialTerm: 2, // a word in a heading counts a little more than one in the text
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0, // as Sphinx has them
};
