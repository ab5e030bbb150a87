import type { Field, Kind } from '../apps/app.ts';
import { readFields } from './readFields.ts';

/** The fields of a kind where nobody named any. */
const USUAL: Record<Kind, string> = {
  form: 'name (required), email, message',
  list: 'name, owner, status (open, closed)',
  dashboard: 'date, group (A, B, C), amount',
  calendar: 'who',
  kanban: 'owner, note',
  calculator: 'first amount, second amount',
  wizard: 'name (required), email, date, notes',
  landing: '',
};

export const usualFields = (kind: Kind): Field[] => readFields(USUAL[kind]);

/** The columns of a board where nobody named any. */
export const USUAL_COLUMNS: readonly string[] = ['To do', 'Doing', 'Done'];
