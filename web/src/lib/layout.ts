export interface HandLayout {
  /** How many cards each row holds. */
  readonly rows: readonly number[];
  readonly card: number;
  readonly strip: number;
  readonly step: number;
}

const TOUCH = 44;
const LEAST_STEP = 50;

/**
 * For how many cards a hand is laid out. The card that comes and goes with every turn changes no size: only several
 * at once do. `before` is what it was laid out for, null where nothing was.
 */
export function roomFor(held: number, before: number | null, draws: boolean): number {
  if (before === null || before === 0) return held > 0 && draws ? held + 1 : held;
  return held > before || held < before - 1 ? held : before;
}

/**
 * Sizes of the hand (px). They follow the number of cards held, those in the tray included, so that nothing jumps
 * while cards go to the tray and back; every card keeps a strip of 44 px to touch.
 */
export function layoutHand(width: number, height: number, held: number, shown: number): HandLayout {
  const room = width - 8;
  // On a phone held sideways there is room for one row only.
  if (width >= 700 || (width >= 540 && height <= 520)) {
    const card = height < 400 ? 56 : height < 560 ? 60 : height < 780 ? 80 : 96;
    const strip = Math.min(card - 8, (room - card) / Math.max(1, shown - 1));
    return { rows: shown > 0 ? [shown] : [], card, strip, step: card };
  }
  let rows = 1;
  while (TOUCH * Math.ceil(held / rows) > room && rows < 4) rows += 1;
  const perRow = Math.ceil(held / rows);
  const card = Math.min(64, room - TOUCH * (perRow - 1));
  const most = Math.ceil(shown / rows);
  const strip = Math.min(card + 4, (room - card) / Math.max(1, most - 1));
  const split: number[] = [];
  for (let left = shown; left > 0; left -= most) split.push(Math.min(most, left));
  return { rows: split, card, strip, step: Math.max(LEAST_STEP, 0.86 * card) };
}
