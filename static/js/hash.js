// SHA-256 and HMAC, written out: browsers give theirs to https pages only, and a club's LAN has plain
// http.
(() => {
  "use strict";
  const rotate = (word, by) => (word >>> by) | (word << (32 - by));

  function primes(count) {
    const found = [];
    for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
    return found;
  }

  const fraction = (value) => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
  const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
  const ROUNDS = primes(64).map((prime) => fraction(Math.cbrt(prime)));

  function padded(bytes) {
    const size = Math.ceil((bytes.length + 9) / 64) * 64;
    const block = new Uint8Array(size);
    block.set(bytes);
    block[bytes.length] = 0x80;
    new DataView(block.buffer).setUint32(size - 4, bytes.length * 8);
    return new DataView(block.buffer);
  }

  function schedule(view, at) {
    const words = new Int32Array(64);
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [a, b] = [words[i - 15], words[i - 2]];
      const low = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
      const high = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
      words[i] = words[i - 16] + low + words[i - 7] + high;
    }
    return words;
  }

  function mix(state, words) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const first = (h + one + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      const two = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const second = (two + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
  }

  function sha256(bytes) {
    const view = padded(bytes);
    let state = START;
    for (let at = 0; at < view.byteLength; at += 64) state = mix(state, schedule(view, at));
    const out = new DataView(new ArrayBuffer(32));
    state.forEach((word, i) => out.setInt32(4 * i, word));
    return new Uint8Array(out.buffer);
  }

  // Keys of this method have 32 bytes, so they are never hashed first.
  function hmac(key, message) {
    const pad = (value) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ value);
    return sha256(new Uint8Array([...pad(0x5c), ...sha256(new Uint8Array([...pad(0x36), ...message]))]));
  }

  const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
  const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  window.dealHash = { sha256, hmac, fromHex, toHex };
})();
