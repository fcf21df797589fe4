// A short sound that reports the result, for people who look at goods and not at the screen.
const TONES = {
  good: { hertz: 880, seconds: 0.09 },
  bad: { hertz: 196, seconds: 0.35 },
} as const;
const LOUDNESS = 0.15;

let context: AudioContext | undefined;

export function beep(kind: keyof typeof TONES): void {
  if (!('AudioContext' in window)) return;
  context ??= new AudioContext();
  // Browsers allow no sound before the person has touched the page.
  if (context.state === 'suspended') void context.resume();
  const { hertz, seconds } = TONES[kind];
  const tone = context.createOscillator();
  const loudness = context.createGain();
  loudness.gain.value = LOUDNESS;
  tone.frequency.value = hertz;
  tone.connect(loudness).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + seconds);
}
