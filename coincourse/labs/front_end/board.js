// Draws a board: a position as plain data becomes HTML, in JupyterLab and in the web book. What follows from the
// position alone is decided here: which coins are too far for one move, who took which, where the focus goes.
//
// position.turn      "yours", "waiting" for the computer, or "" if no move is possible
// position.made      what happened, as pairs of who and what: ["You", "2,1"] took one coin from row 2
// position.legal, best and picked are moves in the same form
// position.rows      the coins in each row at the start; null in other games
// position.row       the word for one of these rows: row or pile
// position.thing     the word for what is in a row: coin or stick
// position.state     the coins in each row now; in other games their own picture, which is HTML

class Markup extends String {} // HTML that is not escaped again

function escaped(part) {
  if (part instanceof Markup) return part;
  if (Array.isArray(part)) return part.map(escaped).join("");
  return String(part || part === 0 ? part : "").replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt()};`);
}

const html = (pieces, ...parts) => new Markup(String.raw({ raw: pieces }, ...parts.map(escaped)));

const coded = (words) => new Markup(escaped(words).replace(/`([^`]+)`/g, "<code>$1</code>")); // `code` in a message

const COMPUTER = "The computer";
const letterOf = (side) => side.match(/\d/) ?? side.split(" ").at(-1)[0].toUpperCase(); // "2" for Player 2, "C" for the computer
const howTo = (thing) => matchMedia("(pointer: coarse)").matches
  ? `A tap marks a ${thing} and all ${thing}s to its right; a second tap takes them.`
  : `A click marks a ${thing} and all ${thing}s to its right; a second click takes them. \
Keyboard: Tab or Shift+Tab to a ${thing}; then arrow keys, Enter to mark, Enter again to take.`;

// Rows of coins in fives, so that they can be counted; a letter shows who took a coin.
function drawRows({ rows, row: word, thing, state: left, made, legal, best, picked, turn }) {
  const moves = made.map(([side, move]) => [...move.split(",").map(Number), letterOf(side)]);
  const [lastRow, lastCount] = moves.at(-1) ?? [0, 0];
  const [pickedRow, pickedCount] = picked?.split(",").map(Number) ?? [];
  const next = left[lastRow] ? lastRow : left.findIndex(Boolean); // where the keyboard goes

  const rowName = (row) => rows.length > 1 && `${word} ${row}: `; // a single row has no name

  function drawCoin(row, count) {
    const [move, marked] = [`${row},${count}`, row === pickedRow && count <= pickedCount];
    const [tooMany, wins] = [turn === "yours" && !legal.includes(move), best.includes(move)];
    const why = wins ? " (hint: this wins)" : tooMany && " (too many)";
    return html`<span class='coin${tooMany && " far"}${marked && " picked"}' data-to='${move}'
      data-x='${-count}' data-y='${-row}' data-count='${count}'${count === 1 && row === next && " data-now"}
      aria-pressed='${String(marked)}' aria-label='${rowName(row)}take ${count}${why}'>${marked ? "✓" : wins && "★"}</span>`;
  }

  const lines = rows.map((start, row) => {
    const taken = moves.filter(([where]) => where === row).reverse(); // the coin that was taken last comes first
    const takers = taken.flatMap(([, count, who]) => Array(count).fill(who));
    const places = Array.from({ length: start }, (_, place) => {
      if (place < left[row]) return drawCoin(row, left[row] - place);
      const since = place - left[row];
      const fresh = row === lastRow && since < lastCount;
      return html`<span class='gone${fresh && " fresh"}' aria-hidden='true'>${takers[since]}</span>`;
    });
    const drawFive = (_, five) => html`<span class='five'>${places.slice(5 * five, 5 * five + 5)}</span>`;
    const held = `${left[row]} ${thing}${left[row] === 1 ? "" : "s"}`;
    return html`<div class='line'><span class='name'>${rowName(row)}<b>${held}</b></span><span class='coins' role='group'
      aria-label='${rowName(row)}${left[row]} of ${start}'>${Array.from({ length: Math.ceil(start / 5) }, drawFive)}</span></div>`;
  });
  return html`<div class='rows of-${thing}s' style='--longest: ${Math.max(...rows)}; --name: ${rows.length > 1 ? 8 : 4.5}em' data-group='coins' role='group'
    aria-label='The ${thing}s'>${lines}</div><p><small>${howTo(thing)}</small></p>`;
}

// A game's own picture, and its moves as buttons.
function drawPicture({ state: picture, legal, best, turn }) {
  const off = turn !== "yours" && html`aria-disabled='true'`;
  const buttons = legal.map((move, place) => html`<button type='button' data-to='${move}' data-x='${place}' data-y='0'
    ${place === 0 && "data-now"} ${off}>${best.includes(move) && "★ "}${move}</button>`);
  return html`${new Markup(picture)}
    <div class='row' role='group' aria-label='Moves' data-group='moves'>${buttons}</div>`;
}

function drawBoard(position) {
  const { rules, sides, score, turn, champion, headline, said, notice, hint, made, delay } = position;
  const look = turn || (champion === COMPUTER ? "lost" : champion && "won");
  const scores = sides.map((side, place) => html`<span>${side} (${letterOf(side)}) <b>${score[place]}</b></span> `);
  return html`<div class='board ${look}'>
    <p class='top'><span>${rules}</span><span class='score'>${scores}</span></p>
    <div class='says' role='status'><p class='headline'>${headline}</p><p>${coded(said)}</p><p class='notice'>${coded(notice)}</p>
      <p>${coded(hint)}</p></div>
    ${position.rows ? drawRows(position) : drawPicture(position)}
    ${turn === "waiting" && html`<i data-to='reply ${made.length}' data-after='${delay}'></i>`}
  </div>`;
}
