import type { GameName } from '../games/game';
import type { Lang } from '../i18n';

export type Values = Readonly<Record<string, number | string>>;
/** A heading and what it says; what depends on the table's options is written from them. */
export type Section = readonly [title: string, ...lines: string[]];
export interface RulesText {
  readonly games: Readonly<Record<GameName, (o: Values) => readonly Section[]>>;
  /** Where players of one game trip over another: topic, and how it is in Konken, Conker and Conquian. */
  readonly traps: readonly [title: string, ...rows: (readonly [string, string, string, string])[]];
}

const TEXTS: Record<Lang, () => Promise<{ rules: RulesText }>> = {
  en: () => import('./en'),
  tr: () => import('./tr'),
  id: () => import('./id'),
  es: () => import('./es'),
};

export async function loadRules(lang: Lang): Promise<RulesText> {
  return (await TEXTS[lang]()).rules;
}
