// Short tones. A browser allows sound only after a press.

let audio = null;

/** To be called in the handler of a press. */
function allowSound() {
  if (navigator.userActivation?.isActive) audio ??= new AudioContext();
}

/** The frequency in hertz and the length in seconds of each sound. */
const TONES = { click: [660, 0.03], card: [440, 0.07], draw: [220, 0.07], uno: [990, 0.25], caught: [140, 0.35], fanfare: [780, 0.5], refused: [110, 0.12] };

function sound(name) {
  const [tone, length] = TONES[name];
  if (!audio) return;
  const wave = audio.createOscillator();
  const volume = audio.createGain();
  wave.frequency.value = tone;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
  wave.connect(volume).connect(audio.destination);
  wave.start();
  wave.stop(audio.currentTime + length);
}

