import type { Call } from './turn';

/** Tones of each call: frequency (Hz), start and length (s). Two rising notes, or two short equal ones. */
const TONES: Record<Call, readonly (readonly [number, number, number])[]> = {
  turn: [
    [587.3, 0, 0.16],
    [880, 0.11, 0.26],
  ],
  soon: [
    [740, 0, 0.09],
    [740, 0.16, 0.09],
  ],
};
const BUZZ: Record<Call, number[]> = { turn: [60], soon: [40, 80, 40] };
const LOUD = 0.09;

let context: AudioContext | null = null;

/** A sound, and where a finger holds the device a buzz. A page nobody has touched yet may not sound; then it is still. */
export function call(what: Call): void {
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  if (matchMedia('(pointer: coarse)').matches) navigator.vibrate?.(BUZZ[what]);
  try {
    context ??= new AudioContext();
    void context.resume();
    for (const tone of TONES[what]) ring(context, tone);
  } catch {
    // No sound on this device: the title, the icon and the page itself tell it.
  }
}

function ring(at: AudioContext, [frequency, start, length]: readonly [number, number, number]): void {
  const begin = at.currentTime + start;
  const [tone, gain] = [at.createOscillator(), at.createGain()];
  tone.type = 'triangle';
  tone.frequency.value = frequency;
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(LOUD, begin + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  tone.connect(gain).connect(at.destination);
  tone.start(begin);
  tone.stop(begin + length + 0.02);
}
