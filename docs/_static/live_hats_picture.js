// The picture of the hats lab on a page without Python: templates/hats.html and hats_picture.html once more, see live_hats.js.

liveLabs.drawHats = (data, settings, now, { isYours, leftIn, takersOf, counted }) => {
  const { sticks, colours } = data;
  const ORDER = {
    other: "You always move first.",
    computer: "The computer always moves first.",
    alternate: "You and the computer take turns going first.",
  };
  const { look, reveal, max_take: mostTaken, first } = settings;
  const left = now.ended.length ? 0 : now.match ? leftIn(now.match) : sticks;
  const takers = now.match ? takersOf(now.match) : now.ended;
  const hats = now.hats.map((balls, place) => hatWith(place + 1, balls));
  const isWide = hats.length > 12;

  function hatWith(number, balls) {
    const most = Math.min(number, mostTaken);
    const playable = balls.slice(0, most);
    const largest = Math.max(...playable);
    const isAlone = playable.filter((count) => count === largest).length === 1;
    return {
      number, balls, most,
      beside: now.match?.moves.find((move) => move.left === number && move.isFromHats)?.count,
      right: reveal ? data.right[number - 1] : [],
      played: Math.max(1, playable.reduce((sum, count) => sum + count, 0)),
      favourite: isAlone ? playable.indexOf(largest) + 1 : null,
    };
  }

  const join = (items, draw) => items.map(draw).join("");
  const inFull = (number) => number.toLocaleString("en-US");

  // Round as Python does: halves go to the even number.
  function rounded(number) {
    const nearest = Math.round(number);
    return Math.abs(number % 1) === 0.5 && nearest % 2 ? nearest - 1 : nearest;
  }

  const tenths = (number) => (rounded(10 * number) / 10).toFixed(1);

  function percent(share) {
    const whole = rounded(100 * share);
    return `${share === 0 || share === 1 ? whole : Math.min(Math.max(whole, 1), 99)}\u00a0%`;
  }

  function abbreviated(count) {
    if (count < 1_000) return `${count}`;
    if (count < 9_950) return `${tenths(count / 1_000)}k`;
    return count < 999_500 ? `${rounded(count / 1_000)}k` : `${tenths(count / 1_000_000)}M`;
  }

  // --- the line at the top, and the sticks

  function said() {
    if (now.notice) return now.notice;
    const story = look ? now.story : now.seen;
    const mayBegin = first === "other" && !now.match && !now.ended.length;
    if (story.length) {
      const next = mayBegin ? " Take some sticks to play against it." : " Press “New game” to play against it.";
      return story.join(" ") + (isYours ? " Your turn." : now.match ? "" : next);
    }
    const begin = first === "other" ? "You move first: take some sticks." : "Press “New game” to play.";
    return (look ? "Every hat holds one ball of each number. " : "") + begin;
  }

  function drawStick({ number }) {
    const take = left - number + 1;
    const mayTake = isYours || (first === "other" && !now.match && !now.ended.length);
    const press = mayTake && take >= 1 && take <= mostTaken ? ` data-press='Take ${take}'` : "";
    if (number <= left) return `<span class='n${number} coin'${press}>${number}</span>`;
    const taker = { You: "Y", "The computer": "C" }[takers[sticks - number]] ?? "";
    return `<span class='n${number} gone'><b>${taker}</b>${number}</span>`;
  }

  function drawSticks() {
    const fives = [];
    for (let place = 0; place < sticks; place += 5) fives.push(hats.slice(place, place + 5));
    return `<div class='coins of-sticks' role='img' aria-label='${counted(left, "stick")} of ${sticks} left on the table.'>
${join(fives, (five) => `<span class='five'>${join(five, drawStick)}</span>`)}</div>`;
  }

  // --- what the hats have learnt

  function learnt() {
    const winning = hats.filter(({ right }) => right.length);
    const missed = winning.filter(({ number, beside }) => !now.visits[number - 1] && !beside).length;
    const favoured = winning.filter(({ right, favourite }) => right.includes(favourite)).length;
    const won = now.played ? ` You have won <strong>${now.won} of ${counted(now.played, "game")}</strong>.` : "";
    const never = missed ? ` Hats among them that were never used: ${missed}.` : "";
    const revealed = winning.length
      ? ` In ${counted(winning.length, "hat")} there is a right ball (★); in ${favoured} of them it is the favourite: no other
playable number is on as many balls.${never}`
      : reveal ? " No hat holds a ball that wins against perfect play." : "";
    return `<p>${look ? "The hats have learnt from" : "The computer has learnt from"} <strong>${counted(now.games, "game")}</strong>.
${won}${revealed}</p>`;
  }

  // --- the hats

  function drawBall(x, y, number, { most, right }, classes = "") {
    const outline = right.includes(number) ? `<circle class='outline' cx='${x}' cy='${y}' r='9.6'/>` : "";
    return `<g class='ball${number > most ? " never" : ""}${classes}'>
<circle cx='${x}' cy='${y}' r='8' fill='${colours[number - 1]}'/>${outline}
<text x='${x}' y='${y + 4}' text-anchor='middle'>${number}</text></g>`;
  }

  function drawContents(hat) {
    const numbers = hat.balls.flatMap((count, place) => Array(Math.min(count, 10)).fill(place + 1));
    if (numbers.length <= 9)
      return numbers.map((number, place) => drawBall(25 + 20 * (place % 3), 100 - 22 * Math.floor(place / 3), number, hat)).join("");
    return hat.balls.slice(0, hat.most).map((count, place) => {
      const [y, width, star] = [46 + 15 * place, (18 * count) / hat.played, hat.right.includes(place + 1) ? "★" : ""];
      return `<text x='15' y='${y}' class='now'>${place + 1}${star}</text>
<rect class='bar' x='34' y='${y - 10}' width='${tenths(width)}' height='12' fill='${colours[place]}'/>
<text class='small' x='${tenths(36 + width)}' y='${y}'>${abbreviated(count)}</text>`;
    }).join("");
  }

  function drawHat(hat) {
    const { number, balls, beside, right } = hat;
    const at = number === left ? " now" : "";
    const named = balls.map((count, place) => `${inFull(count)} of ball ${place + 1}`).join(", ");
    const star = right.length ? `<text x='106' y='16' text-anchor='end'>★ ${right.join(", ")}</text>` : "";
    const drawn = beside
      ? `${drawBall(96, 98, beside, hat, number === now.fresh ? " fresh" : "")}
<text x='96' y='82' text-anchor='middle' font-size='9'>beside</text>`
      : "";
    return `<svg viewBox='0 0 112 118'><g class='n${number}'><title>hat ${number}: ${named}</title>
<rect class='spot' x='1' y='1' width='110' height='114' rx='6'/>
<text class='${at}' x='6' y='16'>hat ${number}${at && " ◀ now"}</text>${star}
<path class='hat${at}' d='M3 30H87M9 30L14 112H76L81 30'/>${drawContents(hat)}${drawn}</g></svg>`;
  }

  function drawRow({ number, balls, most, beside, right, favourite, played }) {
    const counts = balls.map((count, place) => `<td>${place + 1 > most ? "–" : inFull(count)}</td>`).join("");
    const share = favourite ? `${favourite} (${percent(balls[favourite - 1] / played)})` : "none";
    const star = reveal ? `<td class='left'>${right.length ? `★ ${right.join(", ")}` : "no ball wins"}</td>` : "";
    return `<tr class='n${number}' tabindex='0'><th scope='row'>${number}${number === left ? " ◀" : ""}</th>
${counts}<td>${beside ?? ""}</td><td>${share}</td>${star}</tr>`;
  }

  function drawTable() {
    const heads = ["hat", ...Array.from({ length: mostTaken }, (_, place) => `${place + 1}s`), "beside", "favourite"];
    if (reveal) heads.push("right");
    const drawHead = (head, place) => `<th scope='col'${place === mostTaken + 3 ? " class='left'" : ""}>${head}</th>`;
    return `<div class='scroll'><table><caption>Balls in each hat</caption><thead><tr>${heads.map(drawHead).join("")}</tr></thead>
<tbody>${join(hats, drawRow)}</tbody></table></div>`;
  }

  function drawHats() {
    const width = isWide ? 7 * 116 : 128 * Math.min(hats.length, 4);
    const isLarge = hats.some(({ balls }) => Math.max(...balls) >= 1_000);
    const thousand = isLarge ? "<br>k in the picture: thousand." : "";
    const [open, close] = isWide ? ["<details><summary>The same as a table</summary>", "</details>"] : ["<div>", "</div>"];
    return `<div class='wide hats' role='img' aria-label='${hats.length} hats; the table after it shows what each holds.'
style='--hat: ${isWide ? 104 : 96}px; max-width: ${width}px'>${join(hats, drawHat)}</div>
${open}${drawTable()}<p>◀ the hat of the sticks on the table.<br>– a ball that is never played<br>(dashed in the picture).${thousand}</p>
${close}`;
  }

  return `<div class='hats-lab'>${data.lights}<p role='status'><strong>${said()}</strong></p>
${drawSticks()}${learnt()}<div class='side'>${look ? drawHats() : ""}</div><p>${data.rules} ${ORDER[first]}</p></div>`;
};
