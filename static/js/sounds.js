// Short sounds for a play, a chop, one's own turn and its last seconds, from one file of ours (script/sounds). It is
// fetched after the first tap, as browsers want it; a button mutes it.
window.tableSounds = (() => {
  "use strict";
  const NAMES = ["play", "tick", "call", "turn", "chop", "chops", "instant", "pass", "deal", "over"];
  const SLOT = 0.8;
  const { file } = document.currentScript.dataset;
  const button = document.querySelector("[data-sound]");
  let context = null;
  let sounds = null;
  let muted = false;
  try { muted = localStorage.getItem("muted") === "yes"; } catch { /* private mode: it lasts for this page */ }

  function show() {
    button?.setAttribute("aria-pressed", String(!muted));
  }

  // Without the file the table is silent; whoever turns the sound on asks for it again.
  async function load() {
    try {
      context ??= new AudioContext();
      sounds ??= await context.decodeAudioData(await (await fetch(file)).arrayBuffer());
    } catch { /* no connection */ }
  }

  function play(name) {
    if (muted || !sounds) return;
    const source = context.createBufferSource();
    const volume = context.createGain();
    volume.gain.value = 0.5;
    source.buffer = sounds;
    source.connect(volume).connect(context.destination);
    source.start(0, NAMES.indexOf(name) * SLOT, SLOT);
  }

  document.addEventListener("pointerdown", () => { if (!muted) load(); }, { once: true });
  button?.addEventListener("click", async () => {
    muted = !muted;
    try { localStorage.setItem("muted", muted ? "yes" : "no"); } catch { /* as above */ }
    show();
    if (!muted) await load();
    play("turn");
  });
  show();
  return { play };
})();
