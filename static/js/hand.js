// The hand under the player's fingers: his order and his choice stay when anything else changes.
window.tableHand = (() => {
  "use strict";
  const RANKS = "3456789TJQKA2";
  const SUITS = "SCDH";
  const WAYS = ["rank", "sets", "suit"];
  const HOLD = 350;
  const place = `hand-${location.pathname}`;
  let order = [];
  let way = 0;
  let own = false; // Whether the player has put his cards into an order of his own.
  let picked = [];
  try {
    ({ order, own, picked = [] } = JSON.parse(sessionStorage.getItem(place)) || { order, own });
  } catch { /* private mode: it lasts for this page */ }

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
    changed();
  }

  // Whatever is chosen is known to the page, and outlasts a reload.
  function changed() {
    picked = chosen();
    store();
    document.dispatchEvent(new Event("picked"));
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
    remember();
    fan();
  }

  function remember() {
    order = boxes().map((input) => input.value);
    store();
  }

  function store() {
    try { sessionStorage.setItem(place, JSON.stringify({ order, own, picked })); } catch { /* as above */ }
  }

  // A real fan: every card a little turned, the middle ones higher.
  function fan() {
    const all = items();
    const middle = (all.length - 1) / 2;
    all.forEach((item, i) => {
      item.style.setProperty("--turn", `${((i - middle) * 0.9).toFixed(2)}deg`);
      item.style.setProperty("--drop", `${((i - middle) ** 2 * 0.35).toFixed(1)}px`);
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
    const fresh = now.filter((card) => !order.includes(card));
    const another = fresh.length === now.length;
    if (another) own = false;
    if (own) arrange([...order, ...fresh]);
    else arrange(fresh.length ? sorted(now) : order);
    choose(another ? [] : before);
  }

  function next() {
    way = (way + 1) % WAYS.length;
    const before = chosen();
    own = false;
    arrange(sorted(boxes().map((input) => input.value)));
    choose(before);
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
    if (!input) return;
    input.checked = !input.checked;
    changed();
  }

  // The focused card goes one place on or back; returns its place among how many, or null.
  function shift(by) {
    const all = items();
    const at = all.findIndex((item) => item.contains(document.activeElement));
    const to = at + by;
    if (at < 0 || to < 0 || to >= all.length) return null;
    all[to][by > 0 ? "after" : "before"](all[at]);
    box(all[at]).focus();
    settle();
    return [to + 1, all.length];
  }

  function settle() {
    own = true;
    remember();
    fan();
  }

  // Held for a moment, a card is lifted and goes where finger or mouse carry it.
  let lifted = null;
  let holding = 0;

  function lift(item) {
    lifted = item;
    drawing = null;
    item.classList.add("lifted");
    navigator.vibrate?.(15);
  }

  function carry(event) {
    const over = cardAt(event);
    if (!over || over === lifted || !lifted.isConnected) return; // The hand came anew meanwhile.
    const all = items();
    over[all.indexOf(over) > all.indexOf(lifted) ? "after" : "before"](lifted);
    fan();
  }

  function drop() {
    clearTimeout(holding);
    if (!lifted) return;
    lifted.classList.remove("lifted");
    lifted = null;
    dropped = true;
    setTimeout(() => { dropped = false; }, 50);
    settle();
  }

  // A finger or the mouse drawn over cards picks them all.
  let drawing = null;
  let dropped = false;
  const cardAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("#own .hand-pick > li");
  document.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("#own .hand-pick > li");
    drawing = item ? { first: item, value: null, x: event.clientX, y: event.clientY } : null;
    clearTimeout(holding);
    if (item) holding = setTimeout(lift, HOLD, item);
  });
  document.addEventListener("pointermove", (event) => {
    if (lifted) return carry(event);
    if (!drawing || !event.buttons) return;
    if (Math.hypot(event.clientX - drawing.x, event.clientY - drawing.y) > 8) clearTimeout(holding);
    const item = cardAt(event);
    if (!item || (item === drawing.first && drawing.value === null)) return;
    if (drawing.value === null) {
      drawing.value = !box(drawing.first).checked;
      box(drawing.first).checked = drawing.value;
    }
    box(item).checked = drawing.value;
    changed();
  });
  document.addEventListener("change", (event) => { if (event.target.closest("#own .hand-pick")) changed(); });
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
  document.addEventListener("touchmove", (event) => { if (lifted) event.preventDefault(); }, { passive: false });
  document.addEventListener("contextmenu", (event) => {
    if (event.target.closest("#own .hand-pick")) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (dropped && event.target.closest("#own .hand-pick")) event.preventDefault();
    if (drawing && drawing.value !== null && event.target.closest("#own .hand-pick")) event.preventDefault();
    drawing = null;
  });

  return { byRank, boxes, chosen, remembered: () => picked, choose, keep, next, shift, step, toggle };
})();
