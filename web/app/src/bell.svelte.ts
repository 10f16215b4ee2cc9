import type { Event } from "@ante/client/api";

const kept = "ante bell";
const fresh = 30; // seconds: what is older was missed
const rings = new Set(["your_turn", "match_proposed", "offer_received", "draw_offered", "alarm", "match_ended"]);

/** The bell rings, and the browser notifies, when something waits for the person. */
class Bell {
  on = $state(localStorage.getItem(kept) === "on");

  async turn() {
    this.on = !this.on;
    localStorage.setItem(kept, this.on ? "on" : "off");
    if (!this.on) return;
    if ("Notification" in window && Notification.permission === "default") await Notification.requestPermission();
    ring();
  }

  heard(event: Event) {
    if (!this.on || !rings.has(event.kind) || Date.now() / 1000 - Number(event.time) > fresh) return;
    ring();
    if (document.hidden && "Notification" in window && Notification.permission === "granted") {
      new Notification(event.kind === "your_turn" ? "It is your turn" : "channeld", { body: event.text, tag: event.matchId || event.kind });
    }
  }
}

// two soft tones, a fifth apart
function ring() {
  const sound = new AudioContext();
  [660, 990].forEach((pitch, i) => {
    const [tone, volume] = [sound.createOscillator(), sound.createGain()];
    const at = sound.currentTime + i * 0.12;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    tone.connect(volume).connect(sound.destination);
    tone.start(at);
    tone.stop(at + 0.5);
    tone.onended = () => i && void sound.close();
  });
}

export const bell = new Bell();
