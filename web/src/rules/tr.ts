import type { RulesText } from './index';

export const rules: RulesText = {
  games: {
    konken: (o) => [
      [
        'Kartlar',
        `${o.players} oyuncu, ${o.packs === 1 ? 'bir deste' : 'iki deste'} ve ${o.jokers} joker. Herkese ${o.hand_size} kart verilir; ıskarta için bir kart açılır.`,
      ],
      [
        'Bir tur',
        'Desteden çek ya da ıskartanın üstündeki kartı al, istediğin kadar aç ve işle, sonra bir kart at.',
        o.return_taken_discard === 'on'
          ? 'Yeni alınan kart geri atılabilir.'
          : 'Iskartadan yeni alınan kart aynı turda atılamaz.',
      ],
      [
        'Perler',
        'Grup: aynı değerde üç ya da dört kart, her cins bir kez. Seri: aynı cinsten üç ya da daha çok ardışık kart. As yalnızca başta olur: A-2-3 seridir, Q-K-A değildir.',
        'Dörtlüler masada kalır.',
      ],
      [
        'Açış',
        o.opening_points ? `İlk açış için ${o.opening_points} puan gerekir.` : 'İlk açış için puan gerekmez.',
        o.must_open_before_layoff === 'on'
          ? 'Ancak açtıktan sonra işleyebilirsin.'
          : 'Açmadan da işleyebilirsin.',
        o.finish_on_opening_turn === 'on'
          ? 'Açtığın turda bitebilirsin.'
          : 'İlk açtığın turda elden bitemezsin.',
      ],
      [
        'Jokerler',
        'Joker eksik kartın yerine geçer. O kartı elinde tutan, jokeri hemen başka bir perde kullanacaksa değiştirebilir; üç kartlı seri bununla dörde çıkmalıdır.',
        o.reclaimed_joker === 'new_meld_only'
          ? 'Alınan joker yalnızca yeni pere gider.'
          : 'Alınan joker yeni pere ya da başka her pere gidebilir.',
      ],
      [
        'Elin sonu',
        o.must_discard_to_finish === 'on'
          ? 'Son kartını atan eli bitirir.'
          : 'Kartı kalmayan eli bitirir: son kart açılabilir, işlenebilir ya da atılabilir.',
        `Diğerleri elinde kalanı kaybeder: resimliler 10, as ${o.ace_penalty}, joker ${o.joker_penalty}, diğerleri değeri kadar${o.unopened_penalty ? `, açmayan ayrıca ${o.unopened_penalty}` : ''}. Toplam kazananındır.`,
        'Deste bitince en düşük el kazanır.',
      ],
      ['Maç', `Hedef ${o.target} puan${o.max_hands ? `, en çok ${o.max_hands} el` : ''}.`],
    ],
    conker: (o) => [
      [
        'Kartlar',
        `${o.players} oyuncu, iki deste ve dört joker. Herkese 13 kart verilir; ıskarta için bir kart açılır.`,
      ],
      [
        'Bir tur',
        'Desteden çek; açtıktan sonra ıskartanın üstündekini de alabilirsin. İstediğin kadar aç, işle, jokeri değiştir, sonra bir kart at.',
        o.return_taken_discard === 'on'
          ? 'Yeni alınan kart geri atılabilir.'
          : 'Yeni alınan kart aynı turda atılamaz.',
      ],
      [
        'Tris ve Quatris',
        `Grup (Tris) aynı değerde, farklı cinsten üç karttır: kırmızı ve siyah sırayla gelir, yani tek olan ortada durur. Quatris dört cinsin hepsidir${o.quatris_alternation === 'on' ? ', orada da kırmızı ve siyah sırayla' : ', sırası serbesttir'}.`,
        `Seri aynı cinsten ${o.long_lay === 'on' ? 'üç ya da daha çok' : 'üç ya da dört'} karttır, küçükten büyüğe açılır; sonra işlenerek uzar. As başta ya da sonda olur: A-2-3 ve Q-K-A, ama K-A-2 olmaz.`,
        'Kartlar seçtiğin sırayla açılır: seçilen kartların üstündeki sayılar bunu gösterir. “Benim için diz” geçerli bir sıra bulur.',
      ],
      [
        'Açmak',
        `Başta kilitlisin. İlk açış bir seferde en az ${o.opening_points} puan ister: resimliler 10, as 11 (A-2-3 içinde 1), joker yerine geçtiği kart kadar.`,
        o.act_on_entry_turn === 'on'
          ? 'Açınca hemen devam edebilirsin: işle, değiştir, yine aç.'
          : 'Açtığın turda artık yalnızca kart atarsın.',
      ],
      [
        'Yanmak',
        'Tamamlanan Quatris yanar: dört kart bu elde oyundan çıkar. Bir Trise dördüncü cinsi eklemek de onu yakar.',
      ],
      [
        'Jokerler',
        `Bir perde en çok ${o.max_jokers_per_group === 2 ? 'iki' : 'bir'} joker. ${o.joker_layoff === 'on' ? 'Joker bir pere eklenebilir.' : 'Masadaki perlere joker eklenemez.'}`,
        'Masadaki jokeri yerine geçtiği kartla değiştir: joker eline gelir, hemen kullanman gerekmez.',
      ],
      [
        'Elin sonu',
        'Son kartını atarak bitirirsin; her açış bir kart bırakmalıdır.',
        o.joker_close_double === 'on'
          ? 'Jokerle bitmek puanı iki katına çıkarır.'
          : 'Jokerle bitmek serbesttir, iki kat sayılmaz.',
        o.stock_out === 'void'
          ? 'Deste bitince el sayılmaz.'
          : `Biten deste ıskartadan yeniden karıştırılır, en çok ${o.max_reshuffles} kez; sonra el sayılmaz.`,
      ],
      [
        'Puanlar',
        o.scoring === 'penalty'
          ? 'Her kaybeden elinde kalanı yazar; en düşük toplam kazanır.'
          : o.scoring === 'flat'
            ? 'Kazanan her rakip için bir puan alır.'
            : 'Kazanan, diğerlerinin elinde kalanı alır.',
        `Elde kalan: resimliler 10, as 11, joker 25, diğerleri değeri kadar${o.locked_penalty ? `, açmayan ayrıca ${o.locked_penalty}` : ''}.`,
        `Maç ${o.target} puana kadar sürer${o.max_hands ? `, en çok ${o.max_hands} el` : ''}.`,
      ],
    ],
    conquian: (o) => [
      [
        'Kartlar',
        `İki oyuncu, kırk kart: A 2 3 4 5 6 7 J Q K. Herkese ${o.deal} kart verilir; ilk ${Number(o.deal) + 1} kart açan kazanır.`,
        o.exchange === 'on'
          ? 'Oyundan önce herkes bir kart verir; ikiniz de seçene kadar kapalı durur.'
          : 'Başta kart değiş tokuşu yoktur.',
      ],
      [
        'Ortadaki kart',
        o.first_card === 'upcard'
          ? 'İlk kartı dağıtan açar; önce öbür oyuncu karar verir.'
          : 'Destenin ilk kartını dağıtmayan açar.',
        `Açan onu perine katar ya da pas geçer. Sonra öbürü karar verir. Kimse istemezse oyun dışı kalır${o.show_dead === 'on' ? ' (açık),' : ' (kapalı),'} son pas geçen yenisini açar.`,
        'Ortadaki kart hiçbir zaman ele alınmaz.',
      ],
      [
        'Per açmak',
        'Ortadaki kart, elindeki ya da kendi masandaki kartlarla açılır. Sonra bir kart atarsın: o yeni ortadaki karttır, rakibin karar verir.',
        'Her açışta kendi masanı baştan düzenleyebilirsin; yeter ki oradaki kartlar kalsın ve hepsi geçerli per olsun.',
      ],
      [
        'Perler',
        `Grup: aynı değerde üç ya da dört kart. Seri: aynı cinsten üç ya da daha çok ardışık kart${o.short_deal_run_cap === 'none' ? '' : `, en çok ${Number(o.deal) - 2}`}. 7 ile J komşudur; as yalnızca başta olur.`,
      ],
      [
        'Zorlamak',
        o.forcing === 'off'
          ? 'Bu masada zorlama yoktur.'
          : o.forcing === 'auto'
            ? 'Masadaki perlerine uyan kart her zaman açılmalıdır.'
            : 'Rakibin masasına uyan ama istemediği bir kartı, ya da atarken uyan kartını ona zorla açtırabilirsin. Bu, bekleyen bir eli bozabilir.',
        ...(o.forcing === 'optional'
          ? ['Uyan bir kart istenmeyince zorlamak ya da bırakmak için 8 saniyen vardır.']
          : []),
      ],
      [
        'Son',
        'Kazandıran kart her zaman ortadaki karttır: on kart açıp son kartı atmak yetmez.',
        'Deste biter ve son kartı kimse kullanmazsa oyun berabere kalır.',
      ],
      [
        'Ödenen puan',
        `Kaybeden, elinde ne kalırsa kalsın ${o.stake} öder.`,
        o.draw_carry === 'none'
          ? 'Berabere oyun bir şey değiştirmez.'
          : `Berabere oyundan sonra ${o.draw_carry === 'pool' ? 'bir kat eklenir' : 'ikiye katlanır'}, en çok ${o.carry_cap} kat; galibiyet başa döndürür.`,
        Number(o.wins) === 1 ? 'Bir oyun kazanan maçı alır.' : `Maç ${o.wins} galibiyete kadardır.`,
      ],
    ],
  },
  traps: [
    'Diğer oyunlardan birini biliyorsan',
    ['As büyük olur mu', 'hayır', 'evet (Q-K-A)', 'hayır'],
    ['Açmadan ıskartadan almak', 'evet', 'hayır', 'alınmaz, açılır'],
    ['Açış puanı', 'yok', '41', 'yok'],
    ['Açış sırası önemli', 'hayır', 'evet', 'hayır'],
    ['Dörtlü', 'kalır', 'yanar', 'kalır'],
    ['Masadaki joker', 'hemen kullanılırsa', 'serbest', 'joker yok'],
    ['Hepsini açarak bitmek', 'evet', 'hayır, kart atılır', 'evet, ortadakiyle'],
    ['Açtığı turda bitmek', 'hayır', 'evet', 'evet'],
    ['Deste bitince', 'en düşük kazanır', 'karıştırılır', 'berabere'],
    ['Masayı düzenlemek', 'hayır', 'hayır', 'evet, kendininkini'],
  ],
};
