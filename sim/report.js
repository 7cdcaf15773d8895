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

  // As estoc.sim.percent: the last decimal is worth no more than the standard error.
  const percent = (share, trials, low, high) => {
    const value = 100 * share;
    if (trials === null || trials === undefined) {
      if (share === 0 || share === 1) return localised(value.toFixed(0));
      const rest = 100 * Math.min(share, 1 - share);
      return localised(value.toFixed(Math.max(2, 1 - Math.floor(Math.log10(rest)))));
    }
    if (share <= 0 || share >= 1) {
      const bound = 100 * (share <= 0 ? high ?? 1 : 1 - (low ?? 0));
      const places = Math.max(0, 1 - Math.floor(Math.log10(bound)));
      const most = Math.ceil(bound * 10 ** places) / 10 ** places;
      return localised(share <= 0 ? `< ${most.toFixed(places)}` : `> ${(100 - most).toFixed(places)}`);
    }
    const error = 100 * Math.sqrt(share * (1 - share) / trials);
    return localised(value.toFixed(Math.max(0, Math.ceil(-Math.log10(error)))));
  };

  const number = value => {
    if (value === 0) return "0";
    const size = Math.abs(value);
    const places = size >= 1000 ? 0 : Math.max(2, 1 - Math.floor(Math.log10(size)));
    return localised(value.toFixed(Math.min(places, 20)));
  };

  const shownColumns = table => {
    const by = Object.fromEntries(table.columns.map(column => [column.name, column]));
    const trials = by.trials ? by.trials.values : null;
    return table.columns.filter(column => column.kind !== "end").map(column => {
      const low = by[`${column.name}_low`], high = by[`${column.name}_high`];
      const texts = {
        text: row => column.values[row] < 0 ? "" : column.texts[column.values[row]],
        truth: row => column.values[row] === null ? "" : column.values[row] ? words.yes : words.no,
        whole: row => column.values[row] === null ? "" : localised(String(column.values[row])),
        number: row => column.values[row] === null ? "" : number(column.values[row]),
        share: row => column.values[row] === null ? "" :
          percent(column.values[row], trials && trials[row], low && low.values[row], high && high.values[row]),
      };
      const interval = row => {
        if (!low || low.values[row] === null || low.values[row] === undefined) return "";
        if (column.kind !== "share") return `${number(low.values[row])} – ${number(high.values[row])}`;
        const n = trials && trials[row];
        const end = value => value <= 0 ? "0" : value >= 1 ? "100" : percent(value, n, value, value);
        return `${end(low.values[row])} – ${end(high.values[row])}`;
      };
      return { ...column, told: texts[column.kind], interval, numeric: column.kind !== "text" && column.kind !== "truth" };
    });
  };

  const matching = (table, columns, query) => {
    const wanted = query.trim().toLowerCase();
    const all = Array.from({ length: table.rows }, (_, row) => row);
    if (!wanted) return all;
    const tests = columns.map(column => {
      if (column.kind === "text") {
        const hits = column.texts.map(text => text.toLowerCase().includes(wanted));
        return row => column.values[row] >= 0 && hits[column.values[row]];
      }
      return column.kind === "whole" ? row => String(column.values[row]) === wanted : () => false;
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
    return rows.slice().sort((one, other) => {
      const a = key(one), b = key(other);
      if (a === null || b === null) return (a === null) - (b === null) || one - other;
      return (down ? b - a : a - b) || one - other;
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
      button.type = "button"; button.textContent = column.name + (column.kind === "share" ? ", %" : "");
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
