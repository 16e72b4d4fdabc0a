/** What of a table's options the guide speaks of. */
export interface GuideOptions {
  /** The points that open; 0 where any meld does. */
  readonly opening: number;
  /** So many melded cards win a duel. */
  readonly goal: number;
  /** Whether the table proposes melds. */
  readonly arranges: boolean;
}

const opens = (o: GuideOptions) =>
  `Open with ${o.opening} points at once: choose a meld, *To tray*, then the next.${o.arranges ? ' *Arrange* helps.' : ''}`;

/** Words of what is seldom opened: a replay, a leaderboard, the way to another device, the keys, the guide through a first turn. */
export const en = {
  replay: {
    title: 'Replay',
    open: 'Replay',
    hand: (n: number) => `Replay of hand ${n}`,
    back: 'Back to the match',
    failed: 'This hand cannot be shown.',
    step: (at: number, of: number) => `Step ${at} of ${of}`,
    first: 'To the deal',
    before: 'One step back',
    play: 'Play',
    pause: 'Pause',
    next: 'One step on',
    last: 'To the end',
    steps: 'Steps',
    hands: 'Hands',
    eyes: 'Seen by',
    all: 'all hands open',
    dealt: (name: string) => `Dealer: ${name}`,
    note: {
      bot: (name: string) => `A bot plays on for ${name}`,
      back: (name: string) => `${name} plays again`,
      left: (name: string) => `${name} has left the table`,
      forfeit: (name: string) => `${name} forfeits the match`,
      sit: (name: string) => `${name} has taken a seat`,
      reshuffle: 'The discard pile becomes the stock',
    },
    timeout: 'out of time',
    now: 'now',
    proof: 'The shuffle',
    checking: 'Being computed…',
    proved: 'The shuffle is proved',
    provedHint: (n: number) => `Computed again on this page: all ${n} cards are equal`,
    unproved: 'The shuffle is not proved',
    unprovedHint: 'What this page computes differs from what was dealt',
    told: 'Told before',
    seed: 'Seed',
    nonce: (name: string) => `Nonce: ${name}`,
    none: 'none (bot, absent)',
    again: 'Check again',
    how: 'The hash was shown before the deal, so the seed could not be chosen afterwards. Every player added a nonce.',
    shareHint: 'Whoever has the link sees this hand from every seat, with the names.',
    noHand: 'This link opens no hand. Perhaps it was cut off when it was copied.',
  },
  board: {
    title: (game: string) => `Leaderboard: ${game}`,
    how: (days: number) => `Last ${days} days: whoever loses a match gives a point to its winner.`,
    what: 'What counts',
    counts: (least: number) => [
      'Finished matches at public tables count, with at least two people in them.',
      'Bots neither give nor take points. Where a bot wins, no points change hands.',
      'Whoever leaves for good has lost. Where a bot stands in for you, its result is yours.',
      'Several winners share the points.',
      `From ${least} matches on you have a place. Equal points are equal places.`,
    ],
    place: 'Place',
    name: 'Name',
    won: 'Won / played',
    points: 'Points',
    nobody: (least: number) =>
      `Nobody has a place yet. Play ${least} matches against people at public tables, and you have one.`,
    toGo: (has: number, least: number) => `A place takes ${least} matches. You have played ${has}.`,
    failed: 'The leaderboard cannot be read right now.',
  },
  handover: {
    how: 'Scan the code with the other device. It then plays as you, in the same seat; both may go on.',
    secret: (n: number) =>
      `Works once, for ${n} ${n === 1 ? 'second' : 'seconds'} more. Whoever opens it plays as you.`,
    code: 'QR code of the link for your other device',
    used: 'Another device has used this code: it plays as you now.',
    old: 'This code is too old.',
    again: 'New code',
    go: 'Play on here',
    what: 'This device becomes the player who showed the code: the same name, seats and history. Both devices may go on.',
    forget: (name: string) =>
      `So far you are ${name} here. That player’s seats and history do not come back to this device.`,
    anew: 'Open the menu on the other device again, and take a new code.',
  },
  keys: {
    title: 'Keys',
    list: [
      ['← → Home End', 'walk through the hand'],
      ['Space', 'choose a card'],
      ['Shift ← →', 'move a card'],
      ['D', 'draw'],
      ['T', 'take the discard'],
      ['S', 'swap for a Joker'],
      ['L', 'lay'],
      ['A', 'add to a meld'],
      ['X', 'discard'],
      ['M', 'selection to the tray; in Conquian: meld'],
      ['Z', 'undo the arranging of melds (Conquian)'],
      ['P, F', 'pass, force (Conquian)'],
      ['O', 'sort the hand'],
      ['R', 'arrange the hand for me'],
      ['1 … 9', 'choose a meld'],
      ['Esc', 'drop the selection'],
      ['?', 'this list'],
    ] as [string, string][],
  },
  guide: {
    title: (at: number) => `First turn: ${at} of 3`,
    skip: 'Skip the guide',
    konken: (o: GuideOptions) => [
      'Draw: tap the stock, or take the open card.',
      o.opening > 0
        ? opens(o)
        : `Tap three cards or more that belong together, then *Lay*.${o.arranges ? ' *Arrange* finds them.' : ''}`,
      'Nothing to lay? Choose one card, then *Discard*. Whoever runs out of cards wins.',
    ],
    conker: (o: GuideOptions) => [
      'You are locked: draw from the stock.',
      opens(o),
      'Not enough yet? Choose one card, then *Discard*.',
    ],
    conquian: (o: GuideOptions) => [
      'Does the card in the centre make a meld with yours? Tap those. If not, *Pass*.',
      '*New meld*, or a meld of yours where they fit, then *Meld*.',
      `Pay with a card: choose one, then *Discard*. ${o.goal} melded cards win.`,
    ],
  },
};

export type Extra = typeof en;
