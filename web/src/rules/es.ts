import type { RulesText } from './index';

export const rules: RulesText = {
  games: {
    konken: (o) => [
      [
        'Las cartas',
        `${o.players} jugadores, ${o.packs === 1 ? 'una baraja' : 'dos barajas'} y ${o.jokers} comodines. Cada quien recibe ${o.hand_size} cartas; se destapa una para empezar el descarte.`,
      ],
      [
        'Un turno',
        'Toma del mazo o la de arriba del descarte, baja y agrega lo que quieras, y descarta una carta.',
        o.return_taken_discard === 'on'
          ? 'La carta recién tomada se puede descartar.'
          : 'La carta recién tomada del descarte no se puede descartar en el mismo turno.',
      ],
      [
        'Juegos',
        'Tercia: tres o cuatro cartas del mismo número, cada palo una vez. Corrida: tres o más cartas seguidas del mismo palo. El as es bajo: A-2-3 vale, Q-K-A no.',
        'Cuatro iguales se quedan en la mesa.',
      ],
      [
        'Abrir',
        o.opening_points
          ? `La primera bajada necesita ${o.opening_points} puntos.`
          : 'La primera bajada no necesita puntos.',
        o.must_open_before_layoff === 'on'
          ? 'Solo puedes agregar después de abrir.'
          : 'Puedes agregar antes de abrir.',
        o.finish_on_opening_turn === 'on'
          ? 'Puedes salir en el turno en que abres.'
          : 'No puedes salir en el turno en que abres.',
      ],
      [
        'Comodines',
        'El comodín vale por una carta que falta. Quien tiene esa carta puede cambiarla por él si lo usa enseguida en otro juego; una corrida de tres debe crecer a cuatro.',
        o.reclaimed_joker === 'new_meld_only'
          ? 'El comodín solo puede ir a un juego nuevo.'
          : 'El comodín puede ir a un juego nuevo o a cualquier otro.',
      ],
      [
        'El fin de la mano',
        o.must_discard_to_finish === 'on'
          ? 'Sale quien descarta su última carta.'
          : 'Sale quien se queda sin cartas: la última se baja, se agrega o se descarta.',
        `Los demás pierden lo que tienen: figuras 10, as ${o.ace_penalty}, comodín ${o.joker_penalty}, el resto su número${o.unopened_penalty ? `, y ${o.unopened_penalty} más si no abrieron` : ''}. El ganador recibe la suma.`,
        'Si se acaba el mazo gana la mano más baja.',
      ],
      [
        'La partida',
        `A ${o.target} puntos${o.max_hands ? `, o el total más alto tras ${o.max_hands} manos` : ''}.`,
      ],
    ],
    conker: (o) => [
      [
        'Las cartas',
        `${o.players} jugadores, dos barajas y cuatro comodines. Cada quien recibe 13 cartas; se destapa una para empezar el descarte.`,
      ],
      [
        'Un turno',
        'Toma del mazo; una vez dentro puedes tomar la de arriba del descarte. Baja, agrega y cambia lo que quieras, y descarta una carta.',
        o.return_taken_discard === 'on'
          ? 'La carta recién tomada se puede descartar.'
          : 'La carta recién tomada no se puede descartar en el mismo turno.',
      ],
      [
        'Tris y Quatris',
        `Un Tris (tercia) son tres cartas del mismo número y distinto palo: los colores alternan, así que el color solo va en medio. Un Quatris son los cuatro palos${o.quatris_alternation === 'on' ? ', también con colores alternos' : ', en cualquier orden'}.`,
        `Una corrida son ${o.long_lay === 'on' ? 'tres o más' : 'tres o cuatro'} cartas del mismo palo, de menor a mayor; después crece agregando. El as es bajo o alto: A-2-3 y Q-K-A, nunca K-A-2.`,
        'Las cartas quedan en el orden en que las eliges: los números lo muestran. «Arreglar por mí» encuentra un orden válido.',
      ],
      [
        'Entrar',
        `Empiezas cerrado. La primera bajada necesita ${o.opening_points} puntos o más de una vez: figuras 10, as 11 (1 en A-2-3), el comodín como la carta por la que vale.`,
        o.act_on_entry_turn === 'on'
          ? 'Una vez dentro puedes seguir enseguida.'
          : 'En el turno en que entras solo puedes descartar.',
      ],
      [
        'Quemar',
        'Un Quatris completo se quema: las cuatro cartas salen del juego en esta mano. Agregar el cuarto palo a un Tris también lo quema.',
      ],
      [
        'Comodines',
        `${o.max_jokers_per_group === 2 ? 'Dos comodines' : 'Un comodín'} por juego como mucho. ${o.joker_layoff === 'on' ? 'Un comodín se puede agregar a un juego.' : 'No se agregan comodines a los juegos de la mesa.'}`,
        'Cambia la carta exacta por un comodín de la mesa: va a tu mano, y no hay que usarlo enseguida.',
      ],
      [
        'El fin de la mano',
        'Cierras descartando tu última carta; cada bajada debe dejar una.',
        o.joker_close_double === 'on'
          ? 'Cerrar con un comodín dobla los puntos.'
          : 'Cerrar con un comodín vale, y no dobla.',
        o.stock_out === 'void'
          ? 'Si se acaba el mazo la mano se anula.'
          : `Si se acaba el mazo se baraja el descarte, ${o.max_reshuffles} veces como mucho; después la mano se anula.`,
      ],
      [
        'Puntos',
        o.scoring === 'penalty'
          ? 'Cada perdedor anota lo que le queda; gana el total más bajo.'
          : o.scoring === 'flat'
            ? 'El ganador recibe un punto por rival.'
            : 'El ganador recibe todo lo que queda en las otras manos.',
        `En la mano: figuras 10, as 11, comodín 25, el resto su número${o.locked_penalty ? `, y ${o.locked_penalty} más para quien sigue cerrado` : ''}.`,
        `La partida va a ${o.target}${o.max_hands ? `, o termina tras ${o.max_hands} manos` : ''}.`,
      ],
    ],
    conquian: (o) => [
      [
        'Las cartas',
        `Dos jugadores y cuarenta cartas: A 2 3 4 5 6 7 J Q K. Cada quien recibe ${o.deal}; gana quien primero baja ${Number(o.deal) + 1}.`,
        o.exchange === 'on'
          ? 'Antes de jugar cada quien da una carta; quedan tapadas hasta que ambos elijan.'
          : 'No hay cambio de cartas antes de jugar.',
      ],
      [
        'La carta del centro',
        o.first_card === 'upcard'
          ? 'Quien reparte destapa la primera; el otro decide antes.'
          : 'Quien no reparte destapa la primera carta del mazo.',
        `Quien la destapó la baja o pasa. Luego decide el otro. Si nadie la quiere queda muerta${o.show_dead === 'on' ? ' y a la vista,' : ' y tapada,'} y el último en pasar destapa la siguiente.`,
        'La carta nunca va a una mano: se baja o se pierde.',
      ],
      [
        'Bajar',
        'La carta del centro se baja con cartas de tu mano o de tu propia mesa. Después pagas una carta: es la nueva del centro, y decide tu rival.',
        'Cada vez que bajas puedes rearmar toda tu mesa, mientras sus cartas se queden y todo acabe en juegos válidos.',
      ],
      [
        'Juegos',
        `Tercia: tres o cuatro del mismo número. Corrida: tres o más seguidas del mismo palo${o.short_deal_run_cap === 'none' ? '' : `, ${Number(o.deal) - 2} como mucho`}. El 7 y la sota son vecinos; el as solo es bajo.`,
      ],
      [
        'Forzar',
        o.forcing === 'off'
          ? 'En esta mesa no se fuerza.'
          : o.forcing === 'auto'
            ? 'La carta que embona en tus juegos de la mesa siempre se baja.'
            : 'Si una carta embona en la mesa de tu rival y la rechazó, o cuando la pagas, puedes forzarla: tiene que bajarla. Así se rompe una mano que espera.',
        ...(o.forcing === 'optional'
          ? ['Cuando se rechaza una carta que embona tienes 8 segundos para forzarla o dejarla ir.']
          : []),
      ],
      [
        'El fin',
        'La carta ganadora siempre es la del centro: diez abajo y un último descarte no ganan.',
        'Si se acaba el mazo y nadie usa la última carta, son tablas.',
      ],
      [
        'La apuesta',
        `Quien pierde paga ${o.stake}, tenga lo que tenga en la mano.`,
        o.draw_carry === 'none'
          ? 'Las tablas no cambian nada.'
          : `Después de tablas la apuesta ${o.draw_carry === 'pool' ? 'crece en una' : 'se dobla'}, hasta ${o.carry_cap} veces; una victoria la devuelve.`,
        Number(o.wins) === 1 ? 'Una partida ganada decide.' : `Se juega a ${o.wins} partidas ganadas.`,
      ],
    ],
  },
  traps: [
    'Si conoces uno de los otros juegos',
    ['As alto', 'no', 'sí (Q-K-A)', 'no'],
    ['Tomar el descarte antes de abrir', 'sí', 'no', 'se baja, no se toma'],
    ['Mínimo para abrir', 'no hay', '41', 'no hay'],
    ['Importa el orden al bajar', 'no', 'sí', 'no'],
    ['Cuatro iguales', 'se quedan', 'se queman', 'se quedan'],
    ['Comodín de la mesa', 'si se usa enseguida', 'sí, libre', 'sin comodines'],
    ['Ganar bajando todo', 'sí', 'no, se descarta', 'sí, con la del centro'],
    ['Ganar al abrir', 'no', 'sí', 'sí'],
    ['Se acaba el mazo', 'gana la más baja', 'se baraja', 'tablas'],
    ['Rearmar la mesa', 'no', 'no', 'sí, la propia'],
  ],
};
