/** What may lie over the table page; one at a time. */
export type Sheet =
  | { readonly what: 'score' | 'log' | 'menu' | 'keys' | 'rules' | 'leave' | 'say' | 'name' | 'handover' }
  | { readonly what: 'seat'; readonly seat: number };
export type OpenSheet = (sheet: Sheet) => void;
