// The hand under the player's fingers: his order and his choice stay when anything else changes.
window.tableHand = (() => {
  "use strict";
  const RANKS = "3456789TJQKA2";
  const SUITS = "SCDH";
  const WAYS = ["rank", "sets", "suit"];
  let order = [];
  let way = 0;

  const items = () => [...document.querySelectorAll("#own .hand-pick > li")];
  const box = (item) => item.querySelector("input");
  const boxes = () => items().map(box);
  const chosen = () => boxes().filter((input) => input.checked).map((input) => input.value);
  const rank = (card) => RANKS.indexOf(card[0]);
  const suit = (card) => SUITS.indexOf(card[1]);
  const byRank = (a, b) => rank(a) - rank(b) || suit(a) - suit(b);

  function choose(cards) {
    const left = [...cards];
    for (const input of boxes()) {
      const at = left.indexOf(input.value);
      input.checked = at >= 0;
      if (at >= 0) left.splice(at, 1);
    }
  }

  function arrange(cards) {
    const list = document.querySelector("#own .hand-pick");
    if (!list) return;
    const focused = document.activeElement;
    const left = items();
    for (const card of cards) {
      const at = left.findIndex((item) => box(item).value === card);
      if (at >= 0) list.append(left.splice(at, 1)[0]);
    }
    for (const item of left) list.append(item);
    if (list.contains(focused)) focused.focus();
    order = boxes().map((input) => input.value);
    fan();
  }

  // A real fan: every card a little turned, the middle ones higher.
  function fan() {
    const all = items();
    const middle = (all.length - 1) / 2;
    all.forEach((item, i) => {
      item.style.setProperty("--turn", `${((i - middle) * 26 / Math.max(all.length, 8)).toFixed(2)}deg`);
      item.style.setProperty("--drop", `${(((i - middle) / Math.max(all.length, 8)) ** 2 * 46).toFixed(1)}px`);
    });
  }

  function sorted(cards) {
    const counts = {};
    for (const card of cards) counts[card[0]] = (counts[card[0]] || 0) + 1;
    const compare = {
      rank: byRank,
      sets: (a, b) => counts[b[0]] - counts[a[0]] || byRank(a, b),
      suit: (a, b) => suit(a) - suit(b) || rank(a) - rank(b),
    }[WAYS[way]];
    return [...cards].sort(compare);
  }

  // After the server sent the hand anew: cards that are still there keep their place and choice.
  function keep(before) {
    const now = boxes().map((input) => input.value);
    const fresh = now.some((card) => !order.includes(card));
    arrange(fresh ? sorted(now) : order);
    choose(before);
  }

  function next() {
    way = (way + 1) % WAYS.length;
    const picked = chosen();
    arrange(sorted(boxes().map((input) => input.value)));
    choose(picked);
    return WAYS[way];
  }

  function step(by) {
    const all = boxes();
    const at = all.indexOf(document.activeElement);
    const to = at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length;
    if (all[to]) all[to].focus();
  }

  function toggle(index) {
    const input = boxes()[index];
    if (input) input.checked = !input.checked;
  }

  // A finger or the mouse drawn over cards picks them all.
  let drawing = null;
  const cardAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("#own .hand-pick > li");
  document.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("#own .hand-pick > li");
    drawing = item ? { first: item, value: null } : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (!drawing || !event.buttons) return;
    const item = cardAt(event);
    if (!item || (item === drawing.first && drawing.value === null)) return;
    if (drawing.value === null) {
      drawing.value = !box(drawing.first).checked;
      box(drawing.first).checked = drawing.value;
    }
    box(item).checked = drawing.value;
  });
  document.addEventListener("click", (event) => {
    if (drawing && drawing.value !== null && event.target.closest("#own .hand-pick")) event.preventDefault();
    drawing = null;
  });

  return { boxes, chosen, choose, keep, next, step, toggle };
})();
