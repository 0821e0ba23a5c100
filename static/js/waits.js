// On a page that enters no games: those that wait in this phone, and why (static/js/ask.js loads it
// where some do). They are sent from here too, and who signs out decides on them.
(() => {
  "use strict";
  const { ask, gameQueue: queue } = window;

  function list(box, games) {
    const rows = box.querySelector("[data-games]");
    rows.replaceChildren(...games.map((game) => {
      const item = document.createElement("li");
      item.textContent = [game.title, rows.dataset.games.replace("{n}", game.game), game.names].join(" · ");
      return item;
    }));
  }

  function draw() {
    const games = queue.all();
    if (!games.length) { ask.unline("unsaved"); return; }
    ask.line("unsaved");
    const box = document.querySelector("[data-line=unsaved]");
    if (!box) return; // In a moment: nothing moves under a finger.
    list(box, games);
    const reasons = games.map((game) => (game.problem || queue.notice(game.url))?.message || "");
    box.querySelector("[data-why]").textContent = [...new Set(reasons)].join(" ");
    const way = box.querySelector("a");
    way.href = games[0].url;
    way.hidden = games.every((game) => queue.notice(game.url)?.code === "closed");
  }

  queue.onChange(draw);
  draw();

  const form = document.querySelector("form[data-leaves]"), question = form?.nextElementSibling;
  if (!form) return;
  const own = () => queue.all().filter((game) => !game.by || game.by === form.dataset.leaves);

  queue.onChange(() => {
    list(question, own());
    if (question.returnValue === "send" && !own().length) form.submit();
  });
  form.addEventListener("submit", (event) => {
    if (!own().length) return;
    event.preventDefault();
    question.returnValue = "";
    list(question, own());
    question.showModal();
  });
  question.addEventListener("close", () => {
    const said = question.returnValue;
    if (said === "discard") for (const game of own()) queue.drop(game.id);
    if (said === "discard" || said === "keep") form.submit();
    else if (said === "send") queue.send();
  });
})();
