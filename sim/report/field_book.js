"use strict";
(async () => {
  const $ = id => document.getElementById(id);
  const bytes = async id => {
    const packed = Uint8Array.from(atob($(id).textContent), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  if (typeof DecompressionStream === "undefined") {
    $("fault").textContent = document.documentElement.lang === "fr"
      ? "Navigateur trop ancien." : "This browser is too old for this page.";
    $("fault").hidden = false;
    return;
  }
  const book = JSON.parse(new TextDecoder().decode(await bytes("data")));
  const words = book.words;

  // --- the numbers: arrays byte by byte, lowest first ------------------------------------
  const [chances, values] = await (async () => {
    const data = await bytes("numbers-packed"), [m, n] = book.sizes;
    const chances = new Uint16Array(m), values = new Int32Array(n);
    for (let i = 0; i < m; i++) chances[i] = data[i] | data[m + i] << 8;
    for (let p = 0; p < 4; p++)
      for (let i = 0, at = 2 * m + p * n; i < n; i++) values[i] |= data[at + i] << 8 * p;
    return [chances, values];
  })();
  const STATES = book.endNames.length, STARTS = book.states.length, CHARGES = 3;
  const CELLS = STARTS * STARTS * CHARGES;
  const A = 4, B = A + STATES, DEAD = B + STATES;
  const find = (a, b, [na, nb], chooser) => book.meetings.filter(m =>
    m.a === a && m.b === b && m.numbers[0] === na && m.numbers[1] === nb &&
    (!chooser || m.chooser === chooser));

  // --- how numbers are written -----------------------------------------------------------
  const point = text => book.language === "fr" ? text.replace(".", ",") : text;
  const percent = code => {
    if (code === book.codes.tiny) return point("< 0.01\u00a0%");
    if (code === book.codes.nearly) return point("> 99.99\u00a0%");
    return code % 10000 ? point((code / 100).toFixed(2)) + "\u00a0%" : code / 100 + "\u00a0%";
  };
  const share = code =>
    code === book.codes.tiny ? 0 : code === book.codes.nearly ? 10000 : code;
  const digits = book.percent ? book.decimals - 2 : book.decimals;
  const small = 0.4;  // of a last digit: a change that is there and would be shown as 0
  const change = code => code === book.codes.nothing ? null
    : code === book.codes.rise ? small : code === book.codes.fall ? -small : code;
  const amount = units => {
    if (units > 0 && units < 0.5) return "< " + point((10 ** -digits).toFixed(digits));
    return point((units / 10 ** digits).toFixed(digits));
  };
  const signed = units => (units < 0 ? "−" : "+") + amount(Math.abs(units));
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
  const quoted = word => {
    if (/^[\w@%+=:,.\/-]+$/.test(word)) return word;
    return /["$`\\!%]/.test(word) ? "'" + word.replaceAll("'", "'\"'\"'") + "'" : `"${word}"`;
  };

  // --- the form ----------------------------------------------------------------------------
  const form = $("choices");
  const option = (list, text, value) => list.append(new Option(text, value));
  for (const [s, side] of ["A", "B"].entries()) {
    book.kinds[s].forEach((kind, i) => option($("kind-" + side), kind.name, i));
    book.startNames.forEach((name, i) => option($("wounds-" + side), name, i));
  }
  const counts = [...new Set(book.meetings.map(m => m.numbers.join(":")))]
    .sort((x, y) => x.localeCompare(y));
  counts.forEach(text => {
    const label = document.createElement("label"), input = document.createElement("input");
    const shown = document.createElement("span"), [a, b] = text.split(":");
    Object.assign(input, {type: "radio", name: "numbers", value: text, checked: text === "1:1"});
    shown.textContent = filled(words.against, {a, b});
    label.append(input, shown);
    $("numbers").append(label);
  });
  const chosen = () => {
    const of = name => form.elements[name].value;
    const numbers = of("numbers").split(":").map(Number);
    const kinds = ["A", "B"].map(s => Number(of("kind-" + s)));
    const wounds = ["A", "B"].map(s => Number(of("wounds-" + s)));
    const found = find(...kinds, numbers);
    $("choosers").hidden = found.length < 2;
    const meeting = found.length < 2 ? found[0] : find(...kinds, numbers, of("chooser"))[0];
    return {numbers, kinds, wounds, charge: Number(of("charge")), meeting};
  };

  // --- what each places, in turn -------------------------------------------------------------
  let told = [];  // dice that a person pressed, from the first who places
  const place = (now, cell) => {
    const {meeting} = now, [at, start] = meeting.at, ways = book.ways[meeting.ways];
    const own = chances[at + (DEAD + Math.max(...now.numbers) + 1) * CELLS + cell];
    const worth = ways.map((_, w) => change(values[start + (1 + w) * CELLS + cell]));
    const open = worth.some(value => value !== null);
    const picked = ways[own].slice(), steps = [];
    const under = prefix => ways.flatMap((way, w) =>
      worth[w] !== null && prefix.every((dice, i) => way[i] === dice) ? [w] : []);
    const value = prefix => {  // what it is worth to A if all who follow do their best
      const below = under(prefix), rank = prefix.length;
      if (rank === meeting.order.length) return worth[below[0]];
      const found = [...new Set(below.map(w => ways[w][rank]))].map(d => value([...prefix, d]));
      return meeting.order[rank][0] === "A" ? Math.max(...found) : Math.min(...found);
    };
    let prefix = [], astray = false;
    meeting.order.forEach((who, rank) => {
      if (!open) return steps.push({who, options: [{dice: picked[rank], pressed: true}]});
      const sign = who[0] === "A" ? 1 : -1;
      const options = [...new Set(under(prefix).map(w => ways[w][rank]))]
        .map(dice => ({dice, worth: value([...prefix, dice])}))
        .sort((x, y) => parseInt(y.dice) - parseInt(x.dice));
      const most = Math.max(...options.map(o => sign * o.worth));
      options.forEach(o => { o.cost = most - sign * o.worth; });
      const usual = astray ? options.find(o => o.cost === 0).dice : picked[rank];
      const taken = options.some(o => o.dice === told[rank]) ? told[rank] : usual;
      options.forEach(o => { o.best = o.dice === usual; o.pressed = o.dice === taken; });
      astray ||= taken !== usual;
      prefix = [...prefix, taken];
      steps.push({who, options});
    });
    return {steps, open, changed: astray ? value(prefix) : 0};
  };
  const costText = (option, options) =>
    options.length === 1 ? words.fixed : option.best ? words.best : option.cost === 0 ? words.equal
      : filled(words.costs, {cost: amount(option.cost)});
  const drawDice = (now, cell) => {
    const {steps, open, changed} = place(now, cell), list = document.createElement("ol");
    list.className = "placing";
    steps.forEach(({who, options}, rank) => {
      const item = document.createElement("li"), row = document.createElement("div");
      const side = who[0] === "A" ? 0 : 1, name = `${who} (${book.kinds[side][now.kinds[side]].name})`;
      const head = document.createElement("span");
      head.className = "side-" + who[0].toLowerCase();
      head.textContent = filled(words.places, {who: name});
      item.append(head);
      row.className = "dice";
      row.setAttribute("role", "group");
      row.setAttribute("aria-label", head.textContent);
      options.forEach(o => {
        const button = document.createElement("button"), [attack, defence] = o.dice.split("/");
        button.type = "button";
        button.dataset.rank = rank;
        button.dataset.dice = o.dice;
        button.setAttribute("aria-pressed", o.pressed);
        const small = text => Object.assign(document.createElement("small"), {textContent: text});
        button.append(
          Object.assign(document.createElement("b"), {textContent: o.dice}),
          small(`${attack} ${words.in_attack}, ${defence} ${words.in_defence}`),
          small(open ? costText(o, options) : words.fixed),
        );
        button.disabled = !open || options.length === 1;
        button.addEventListener("click", () => {
          told = [...steps.slice(0, rank).map(s => s.options.find(x => x.pressed).dice), o.dice];
          drawDice(now, cell);
          document.querySelector(`#dice button[data-rank="${rank}"][data-dice="${o.dice}"]`).focus();
        });
        row.append(button);
      });
      item.append(row);
      list.append(item);
    });
    $("dice").replaceChildren(list);
    $("changed").hidden = changed === 0;
    $("changed").textContent = filled(words.changed, {cost: signed(changed)});
  };

  // --- what the page shows -----------------------------------------------------------------
  const cellRow = (head, ...texts) => {
    const row = document.createElement("tr"), th = document.createElement("th");
    th.scope = "row";
    th.textContent = head;
    row.append(th, ...texts.map(text =>
      Object.assign(document.createElement("td"), {className: "n", textContent: text})));
    return row;
  };
  const command = now => {
    const {meeting, numbers, charge} = now;
    const play = meeting.plays[now.wounds[0]];
    const list = book.commands[play][meeting.chooser].slice();
    const each = [0, 1].map(s => Array.from({length: numbers[s]}, (_, i) =>
      numbers[s] === 1 ? "AB"[s] : "AB"[s] + (i + 1)));
    each.forEach((names, s) => names.forEach(name => {
      book.kinds[s][now.kinds[s]].sets.forEach(text => list.push("--set", `${name}.${text}`));
      const state = book.states[now.wounds[s]];
      if (state !== book.states[0]) list.push("--wounds", `${name}=${state}`);
      if (charge === s + 1) list.push("--charge", name);
    }));
    const called = [0, 1].map(s => Array(numbers[s]).fill(book.kinds[s][now.kinds[s]].label));
    return [...list, ...called[0], "vs", ...called[1]].map(quoted).join(" ");
  };
  const title = now => {
    const side = s => {
      const many = now.numbers[s] > 1 ? now.numbers[s] + " × " : "";
      const state = now.wounds[s] ? ` (${book.startNames[now.wounds[s]]})` : "";
      return `${"AB"[s]}: ${many}${book.kinds[s][now.kinds[s]].name}${state}`;
    };
    const who = now.charge ? "; " + filled(words.charges, {side: "AB"[now.charge - 1]}) : "";
    return filled(words.against, {a: side(0), b: side(1)}) + who;
  };
  const show = () => {
    const now = chosen(), {meeting, numbers, kinds, wounds, charge} = now;
    const cell = (wounds[0] * STARTS + wounds[1]) * CHARGES + charge;
    const at = field => chances[meeting.at[0] + field * CELLS + cell];
    const name = s => `${"AB"[s]} (${book.kinds[s][kinds[s]].name})`;
    ["A", "B"].forEach((side, s) => {
      const kind = book.kinds[s][kinds[s]];
      $("card-" + side).textContent = [kind.card, kind.abilities].filter(Boolean).join(". ");
    });
    $("meeting").textContent = title(now);
    const play = meeting.plays[wounds[0]];
    $("answer").hidden = !play;
    $("none").hidden = Boolean(play);
    if (!play) {
      $("none").textContent = filled(words.no_answer, {why: meeting.why});
      return;
    }
    const wins = [0, 1].map(s => filled(words.wins, {side: name(s)}));
    $("summary").textContent =
      [[wins[0], 0], [words.undecided, 2], [wins[1], 1]]
        .map(([what, field]) => filled(words.of, {what, value: percent(at(field))}))
        .join(words.between);
    [["a", 0], ["u", 2], ["b", 1]].forEach(([key, field]) => {
      document.querySelector(".bar ." + key).style.width = share(at(field)) / 100 + "%";
    });
    const many = numbers[0] > 1 ? 0 : numbers[1] > 1 ? 1 : null;
    $("odds").tBodies[0].replaceChildren(
      cellRow(wins[0], percent(at(0))),
      cellRow(words.undecided, percent(at(2))),
      cellRow(wins[1], percent(at(1))),
      ...[0, 1].map(s => cellRow(filled(words.dies, {who: name(s)}),
        many === s ? words.below : percent(at([A, B][s] + STATES - 1)))),
      cellRow(filled(words.first, {who: "A"}), percent(at(3))),
    );
    $("play").textContent = book.plays[play];
    drawDice(now, cell);
    const advice = book.advices[at(DEAD + Math.max(...numbers) + 2)];
    $("advice").hidden = !advice.length;
    $("advice").querySelector("ul").replaceChildren(...advice.map(id => {
      const [side, text] = book.texts[id], item = document.createElement("li");
      item.textContent = filled(words.of, {what: side, value: text});
      return item;
    }));
    document.querySelectorAll("#states thead th.n").forEach((th, s) => {
      th.textContent = many === s ? filled(words.each, {who: "AB"[s]}) : "AB"[s];
    });
    $("states").tBodies[0].replaceChildren(...book.endNames.flatMap((state, i) =>
      at(A + i) || at(B + i) ? [cellRow(state, percent(at(A + i)), percent(at(B + i)))] : []));
    $("dead").hidden = many === null;
    if (many !== null) {
      $("dead").caption.textContent = filled(words.dead_of, {who: name(many)});
      $("dead").tBodies[0].replaceChildren(...Array.from({length: numbers[many] + 1}, (_, i) =>
        cellRow(`${i} / ${numbers[many]}`, percent(at(DEAD + i)))));
    }
    $("command").textContent = command(now);
  };
  form.addEventListener("change", () => { told = []; show(); });
  form.addEventListener("submit", event => event.preventDefault());
  show();
})();
