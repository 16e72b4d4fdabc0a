import type { RulesText } from './index';

export const rules: RulesText = {
  games: {
    konken: (o) => [
      [
        'Kartu',
        `${o.players} pemain, ${o.packs === 1 ? 'satu set kartu' : 'dua set kartu'} dan ${o.jokers} joker. Setiap pemain mendapat ${o.hand_size} kartu; satu kartu dibuka sebagai awal tumpukan buangan.`,
      ],
      [
        'Satu giliran',
        'Ambil dari stok atau kartu teratas buangan, letakkan dan tambahkan sesuka Anda, lalu buang satu kartu.',
        o.return_taken_discard === 'on'
          ? 'Kartu yang baru diambil boleh dibuang lagi.'
          : 'Kartu yang baru diambil dari buangan tidak boleh dibuang pada giliran yang sama.',
      ],
      [
        'Gabungan',
        'Kelompok: tiga atau empat kartu seperingkat, setiap jenis sekali. Urutan: tiga kartu atau lebih sejenis yang bersambung. As rendah: A-2-3 sah, Q-K-A tidak.',
        'Empat seperingkat tetap di meja.',
      ],
      [
        'Membuka',
        o.opening_points
          ? `Letakan pertama perlu ${o.opening_points} poin.`
          : 'Letakan pertama tidak perlu poin.',
        o.must_open_before_layoff === 'on'
          ? 'Anda boleh menambahkan hanya setelah membuka.'
          : 'Anda boleh menambahkan sebelum membuka.',
        o.finish_on_opening_turn === 'on'
          ? 'Anda boleh keluar pada giliran membuka.'
          : 'Anda tidak boleh keluar pada giliran membuka.',
      ],
      [
        'Joker',
        'Joker menggantikan kartu yang kurang. Pemegang kartu itu boleh menukarnya dengan joker jika joker langsung dipakai dalam gabungan lain; urutan tiga harus menjadi empat.',
        o.reclaimed_joker === 'new_meld_only'
          ? 'Joker itu hanya boleh ke gabungan baru.'
          : 'Joker itu boleh ke gabungan baru atau gabungan lain mana pun.',
      ],
      [
        'Akhir ronde',
        o.must_discard_to_finish === 'on'
          ? 'Yang membuang kartu terakhir keluar.'
          : 'Yang kartunya habis keluar: kartu terakhir boleh diletakkan, ditambahkan, atau dibuang.',
        `Yang lain kehilangan sisa kartunya: gambar 10, As ${o.ace_penalty}, joker ${o.joker_penalty}, lainnya sesuai angka${o.unopened_penalty ? `, ditambah ${o.unopened_penalty} jika belum membuka` : ''}. Pemenang mendapat jumlahnya.`,
        'Jika stok habis, sisa terendah menang.',
      ],
      [
        'Pertandingan',
        `Yang pertama mencapai ${o.target} poin${o.max_hands ? `, atau total tertinggi setelah ${o.max_hands} ronde` : ''}.`,
      ],
    ],
    conker: (o) => [
      [
        'Kartu',
        `${o.players} pemain, dua set kartu dan empat joker. Setiap pemain mendapat 13 kartu; satu kartu dibuka sebagai awal tumpukan buangan.`,
      ],
      [
        'Satu giliran',
        'Ambil dari stok; setelah masuk Anda boleh mengambil kartu teratas buangan. Letakkan, tambahkan, tukar, lalu buang satu kartu.',
        o.return_taken_discard === 'on'
          ? 'Kartu yang baru diambil boleh dibuang lagi.'
          : 'Kartu yang baru diambil tidak boleh dibuang pada giliran yang sama.',
      ],
      [
        'Tris dan Quatris',
        `Kelompok (Tris) adalah tiga kartu seperingkat berbeda jenis: warna harus berselang, jadi warna yang sendiri di tengah. Quatris adalah keempat jenis${o.quatris_alternation === 'on' ? ', juga berselang warna' : ', urutannya bebas'}.`,
        `Urutan adalah ${o.long_lay === 'on' ? 'tiga kartu atau lebih' : 'tiga atau empat kartu'} sejenis dari kecil ke besar; kemudian bertambah panjang. As rendah atau tinggi: A-2-3 dan Q-K-A, tetapi bukan K-A-2.`,
        'Kartu diletakkan sesuai urutan Anda memilih: angka pada kartu menunjukkannya. “Susun untuk saya” mencari susunan yang sah.',
      ],
      [
        'Masuk',
        `Anda mulai terkunci. Letakan pertama perlu ${o.opening_points} poin atau lebih sekaligus: gambar 10, As 11 (1 dalam A-2-3), joker sebesar kartu yang digantikan.`,
        o.act_on_entry_turn === 'on'
          ? 'Setelah masuk Anda boleh langsung melanjutkan.'
          : 'Pada giliran masuk Anda hanya boleh membuang.',
      ],
      [
        'Terbakar',
        'Quatris yang lengkap terbakar: keempat kartu keluar dari ronde ini. Menambahkan jenis keempat ke Tris juga membakarnya.',
      ],
      [
        'Joker',
        `Paling banyak ${o.max_jokers_per_group === 2 ? 'dua' : 'satu'} joker per gabungan. ${o.joker_layoff === 'on' ? 'Joker boleh ditambahkan ke gabungan.' : 'Joker tidak boleh ditambahkan ke gabungan di meja.'}`,
        'Tukar kartu yang tepat dengan joker di meja: joker masuk ke tangan, dan tidak harus langsung dipakai.',
      ],
      [
        'Akhir ronde',
        'Anda menutup dengan membuang kartu terakhir; setiap letakan harus menyisakan satu.',
        o.joker_close_double === 'on'
          ? 'Menutup dengan joker melipatgandakan poin.'
          : 'Menutup dengan joker boleh, tanpa kelipatan.',
        o.stock_out === 'void'
          ? 'Jika stok habis, ronde batal.'
          : `Stok yang habis dikocok dari buangan, paling banyak ${o.max_reshuffles} kali; setelah itu ronde batal.`,
      ],
      [
        'Poin',
        o.scoring === 'penalty'
          ? 'Setiap yang kalah mencatat sisa kartunya; total terendah menang.'
          : o.scoring === 'flat'
            ? 'Pemenang mendapat satu poin per lawan.'
            : 'Pemenang mendapat semua sisa di tangan yang lain.',
        `Sisa di tangan: gambar 10, As 11, joker 25, lainnya sesuai angka${o.locked_penalty ? `, ditambah ${o.locked_penalty} bagi yang masih terkunci` : ''}.`,
        `Pertandingan sampai ${o.target}${o.max_hands ? `, atau berakhir setelah ${o.max_hands} ronde` : ''}.`,
      ],
    ],
    conquian: (o) => [
      [
        'Kartu',
        `Dua pemain dan empat puluh kartu: A 2 3 4 5 6 7 J Q K. Masing-masing mendapat ${o.deal} kartu; yang pertama menggabungkan ${Number(o.deal) + 1} kartu menang.`,
        o.exchange === 'on'
          ? 'Sebelum bermain masing-masing memberi satu kartu; tertutup sampai keduanya memilih.'
          : 'Tidak ada tukar kartu sebelum bermain.',
      ],
      [
        'Kartu di tengah',
        o.first_card === 'upcard'
          ? 'Bandar membuka kartu pertama; pemain lain memutuskan lebih dulu.'
          : 'Yang bukan bandar membalik kartu pertama dari stok.',
        `Yang membaliknya boleh menggabungkan atau menolak. Lalu yang lain memutuskan. Jika tak ada yang mau, kartu itu mati${o.show_dead === 'on' ? ', terbuka,' : ', tertutup,'} dan yang terakhir menolak membalik berikutnya.`,
        'Kartu itu tidak pernah masuk ke tangan: digabungkan atau hilang.',
      ],
      [
        'Menggabungkan',
        'Kartu tengah turun bersama kartu dari tangan atau dari meja Anda sendiri. Setelah itu Anda membuang satu kartu: itulah kartu tengah berikutnya, dan lawan memutuskan.',
        'Setiap kali menggabungkan Anda boleh menyusun ulang seluruh meja Anda, asal semua kartunya tetap dan semuanya menjadi kombinasi sah.',
      ],
      [
        'Kombinasi',
        `Kelompok: tiga atau empat seperingkat. Urutan: tiga kartu atau lebih sejenis yang bersambung${o.short_deal_run_cap === 'none' ? '' : `, paling banyak ${Number(o.deal) - 2}`}. 7 berada di sebelah J; As selalu rendah.`,
      ],
      [
        'Memaksa',
        o.forcing === 'off'
          ? 'Meja ini tanpa paksaan.'
          : o.forcing === 'auto'
            ? 'Kartu yang cocok dengan gabungan di meja Anda selalu wajib digabungkan.'
            : 'Jika kartu cocok dengan gabungan lawan di meja dan ditolaknya, atau saat Anda membuangnya, Anda boleh memaksa: ia wajib menggabungkan. Itu bisa merusak kartu yang menunggu.',
        ...(o.forcing === 'optional'
          ? ['Jika kartu yang cocok ditolak, Anda punya 8 detik untuk memaksa atau membiarkan.']
          : []),
      ],
      [
        'Akhir',
        'Kartu kemenangan selalu kartu tengah: sepuluh di meja dan buangan terakhir belum menang.',
        'Jika stok habis dan kartu terakhir tak dipakai, permainan seri.',
      ],
      [
        'Taruhan',
        `Yang kalah membayar ${o.stake}, berapa pun sisa kartunya.`,
        o.draw_carry === 'none'
          ? 'Permainan seri tidak mengubah apa pun.'
          : `Setelah seri taruhan ${o.draw_carry === 'pool' ? 'ditambah satu' : 'berlipat dua'}, paling banyak ${o.carry_cap} kali; kemenangan mengembalikannya.`,
        Number(o.wins) === 1
          ? 'Satu kemenangan memenangkan pertandingan.'
          : `Pertandingan sampai ${o.wins} kemenangan.`,
      ],
    ],
  },
  traps: [
    'Jika Anda mengenal permainan yang lain',
    ['As tinggi', 'tidak', 'ya (Q-K-A)', 'tidak'],
    ['Ambil buangan sebelum membuka', 'ya', 'tidak', 'digabungkan, tidak diambil'],
    ['Poin membuka', 'tidak ada', '41', 'tidak ada'],
    ['Susunan letakan penting', 'tidak', 'ya', 'tidak'],
    ['Empat seperingkat', 'tetap', 'terbakar', 'tetap'],
    ['Joker dari meja', 'jika langsung dipakai', 'ya, bebas', 'tanpa joker'],
    ['Menang dengan menggabungkan semua', 'ya', 'tidak, buang', 'ya, dengan kartu tengah'],
    ['Menang saat membuka', 'tidak', 'ya', 'ya'],
    ['Stok habis', 'sisa terendah menang', 'dikocok ulang', 'seri'],
    ['Menyusun ulang meja', 'tidak', 'tidak', 'ya, milik sendiri'],
  ],
};
