// Short tones for a play, a chop, one's own turn and its last seconds; muted by a button, and silent until the first
// tap, as browsers want it.
window.tableSounds = (() => {
  "use strict";
  const TONES = {
    play: [[330, 0.05]],
    tick: [[880, 0.04]],
    call: [[784, 0.14], [784, 0.14], [988, 0.3]],
    turn: [[523, 0.09], [784, 0.14]],
    chop: [[196, 0.12], [392, 0.1], [784, 0.22]],
    chops: [[196, 0.1], [392, 0.1], [587, 0.1], [784, 0.12], [1175, 0.3]],
    instant: [[523, 0.12], [659, 0.12], [784, 0.12], [1047, 0.4]],
    over: [[659, 0.12], [523, 0.12], [392, 0.24]],
  };
  const button = document.querySelector("[data-sound]");
  let context = null;
  let muted = false;
  try { muted = localStorage.getItem("muted") === "yes"; } catch { /* private mode: it lasts for this page */ }

  function show() {
    button?.setAttribute("aria-pressed", String(!muted));
  }

  function play(name) {
    if (muted || !context) return;
    let at = context.currentTime;
    for (const [pitch, length] of TONES[name]) {
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.type = "triangle";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.12, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + length);
      tone.connect(volume).connect(context.destination);
      tone.start(at);
      tone.stop(at + length);
      at += length * 0.8;
    }
  }

  document.addEventListener("pointerdown", () => { context ??= new AudioContext(); }, { once: true });
  button?.addEventListener("click", () => {
    muted = !muted;
    try { localStorage.setItem("muted", muted ? "yes" : "no"); } catch { /* as above */ }
    show();
    play("turn");
  });
  show();
  return { play };
})();
