import { en as enOthers } from './en';
import { es as esOthers } from './es';
import { id as idOthers } from './id';
import { tr as trOthers } from './tr';
import type { Messages } from './index';
import { en as enTable } from './table/en';
import { es as esTable } from './table/es';
import { id as idTable } from './table/id';
import { tr as trTable } from './table/tr';

// Every text of each language, for tests.
export const en: Messages = { ...enTable, ...enOthers };
export const tr: Messages = { ...trTable, ...trOthers };
export const id: Messages = { ...idTable, ...idOthers };
export const es: Messages = { ...esTable, ...esOthers };
