import type { Lang } from '..';
import type { Extra, GuideOptions } from './en';

export type { Extra, GuideOptions };

const CATALOGUES: Record<Lang, () => Promise<Extra>> = {
  en: async () => (await import('./en')).en,
  tr: async () => (await import('./tr')).tr,
  id: async () => (await import('./id')).id,
  es: async () => (await import('./es')).es,
};

/** The words of what is seldom opened. */
export function loadExtra(lang: Lang): Promise<Extra> {
  return CATALOGUES[lang]();
}
