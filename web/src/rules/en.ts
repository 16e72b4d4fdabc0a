import type { RulesText } from './index';

export const rules: RulesText = {
  games: {
    konken: (o) => [
      [
        'The cards',
        `${o.players} players, ${o.packs === 1 ? 'one pack' : 'two packs'} and ${o.jokers} Jokers. Everyone gets ${o.hand_size} cards; one card is turned to start the discard pile.`,
      ],
      [
        'A turn',
        'Draw from the stock or take the top of the discard pile, lay and add as you like, then discard one card.',
        o.return_taken_discard === 'on'
          ? 'A card just taken may be discarded again.'
          : 'A card just taken from the pile may not be discarded in the same turn.',
      ],
      [
        'Melds',
        'A group: three or four cards of one rank, each suit once. A run: three or more cards of one suit in sequence. The ace is low: A-2-3 is a run, Q-K-A is not.',
        'Four of a kind stay on the table.',
      ],
      [
        'Opening',
        o.opening_points
          ? `Your first lay needs ${o.opening_points} points.`
          : 'Your first lay needs no points.',
        o.must_open_before_layoff === 'on'
          ? 'You may add to melds only once you have opened.'
          : 'You may add to melds before you have opened.',
        o.finish_on_opening_turn === 'on'
          ? 'You may go out in the turn of your opening.'
          : 'You may not go out in the turn of your opening.',
      ],
      [
        'Jokers',
        'A Joker stands for a missing card. Who holds that card may swap it for the Joker, if the Joker is used at once in another meld; a run of three must grow to four with it.',
        o.reclaimed_joker === 'new_meld_only'
          ? 'The Joker may go into a new meld only.'
          : 'The Joker may go into a new meld or onto any other meld.',
      ],
      [
        'The end of a hand',
        o.must_discard_to_finish === 'on'
          ? 'Who discards the last card goes out.'
          : 'Who has no card left goes out: the last one may be laid, added or discarded.',
        `The others lose what they hold: figures 10, ace ${o.ace_penalty}, Joker ${o.joker_penalty}, else the pips${o.unopened_penalty ? `, and ${o.unopened_penalty} more if they have not opened` : ''}. The winner gets the sum.`,
        'When the stock is empty the lowest hand wins.',
      ],
      [
        'The match',
        `First to ${o.target} points${o.max_hands ? `, or the highest total after ${o.max_hands} hands` : ''}.`,
      ],
    ],
    conker: (o) => [
      [
        'The cards',
        `${o.players} players, two packs and four Jokers. Everyone gets 13 cards; one card is turned to start the discard pile.`,
      ],
      [
        'A turn',
        'Draw from the stock; once you are in you may take the top of the discard pile instead. Lay, add and swap as you like, then discard one card.',
        o.return_taken_discard === 'on'
          ? 'A card just taken may be discarded again.'
          : 'A card just taken may not be discarded in the same turn.',
      ],
      [
        'Tris and Quatris',
        `A set (Tris) is three cards of one rank in different suits: colours must alternate, so the odd colour lies in the middle. A Quatris is all four suits${o.quatris_alternation === 'on' ? ', in alternating colours too' : ', in any order'}.`,
        `A run is ${o.long_lay === 'on' ? 'three or more' : 'three or four'} cards of one suit, laid from low to high; longer runs grow by adding. The ace is low or high: A-2-3 and Q-K-A, never K-A-2.`,
        'Cards lie in the order in which you choose them: the numbers on chosen cards show it. “Arrange for me” puts them in a legal order.',
      ],
      [
        'Getting in',
        `You start locked. Your first lay needs ${o.opening_points} points or more in one go: figures 10, ace 11 (1 in A-2-3), a Joker as the card it stands for.`,
        o.act_on_entry_turn === 'on'
          ? 'Once in, you may go on at once: add, swap, lay more.'
          : 'In the turn in which you get in you may do nothing else but discard.',
      ],
      [
        'Burning',
        'A complete Quatris burns: the four cards leave the game for this hand. Adding the fourth suit to a Tris burns it as well.',
      ],
      [
        'Jokers',
        `At most ${o.max_jokers_per_group === 2 ? 'two Jokers' : 'one Joker'} in a meld. ${o.joker_layoff === 'on' ? 'A Joker may be added to a meld.' : 'Jokers may not be added to melds on the table.'}`,
        'Swap the exact card for a Joker on the table: it goes to your hand, and you need not use it at once.',
      ],
      [
        'The end of a hand',
        'You close by discarding your last card; every lay must leave one.',
        o.joker_close_double === 'on'
          ? 'Closing with a Joker doubles the points.'
          : 'Closing with a Joker is allowed and not doubled.',
        o.stock_out === 'void'
          ? 'When the stock is empty the hand is void.'
          : `An empty stock is built anew from the discard pile, at most ${o.max_reshuffles} times; then the hand is void.`,
      ],
      [
        'Points',
        o.scoring === 'penalty'
          ? 'Each loser writes down what is left in hand; the lowest total wins.'
          : o.scoring === 'flat'
            ? 'The winner gets one point for each opponent.'
            : 'The winner gets all that is left in the other hands.',
        `Left in hand: figures 10, ace 11, Joker 25, else the pips${o.locked_penalty ? `, and ${o.locked_penalty} more for who is still locked` : ''}.`,
        `The match goes to ${o.target}${o.max_hands ? `, or ends after ${o.max_hands} hands` : ''}.`,
      ],
    ],
    conquian: (o) => [
      [
        'The cards',
        `Two players and forty cards: A 2 3 4 5 6 7 J Q K. Everyone gets ${o.deal} cards; whoever first has ${Number(o.deal) + 1} cards melded wins.`,
        o.exchange === 'on'
          ? 'Before play each gives away one card; both stay face down until both have chosen.'
          : 'There is no exchange of cards before play.',
      ],
      [
        'The centre card',
        o.first_card === 'upcard'
          ? 'The dealer turns the first card; the other player decides about it first.'
          : 'The non-dealer turns the first card of the stock.',
        `Who turned it may meld it or pass. The other may then meld it or pass. If nobody wants it, it is out of play for good${o.show_dead === 'on' ? ', open to both,' : ', face down,'} and the last to pass turns the next one.`,
        'The card never goes to a hand: it is melded or it is gone.',
      ],
      [
        'Melding',
        'The centre card goes down with cards of your hand or of your own table. After melding you discard one card: it is the next centre card, and your opponent decides.',
        'You may re-arrange your whole table at any meld, as long as every card there stays and everything ends up in valid melds.',
      ],
      [
        'Melds',
        `A group: three or four of one rank. A run: three or more of one suit in sequence${o.short_deal_run_cap === 'none' ? '' : `, at most ${Number(o.deal) - 2}`}. 7 and J are neighbours; the ace is low only.`,
      ],
      [
        'Forcing',
        o.forcing === 'off'
          ? 'This table plays without forcing.'
          : o.forcing === 'auto'
            ? 'A card that fits your melds on the table must be melded, always.'
            : 'If a card fits your opponent’s melds on the table and was declined there, or as you discard it, you may force it: it must be melded. That can break a hand that waits.',
        ...(o.forcing === 'optional'
          ? ['When a card was declined that fits, you have 8 seconds to force it or let it go.']
          : []),
      ],
      [
        'The end',
        'The winning card is always a centre card: ten on the table and a last discard is not a win.',
        'If the stock is empty and nobody uses the last card, the game is drawn.',
      ],
      [
        'The stake',
        `The loser pays ${o.stake}, whatever is left in hand.`,
        o.draw_carry === 'none'
          ? 'A drawn game changes nothing.'
          : `After a drawn game the stake ${o.draw_carry === 'pool' ? 'grows by one stake' : 'doubles'}, up to ${o.carry_cap} times; a win sets it back.`,
        Number(o.wins) === 1 ? 'One won game wins the match.' : `The match goes to ${o.wins} won games.`,
      ],
    ],
  },
  traps: [
    'If you know one of the other games',
    ['Ace high', 'no', 'yes (Q-K-A)', 'no'],
    ['Take the discard before opening', 'yes', 'no', 'it is melded, never taken'],
    ['Opening minimum', 'none', '41', 'none'],
    ['Order of a lay matters', 'no', 'yes', 'no'],
    ['Four of a kind', 'stays', 'burns', 'stays'],
    ['Joker from the table', 'only if used at once', 'yes, free', 'no Jokers'],
    ['Win by melding all', 'yes', 'no, discard', 'yes, with the centre card'],
    ['Win on the opening turn', 'no', 'yes', 'yes'],
    ['Stock empty', 'lowest hand wins', 'reshuffled', 'drawn'],
    ['Re-arranging the table', 'no', 'no', 'yes, your own'],
  ],
};
