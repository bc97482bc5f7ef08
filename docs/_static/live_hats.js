// The host of the hats lab on a page without Python: hats that really draw at random, and learn.
//
// It does what coincourse/labs/learning/hats_state.py does, and draws what templates/hats.html and hats_picture.html draw:
// the same words and the same HTML. tests/full/book/test_live_hats.py plays the same games in both and compares them. The
// game and the hats at the beginning come from coincourse/labs/book/hats_data.py. Hat n is hats[n - 1], and holds
// hats[n - 1][b - 1] balls b.

liveLabs.hosts.hats = (data, place) => {
  const { on, tell } = liveLabs.listeners();
  const { settings, sticks, misere, partners } = data;
  const mostTaken = settings.max_take;
  const [YOU, COMPUTER, AGAINST_YOU] = ["You", "The computer", "you"];
  const LEARNERS = [COMPUTER, partners.itself.name]; // they draw from the hats on the screen
  const STEP = 50; // ms of practice between two pictures of a run
  const now = { story: [], seen: [], fresh: null, ended: [], notice: "", match: null, ...structuredClone(data.beginning) };
  let timer = 0; // of a run
  let moved = {};

  // --- hats

  const newHats = () => Array.from({ length: sticks }, () => Array(mostTaken).fill(1));
  const legalIn = (left) => Math.min(left, mostTaken); // balls with larger numbers go straight back
  const hatsOf = (who) => (LEARNERS.includes(who) ? now.hats : who === partners.twin.name ? now.twin : null);

  function draw(balls) {
    let place = Math.random() * balls.reduce((sum, count) => sum + count, 0);
    return 1 + balls.findIndex((count) => (place -= count) < 0);
  }

  // What this player takes; a drawn ball lies next to its hat from then on.
  function choose(who, left) {
    const hats = hatsOf(who);
    if (!hats) return 1 + Math.floor(Math.random() * legalIn(left));
    return draw(hats[left - 1].slice(0, legalIn(left)));
  }

  // After a win, put the ball back with one more; after a loss, throw it away unless it is the last.
  // Returns how many more balls of its number the hat holds than before the game.
  function settle(balls, ball, won) {
    const change = won ? 1 : balls[ball - 1] ? -1 : 0;
    balls[ball - 1] += 1 + change;
    return change;
  }

  // --- one game

  const playerToMove = ({ sides, moves }) => sides[moves.length % 2];
  const leftIn = ({ moves }) => moves.reduce((left, { count }) => left - count, sticks);
  const winnerOf = ({ sides, moves }) => sides[(moves.length + (misere ? 0 : 1)) % 2]; // the game is over
  const isYours = () => now.match !== null && playerToMove(now.match) === YOU;
  const gamesSoFar = (partner, first) => (now.last?.partner === partner && now.last.first === first ? now.last.games : 0);
  const isAmongLearners = (who) => LEARNERS.includes(who);

  function computerBegins(partner, first) {
    const gamesBefore = partner === AGAINST_YOU ? now.games : gamesSoFar(partner, first);
    return first === "computer" || (first === "alternate" && gamesBefore % 2 === 0);
  }

  function newMatch(partner, first) {
    const other = partner === AGAINST_YOU ? YOU : partners[partner].name;
    const sides = computerBegins(partner, first) ? [COMPUTER, other] : [other, COMPUTER];
    return { partner, first, sides, moves: [] };
  }

  function addMove(match, given) {
    const [who, left] = [playerToMove(match), leftIn(match)];
    const count = given ?? choose(who, left);
    const hats = hatsOf(who);
    if (hats) hats[left - 1][count - 1] -= 1;
    if (hats === now.hats) now.visits[left - 1] += 1;
    match.moves.push({ who, left, count, isFromHats: hats === now.hats });
    return match.moves.at(-1);
  }

  // Settle every ball that lies next to a hat; the moves get their `change`.
  function learn(match) {
    for (const move of match.moves) {
      const hats = hatsOf(move.who);
      if (hats) move.change = settle(hats[move.left - 1], move.count, move.who === winnerOf(match));
    }
    now.games += 1;
    now.begun = true;
  }

  function notePractice(games, partner, first) {
    now.last = { partner, first, games: games + gamesSoFar(partner, first) };
  }

  // --- telling a game, move by move

  const verb = (who, word) => `${who} ${word}${who === YOU ? "" : "s"}`;
  const counted = (number, noun) => `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;

  function beginStory(...sentences) {
    Object.assign(now, { ended: [], story: [...sentences], seen: [...sentences] });
  }

  function say(words, seen = words) {
    now.story.push(words);
    now.seen.push(seen);
  }

  function giveUp() {
    const { match } = now;
    if (match) Object.assign(now, match.before);
    now.match = null;
    return match?.moves.length ? ["The unfinished game leaves no trace: its balls are back in their hats."] : [];
  }

  function sit(partner, first) {
    const givenUp = giveUp();
    const { hats, twin, visits, games } = now;
    now.match = { ...newMatch(partner, first), before: structuredClone({ hats, twin, visits, games }) };
    beginStory(...givenUp, `New game. ${verb(now.match.sides[0], "move")} first.`);
    answer();
  }

  function answer() {
    if (now.match.partner === AGAINST_YOU && !isYours()) make();
  }

  function make(given) {
    const { match } = now;
    const { who, left, count } = addMove(match, given);
    now.fresh = isAmongLearners(who) ? left : null;
    const rest = `: ${counted(left - count, "stick")} left.`;
    if (match.partner !== AGAINST_YOU) beginStory();
    const hat = now.fresh ? `hat ${left}` : `its own hat ${left}`;
    const draws = `${who} draws a ${count} from ${hat}, lays it beside, and takes ${count}${rest}`;
    const takes = `${verb(who, "take")} ${count}${rest}`;
    say(hatsOf(who) || match.partner === "twin" ? draws : takes, takes);
    if (leftIn(match)) answer();
    else end();
  }

  const FATES = {
    1: (hat, ball) => `the ${ball} goes back to hat ${hat} with one more ${ball}`,
    0: (hat, ball) => `the ${ball} goes back to hat ${hat}, for it is the last ${ball} there`,
    "-1": (hat, ball) => `the ${ball} of hat ${hat} is thrown away`,
  };

  function end() {
    const { match } = now;
    const winner = winnerOf(match);
    now.match = null;
    learn(match);
    now.ended = takersOf(match);
    if (!isAmongLearners(winner)) say(`${verb(winner, "win")}!`);
    for (const name of LEARNERS) {
      const own = match.moves.filter(({ who }) => who === name);
      const fates = own.map(({ left, count, change }) => FATES[change](left, count));
      const outcome = `${name} ${name === winner ? "won" : "lost"}`;
      if (fates.length) say(`${outcome}: ${fates.join("; ")}.`, `${outcome}.`);
    }
    if (match.partner === AGAINST_YOU) {
      Object.assign(now, { last: null, played: now.played + 1, won: now.won + (winner === YOU) });
    } else {
      notePractice(1, match.partner, match.first);
    }
  }

  const takersOf = ({ moves }) => moves.flatMap(({ who, count }) => Array(count).fill(who));

  // --- what can be done

  function take(count) {
    if (!now.match) sit(AGAINST_YOU, settings.first);
    beginStory();
    make(count);
  }

  function oneMove() {
    if (!now.match) sit(settings.partner, settings.first);
    make();
  }

  function practise(games) {
    const { partner, first } = settings;
    const givenUp = giveUp();
    for (let game = 0; game < games; game += 1) {
      const match = newMatch(partner, first);
      while (leftIn(match)) addMove(match);
      learn(match);
      notePractice(1, partner, first);
    }
    beginStory(...givenUp, `Trained: ${counted(now.last.games, "game")} with ${partners[partner].words}.`);
  }

  function put({ hat, ball, balls }) {
    if (ball > legalIn(hat)) {
      now.notice = `A ball ${ball} is never played from hat ${hat}, so its number cannot be changed.`;
      return;
    }
    const givenUp = giveUp();
    now.hats[hat - 1][ball - 1] = balls;
    Object.assign(now, { last: null, begun: true });
    beginStory(...givenUp, `By hand: hat ${hat} now holds ${balls.toLocaleString("en-US")} of ball ${ball}.`);
  }

  function startAgain() {
    const nothing = { begun: false, games: 0, won: 0, played: 0, last: null, match: null, fresh: null, notice: "" };
    Object.assign(now, nothing, { hats: newHats(), twin: newHats(), visits: Array(sticks).fill(0) });
    beginStory();
  }

  function run() {
    const ends = performance.now() + STEP;
    while (performance.now() < ends) practise(10);
    timer = setTimeout(run, STEP);
    changed();
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
  }

  const mayTake = (count) => {
    const yourTurn = now.match ? isYours() : !now.ended.length && !computerBegins(AGAINST_YOU, settings.first);
    return !timer && yourTurn && count <= (now.match ? leftIn(now.match) : sticks);
  };
  const gamesOf = (button) => Number(button.match(/^([\d,]+) games?$/)?.[1].replace(",", "") ?? 0);

  function isDisabled(button) {
    if (button.startsWith("Take ")) return !mayTake(Number(button.slice(5)));
    if (button === "Start again") return !now.begun && !now.match?.moves.length;
    if (button === "Run" || button === "Stop") return false;
    if (button === "One move" && isYours()) return true;
    if (button === "New game" && now.match && !now.match.moves.length) return true;
    return timer !== 0;
  }

  function press(button, fields) {
    if (button === "Stop") return stop();
    if (button === "Start again") {
      stop();
      return startAgain();
    }
    if (timer || isDisabled(button)) return;
    now.notice = "";
    if (button === "New game") sit(AGAINST_YOU, settings.first);
    else if (button === "One move") oneMove();
    else if (button === "Set") put(fields);
    else if (button === "Run") run();
    else if (button.startsWith("Take ")) take(Number(button.slice(5)));
    else practise(gamesOf(button));
  }

  // --- what is shown: the controls

  function frame() {
    const box = document.createElement("template");
    box.innerHTML = data.frame;
    for (const button of box.content.querySelectorAll("[data-press]")) {
      button.toggleAttribute("disabled", isDisabled(button.dataset.press));
      if (button.dataset.press === "New game") button.toggleAttribute("data-now", now.ended.length > 0);
      if (button.dataset.press === "Run" && timer) {
        Object.assign(button, { title: "Stop here", textContent: "Stop" });
        button.dataset.press = "Stop";
      }
    }
    return box.innerHTML;
  }

  const changed = () => tell("change", "msg:custom");

  function save() {
    for (const [name, value] of Object.entries(moved)) {
      if (["look", "reveal", "partner", "first"].includes(name)) settings[name] = value;
      else liveLabs.sayLimit(place, `In the book “${data.labels[name]}” cannot be changed.`);
    }
    moved = {};
    now.notice = "";
    changed();
  }

  function begin() {
    if (!data.open) return;
    const { partner, first, takes } = data.open;
    now.match = { ...newMatch(partner, first), before: structuredClone(data.beginning) };
    for (const count of takes) addMove(now.match, count);
  }

  begin();
  return {
    on,
    get(name) {
      if (name === "page") return liveLabs.drawHats(data, settings, now, { isYours: isYours(), leftIn, takersOf, counted });
      return name === "frame" ? frame() : settings[name];
    },
    set: (name, value) => (moved[name] = value),
    save_changes: save,
    send({ press: button, fields, looked }) {
      if (!looked) liveLabs.say(place);
      if (button) press(button, fields);
      changed();
    },
  };
};
