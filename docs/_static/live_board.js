// The host of a board on a page without Python: it answers the front end (lab.js) as Python would, by looking things up
// in tables that Python made (coincourse/labs/book/board_tables.py). It knows no rule, writes no sentence and draws
// nothing. States and moves are numbers: indices into a table's lists. State 0 is the start.

liveLabs.boards = []; // those of this page, in order, for an agent that is written on it

liveLabs.hosts.board = ({ settings, past, delay, words, games }, place) => {
  const AGAIN = "To play another game, reload this page. What you have written and predicted stays.";
  const { on, tell } = liveLabs.listeners();
  const now = { ...past, picked: null, notice: "" }; // the moves so far; earlier: the games won before this one

  const table = () => games[settings.game][settings.ending];
  const seats = () => table().seats[settings.opponent === "person" ? "person" : "random"];
  const mover = (turn) => (turn + !settings.you_start) % 2; // 0: you or the first person, 1: the other side
  const state = () => now.moves.reduce((state, move) => table().next[state][move], 0);
  const legal = () => [...table().next[state()].keys()].filter((move) => table().next[state()][move]);
  const isComputer = (side) => side === 1 && settings.opponent !== "person";

  function turn() {
    if (state() in table().result) return "over";
    return isComputer(mover(now.moves.length)) ? "waiting" : "yours";
  }

  function winner() {
    const result = table().result[state()]; // for the player who would move next
    return result ? mover(now.moves.length + (result < 0)) : null;
  }

  const score = () => now.earlier.map((won, side) => won + (side === winner()));
  const lastOfYours = () => now.moves.findLastIndex((_, turn) => !isComputer(mover(turn))); // or another person's

  // --- what is shown

  function said() {
    const made = now.moves.length;
    if (made) return seats().sides[mover(made - 1)].told[Number(turn() === "over")][now.moves.at(-1)];
    return turn() === "over" ? table().nothing : seats().sides[mover(0)].begins;
  }

  function headline() {
    if (turn() !== "over") return seats().sides[mover(now.moves.length)].turn;
    return seats().sides[winner()]?.wins ?? words.tie;
  }

  function position() {
    const { sides } = seats();
    const { rows, row, thing, rules, moves, states, hints } = table();
    const [hint, best] = settings.hints && turn() === "yours" ? hints[state()] : ["", []];
    const named = (move) => moves[move];
    return {
      rules, rows, row, thing, delay, hint, headline: headline(), said: said(), notice: now.notice, score: score(),
      state: states[state()],
      sides: sides.map(({ name }) => name),
      champion: sides[winner()]?.name ?? "",
      turn: turn() === "over" ? "" : turn(),
      made: now.moves.map((move, turn) => [sides[mover(turn)].name, named(move)]),
      legal: legal().map(named),
      best: best.map(named),
      picked: moves[now.picked] ?? null,
    };
  }

  function frame() {
    const taking = table().buttons[now.picked] ?? words.to_take[turn()];
    let html = seats().frame;
    // these cannot be pressed at the start
    const take = `data-press='${words.to_take.yours}'`;
    if (now.picked !== null) html = html.replace(`${take} disabled`, `${take} data-now`);
    if (lastOfYours() >= 0) html = html.replace("data-press='Undo' data-leaves disabled", "data-press='Undo' data-leaves");
    if (now.moves.length || now.picked !== null) html = html.replace("data-press='New game' data-leaves disabled", "data-press='New game' data-leaves");
    if (turn() === "over" && now.moves.length) html = html.replace("data-press='New game'", "$& data-now");
    return html.replaceAll(words.to_take.yours, taking);
  }

  function page() {
    const place = document.createElement("div");
    place.dataset.board = JSON.stringify(position());
    return place.outerHTML;
  }

  // --- what can be done

  const change = (what) => Object.assign(now, { picked: null, notice: "" }, what);
  const newGame = (earlier) => change({ moves: [], earlier });
  const undo = () => change({ moves: now.moves.slice(0, lastOfYours()), notice: words.taken_back });
  const make = (move) => change({ moves: [...now.moves, move] });

  function reply() {
    const balls = table().opponents[settings.opponent][state()];
    make(balls[Math.floor(Math.random() * balls.length)]);
  }

  function clicked(to) {
    if (to.startsWith("reply ")) return turn() === "waiting" && reply();
    const move = table().moves.indexOf(to);
    const notice = words.not_now[turn()] ?? (legal().includes(move) ? "" : table().refused[to] ?? "");
    if (notice || !legal().includes(move)) change({ notice });
    else if (table().rows && move !== now.picked) change({ picked: move });
    else make(move);
  }

  function pressed(button) {
    if (button === "Undo") undo();
    else if (button === "New game") newGame(score());
    else make(now.picked);
  }

  function set(name, value) {
    const won = score();
    settings[name] = value;
    if (!(settings.ending in games[settings.game])) [settings.ending] = Object.keys(games[settings.game]);
    if (!(settings.opponent in table().opponents)) [settings.opponent] = Object.keys(table().opponents);
    if (name === "hints") now.notice = "";
    else newGame(name === "you_start" ? won : [0, 0]);
  }

  // A board without "New game" says at the end how to get another game.
  const hasOneGame = () => !seats().frame.includes("data-press='New game'");
  let hasSaid = false;

  function changed() {
    tell("change", "msg:custom");
    const isOver = turn() === "over" && hasOneGame();
    if (place && isOver !== hasSaid) liveLabs.say(place, isOver ? AGAIN : "");
    hasSaid = isOver;
  }

  // An agent is given by its move in each state: pairs of a state and a move.
  function seat(name, choices) {
    const chosen = new Map(choices.map(([state, move]) => [String(state), table().moves.indexOf(String(move))]));
    table().opponents[name] = table().states.map((state) => (chosen.has(String(state)) ? [chosen.get(String(state))] : []));
    set("opponent", name);
    changed();
  }

  liveLabs.boards.push({ place, seat, coins: () => table().coins });
  return {
    on, set,
    get: (name) => (name === "page" ? page() : name === "frame" ? frame() : settings[name]),
    save_changes: changed,
    send({ to, press }) {
      if (press) pressed(press);
      else clicked(to);
      changed();
    },
  };
};
