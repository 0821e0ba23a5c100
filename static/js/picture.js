// Draws a table of the page as a picture and hands it to another app; where none can take it, saves it.
(() => {
  "use strict";
  const LINE = 52, EDGE = 32, GAP = 36, MOST_LETTERS = 24;
  const INK = "#1d1b18", FAINT = "#6b655c", RULE = "#ddd6ca", PAPER = "#fffdf8";

  const short = (text) => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text);

  function textOf(cell) {
    const copy = cell.cloneNode(true);
    for (const hidden of copy.querySelectorAll(".visually-hidden")) hidden.remove();
    return short(copy.textContent.replace(/\s+/g, " ").trim());
  }

  function draw(table, title, below) {
    const rows = [...table.rows].map((row) => [...row.cells].map(textOf));
    const family = getComputedStyle(document.body).fontFamily;
    const font = (size, weight = 400) => `${weight} ${size}px ${family}`;
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d");
    pen.font = font(24, 600);
    const widths = rows[0].map((_, n) => Math.max(...rows.map((row) => pen.measureText(row[n] ?? "").width)));
    const wide = widths.reduce((sum, width) => sum + width + GAP, 2 * EDGE - GAP);
    pen.font = font(36, 700);
    canvas.width = Math.ceil(Math.max(640, wide, pen.measureText(title).width + 2 * EDGE));
    canvas.height = 2 * EDGE + 100 + rows.length * LINE;
    pen.fillStyle = PAPER;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.textBaseline = "middle";
    const write = (text, x, y, face, ink, align = "left") => {
      Object.assign(pen, { font: face, fillStyle: ink, textAlign: align });
      pen.fillText(text, x, y);
    };
    write(title, EDGE, EDGE + 22, font(36, 700), INK);
    write(below, EDGE, EDGE + 66, font(22), FAINT);
    rows.forEach((row, number) => {
      const y = EDGE + 100 + number * LINE + LINE / 2;
      pen.fillStyle = RULE;
      if (number) pen.fillRect(EDGE, y - LINE / 2, canvas.width - 2 * EDGE, 1);
      let right = canvas.width - EDGE;
      for (let n = row.length - 1; n > 0; n -= 1) {
        write(row[n], right, y, font(24, n === row.length - 1 ? 600 : 400), number ? INK : FAINT, "right");
        right -= widths[n] + GAP;
      }
      write(row[0], EDGE, y, font(24, 600), number ? INK : FAINT);
    });
    return canvas;
  }

  function save(file) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-picture]");
    if (!button) return;
    const { title, below } = button.dataset;
    draw(document.querySelector(button.dataset.picture), title, below).toBlob((blob) => {
      const file = new File([blob], `${title}.png`, { type: "image/png" });
      if (!navigator.canShare?.({ files: [file] })) { save(file); return; }
      navigator.share({ files: [file] }).catch(() => { /* thought better of it */ });
    });
  });
})();
