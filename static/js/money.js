// Amounts of money: groups the digits while one types and says beside the field how it is read.
// The server reads them again (league/base/domain/amounts.py); a test holds both to one table.
(() => {
  "use strict";
  const SCALES = {
    k: 1e3, nghin: 1e3, ngan: 1e3, thousand: 1e3,
    tr: 1e6, trieu: 1e6, m: 1e6, million: 1e6,
    ty: 1e9, ti: 1e9, billion: 1e9,
  };
  const GROUPED = /^[1-9][0-9]{0,2}([.,][0-9]{3})+$/;

  const bare = (word) => word.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("đ", "d");

  // What the digits may mean; `scaled` where a word behind them multiplies them.
  function readings(number, scaled, places = 0) {
    const groups = /^[1-9][0-9]{0,2}([ '][0-9]{3})+(?=$|[.,])/.exec(number);
    if (groups) {
      number = groups[0].replace(/[ ']/g, "") + number.slice(groups[0].length);
      return [Number(number.replace(",", "."))];
    }
    if (/[ ']/.test(number)) return [];
    const joined = Number(number.replace(/[.,]/g, ""));
    if (number.includes(".") && number.includes(",")) {
      const last = Math.max(number.lastIndexOf("."), number.lastIndexOf(","));
      const head = number.slice(0, last), tail = number.slice(last + 1);
      if (head.includes(number[last]) || !GROUPED.test(head) || tail.length > 2) return [];
      return [Number(`${head.replace(/[.,]/g, "")}.${tail}`)];
    }
    const pieces = number.split(/[.,]/);
    if (pieces.length === 1) return [joined];
    if (pieces.length > 2) return GROUPED.test(number) ? [joined] : [];
    const decimal = Number(pieces.join("."));
    if (pieces[1].length <= places) return [decimal];
    if (GROUPED.test(number) && !scaled) return [joined];
    if ((scaled && pieces[1].length !== 3) || pieces[0].startsWith("0")) return [decimal];
    return scaled || Number.isInteger(decimal) ? [decimal, joined] : [decimal];
  }

  function values(number, behind, { units, parts, places, scale }) {
    if (parts.includes(behind)) return readings(number, false).map((value) => value / 10 ** places);
    const scaleOf = (unit) => {
      const first = bare(unit.split(" ")[0]);
      return ["k", "nghin", "ngan", "tr", "trieu"].includes(first) ? SCALES[first] : 1;
    };
    if (!behind || (units.includes(behind) && scaleOf(behind) === scale)) {
      return readings(number, false, places);
    }
    if (units.includes(behind)) return readings(number, false).map((value) => value / scale);
    const found = /^(\p{L}+) ?([0-9]{0,3})(?![0-9])(?: ?(rưỡi)(?!\p{L}))? ?(.*)$/u.exec(behind);
    if (!found) return [];
    const [, word, tail, half, rest] = found;
    const times = SCALES[bare(word)];
    if (!times || (rest && !units.includes(rest)) || (tail && half)) return [];
    let read = readings(number, true);
    if (half) read = read.filter(Number.isInteger).map((value) => value + 0.5);
    else if (tail) {
      if (!/^[0-9]+$/.test(number)) return [];
      const tenths = Number(tail) / 10 ** tail.length;
      read = (tail.length === 2 ? [tenths, Number(tail) / 1000] : [tenths]).map((part) => Number(number) + part);
    }
    return read.map((value) => Math.round(value * times * 1000) / 1000 / scale);
  }

  // The amount, or null for text that is none or may be two.
  function read(text, kind) {
    let said = text.normalize("NFKC").toLowerCase().replace(/[’]/g, "'").replace(/[−–]/g, "-");
    said = said.replace(/\s+/g, " ").trim().replace(/^= ?/, "");
    const sign = /^[+-]?/.exec(said)[0];
    said = said.slice(sign.length).trimStart();
    const first = /^[0-9.,]/.test(said) ? "" : kind.units.find((word) => said.startsWith(word)) || "";
    said = said.slice(first.length).trimStart();
    if (kind.places) said = said.replace(/^[.,](?=[0-9])/, "0.");
    const found = /^([0-9]+(?:[.,' ][0-9]+)*) ?(.*)$/.exec(said);
    if (!found || said.length > 40) return null;
    const inParts = (value) => Math.round(value * 10 ** kind.places * 1000) / 1000;
    const whole = new Set(values(found[1], found[2], kind).map(inParts).filter(Number.isInteger));
    if (whole.size !== 1) return null;
    const [value] = whole;
    return sign === "-" ? -value : value;
  }

  const kindOf = (input) => ({
    units: input.dataset.units.split("|").filter(Boolean),
    parts: input.dataset.parts.split("|").filter(Boolean),
    places: Number(input.dataset.places),
    scale: Number(input.dataset.scale),
  });

  const grouped = (digits, mark) => digits.replace(/\B(?=([0-9]{3})+$)/g, mark);

  function shown(value, { unit, group, point, places, leads }) {
    const digits = String(Math.abs(value)).padStart(Number(places) + 1, "0");
    const whole = digits.length - Number(places), minus = value < 0 ? "−" : "";
    const text = grouped(digits.slice(0, whole), group) + (whole < digits.length ? point + digits.slice(whole) : "");
    if (leads) return minus + unit + (/\p{L}$/u.test(unit) ? " " : "") + text;
    return unit ? `${minus}${text} ${unit}` : minus + text;
  }

  // Groups are drawn into digits that were typed without any, and taken out before a letter: in
  // 1.000k the stop would have two meanings.
  const drawn = new WeakMap();

  function regroup(input) {
    const { value } = input, before = drawn.get(input);
    const plain = (text) => text.split(input.dataset.group).join("");
    drawn.delete(input);
    if (input.selectionEnd !== value.length) return;
    const typed = before && value.startsWith(before) ? value.slice(before.length) : "";
    const erased = before && before.startsWith(value);
    if (/^[0-9]+$/.test(value) || erased || /^[0-9]$/.test(typed)) {
      if (!/^[0-9]*$/.test(plain(value)) || /^0[0-9]/.test(value)) return;
      input.value = grouped(plain(value), input.dataset.group);
      drawn.set(input, input.value);
    } else if (/^\p{L}$/u.test(typed)) {
      input.value = plain(before) + typed;
    }
  }

  document.addEventListener("input", (event) => {
    const input = event.target.closest?.("[data-money]");
    if (!input) return;
    regroup(input);
    say(input);
  });

  function say(input) {
    const value = read(input.value, kindOf(input));
    const output = input.parentElement.querySelector("output");
    if (output) output.textContent = value === null ? "" : `= ${shown(value, input.dataset)}`;
  }

  // The server read what was sent; meanwhile more was typed.
  document.addEventListener("htmx:afterSettle", () => { document.querySelectorAll("[data-money]").forEach(say); });

  // For the test that compares it with the server's.
  window.readMoney = (text, input) => read(text, kindOf(input));
})();
