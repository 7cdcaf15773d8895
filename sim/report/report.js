"use strict";
(() => {
  const language = document.documentElement.lang;
  const words = JSON.parse(document.getElementById("words").textContent);
  const localised = text =>
    language === "fr" ? text.replace(/,/g, "\u202f").replace(".", ",") : text;
  const grouped = value => localised(value.toLocaleString("en-US"));

  const unpack = async text => {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };

  // As Python writes it: what lies exactly between two decimals goes to the even one.
  const fixed = (value, places) => {
    const size = Math.abs(value), scaled = size * 10 ** places;
    const between = scaled % 1 === 0.5 && Number.isInteger(size * 2 ** (places + 1));
    if (!between) return value.toFixed(places);
    const below = Math.floor(scaled), even = below % 2 === 0 ? below : below + 1;
    return (Math.sign(value) * even / 10 ** places).toFixed(places);
  };

  // As estoc.sim.percent: the last decimal is worth no more than the standard error, and what was
  // never seen, or always, is a bound.
  const decimalsOf = (share, trials) =>
    Math.max(0, Math.ceil(-Math.log10(100 * Math.sqrt(share * (1 - share) / trials))));
  const rarest = (share, low, high) => {
    const bound = 100 * (share <= 0 ? high ?? 1 : 1 - (low ?? 0));
    const places = Math.max(0, 1 - Math.floor(Math.log10(bound)));
    return [Math.ceil(bound * 10 ** places) / 10 ** places, places];
  };
  const percent = (share, trials, low, high) => {
    const value = 100 * share;
    if (trials === null || trials === undefined) {
      if (share === 0 || share === 1) return localised(fixed(value, 0));
      const rest = 100 * Math.min(share, 1 - share);
      return localised(fixed(value, Math.max(2, 1 - Math.floor(Math.log10(rest)))));
    }
    if (share <= 0 || share >= 1) {
      const [bound, places] = rarest(share, low, high);
      return localised(share <= 0 ? `< ${fixed(bound, places)}` : `> ${fixed(100 - bound, places)}`);
    }
    return localised(fixed(value, decimalsOf(share, trials)));
  };
  const range = (share, trials, low, high) => {
    if (share <= 0 || share >= 1) {
      const [bound, places] = rarest(share, low, high);
      return localised(share <= 0 ? `0 – ${fixed(bound, places)}` : `${fixed(100 - bound, places)} – 100`);
    }
    const ends = [100 * low, 100 * high];
    let places = decimalsOf(share, trials);
    while ((low > 0 && Number(fixed(ends[0], places)) === 0) ||
           (high < 1 && Number(fixed(ends[1], places)) === 100)) places += 1;
    return ends.map(end => localised(fixed(end, end === 0 || end === 100 ? 0 : places))).join(" – ");
  };

  // As estoc.sim.matchup_table: as many decimals as half of half the interval has.
  const estimates = (value, low, high) => {
    const half = low === null ? 0 : 50 * (high - low);
    let places = half ? Math.max(0, Math.ceil(-Math.log10(half / 2))) : 0;
    while (value > 0 && value < 1 && [0, 100].includes(Number(fixed(100 * value, places)))) places += 1;
    return [value, low, high].map(share => share === null ? "" : localised(fixed(100 * share, places)));
  };

  const number = value => {
    if (value === 0) return "0";
    const size = Math.abs(value);
    const places = size >= 1000 ? 0 : Math.max(2, 1 - Math.floor(Math.log10(size)));
    return localised(fixed(value, Math.min(places, 20))).replace("-", "\u2212");
  };

  const shownColumns = table => {
    const end = (column, row) => column ? column.values[row] : null;
    const by = Object.fromEntries(table.columns.map(column => [column.name, column]));
    const trials = by.trials ? by.trials.values : null;
    return table.columns.filter(column => column.kind !== "end").map(column => {
      const low = by[`${column.name}_low`], high = by[`${column.name}_high`];
      const texts = {
        text: row => column.values[row] < 0 ? "" : column.texts[column.values[row]],
        truth: row => column.values[row] === null ? "" : column.values[row] ? words.yes : words.no,
        whole: row => column.values[row] === null ? "" : localised(String(column.values[row])).replace("-", "\u2212"),
        // A whole number that JavaScript would round, as text.
        long: row => column.values[row] === null ? "" : localised(column.values[row]).replace("-", "\u2212"),
        number: row => column.values[row] === null ? "" : number(column.values[row]),
        estimate: row => column.values[row] === null ? "" :
          estimates(column.values[row], end(low, row), end(high, row))[0],
        share: row => column.values[row] === null ? "" :
          percent(column.values[row], trials && trials[row], low && low.values[row], high && high.values[row]),
      };
      const interval = row => {
        if (!low || low.values[row] === null || low.values[row] === undefined) return "";
        if (column.kind === "estimate")
          return estimates(column.values[row], low.values[row], high.values[row]).slice(1).join(" – ");
        if (column.kind !== "share") return `${number(low.values[row])} – ${number(high.values[row])}`;
        return range(column.values[row], trials && trials[row], low.values[row], high.values[row]);
      };
      return { ...column, told: texts[column.kind], interval, numeric: column.kind !== "text" && column.kind !== "truth" };
    });
  };

  const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  const matching = (table, columns, query) => {
    const wanted = plain(query.trim());
    const all = Array.from({ length: table.rows }, (_, row) => row);
    if (!wanted) return all;
    const tests = columns.map(column => {
      if (column.kind === "text") {
        const hits = column.texts.map(text => plain(text).includes(wanted));
        return row => column.values[row] >= 0 && hits[column.values[row]];
      }
      return ["whole", "long"].includes(column.kind) ? row => String(column.values[row]) === wanted : () => false;
    });
    return all.filter(row => tests.some(test => test(row)));
  };

  const sorted = (rows, column, down) => {
    const values = column.values;
    let key = row => values[row];
    if (column.kind === "text") {
      const order = column.texts.map((text, place) => [text, place])
        .sort((one, other) => one[0].localeCompare(other[0], language));
      const rank = new Map(order.map(([, place], number) => [place, number]));
      key = row => values[row] < 0 ? null : rank.get(values[row]);
    }
    if (column.kind === "long") {
      const exact = values.map(value => value === null ? null : BigInt(value));
      key = row => exact[row];
    }
    return rows.slice().sort((one, other) => {
      const a = key(one), b = key(other);
      if (a === null || b === null) return (a === null) - (b === null) || one - other;
      return (down ? (b > a) - (b < a) : (a > b) - (a < b)) || one - other;
    });
  };

  class Rows {
    constructor(root, table) {
      this.root = root; this.table = table; this.columns = shownColumns(table);
      this.page = 0; this.by = null; this.down = false; this.rows = matching(table, this.columns, "");
      this.head = root.querySelector("thead tr"); this.body = root.querySelector("tbody");
      this.status = root.querySelector("[role=status]"); this.size = root.querySelector("select");
      this.search = root.querySelector("input");
      [this.back, this.on] = root.querySelectorAll(".pager button");
      this.columns.forEach(column => this.head.append(this.heading(column)));
      this.search.addEventListener("input", () => this.again());
      this.size.addEventListener("change", () => { this.page = 0; this.draw(); });
      this.back.addEventListener("click", () => { this.page -= 1; this.draw(); });
      this.on.addEventListener("click", () => { this.page += 1; this.draw(); });
      root.querySelector(".controls").hidden = false;
      this.draw();
      root.dataset.ready = "yes";
    }
    heading(column) {
      const cell = document.createElement("th"), button = document.createElement("button");
      cell.scope = "col"; if (column.numeric) cell.className = "n";
      button.type = "button"; button.textContent = column.name + (["share", "estimate"].includes(column.kind) ? ", %" : "");
      button.addEventListener("click", () => {
        this.down = this.by === column ? !this.down : column.numeric;
        this.by = column; this.again();
      });
      cell.append(button);
      column.cell = cell;
      return cell;
    }
    again() {
      this.rows = matching(this.table, this.columns, this.search.value);
      if (this.by) this.rows = sorted(this.rows, this.by, this.down);
      for (const column of this.columns) {
        if (column === this.by) column.cell.setAttribute("aria-sort", this.down ? "descending" : "ascending");
        else column.cell.removeAttribute("aria-sort");
      }
      this.page = 0; this.draw();
    }
    draw() {
      const size = Number(this.size.value), count = this.rows.length;
      const first = this.page * size, shown = this.rows.slice(first, first + size);
      const lines = shown.map(row => {
        const line = document.createElement("tr");
        for (const column of this.columns) {
          const cell = document.createElement("td");
          if (column.numeric) cell.className = "n";
          if (column.name === "command") {
            const code = document.createElement("code");
            code.textContent = column.told(row); cell.append(code);
          } else {
            cell.textContent = column.told(row);
            const ends = column.interval(row);
            if (ends) {
              const small = document.createElement("small");
              small.className = "quiet"; small.textContent = ` (${ends})`; cell.append(small);
            }
          }
          line.append(cell);
        }
        return line;
      });
      this.body.replaceChildren(...lines);
      this.back.disabled = this.page === 0;
      this.on.disabled = first + size >= count;
      const text = count ? words.shown : words.none;
      this.status.textContent = text.replace("{first}", grouped(first + 1))
        .replace("{last}", grouped(first + shown.length)).replace("{count}", grouped(count))
        .replace("{all}", grouped(this.table.rows));
    }
  }

  const start = async root => {
    const packed = document.getElementById(root.dataset.rows).textContent.trim();
    new Rows(root, await unpack(packed));
  };
  for (const root of document.querySelectorAll("[data-rows]")) {
    start(root).catch(error => console.error(String(error)));
  }
})();
