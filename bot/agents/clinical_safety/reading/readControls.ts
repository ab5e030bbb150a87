import type { CanonicalColumn, Control, Place } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { parseAddress } from '../ooxml/cellAddress.ts';
import { saysNotInPlace } from './controlStatus.ts';
import { normaliseHeader } from './headerWords.ts';
import type { ReadLog } from './logModel.ts';
import { saysNothing } from './saysNothing.ts';

type Source = Pick<ReadLog, 'text' | 'textsOf' | 'has' | 'table'>;

const CONTROL_COLUMNS: [CanonicalColumn, Control['kind']][] = [
  ['existing_controls', 'existing'],
  ['control_design', 'design'],
  ['control_test', 'test'],
  ['control_training', 'training'],
  ['control_business', 'business'],
  ['control_text', 'unspecified'],
];
const KINDS: [RegExp, Control['kind']][] = [
  [/design|software|technical/i, 'design'],
  [/test|verif|assur/i, 'test'],
  [/train|guid|communic/i, 'training'],
  [/process|business|procedur|operation/i, 'business'],
  [/existing|current/i, 'existing'],
];

/** The kind of control that a text names; unspecified where it names none. */
export const controlKindOf = (type: string): Control['kind'] =>
  KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'unspecified';

/** A task of a list: "[ ] to do", "[x] done". */
const TASK = /^\s*(?:[-*]\s*)?(?:(☐|\[ \])|☑|☒|\[[xX]\])\s*/;
/** "Driver told by text (PLANNED, Q2)". */
const PLANNED = /\((planned|proposed|not yet [a-z ]{2,20}|geplant|prévu|gepland|planerad|planlagt)\b[^()]{0,40}\)\s*$/i;

type Lines = { done: string; open: { text: string; status: string }[] };

/** The lines of a control that are done, together, and those that say themselves that they are not yet. */
function splitLines(text: string): Lines {
  const done: string[] = [];
  const open: Lines['open'] = [];
  for (const line of text.split('\n')) {
    const said = line.replace(TASK, '').trim();
    const status = TASK.exec(line)?.[1] ? 'not ticked' : PLANNED.exec(said)?.[1]?.toLowerCase();
    if (status && said) open.push({ text: said, status });
    else done.push(line.replace(TASK, ''));
  }
  return { done: open.length > 0 ? done.join('\n').trim() : done.join('\n'), open };
}

/** What a column right behind one of controls says of each: "Barrier health", "In place?". */
const HEALTH =
  /^(?:(?:barrier|control|measure|mitigation)s? (?:health|status|state)|health|in place|implemented|done)$/;

/** The status that stands right behind a control; empty where no column there gives one. */
function statusBehind({ table }: Source, row: number, { sheet, cell: address }: Place): string {
  const column = sheet === table.grid.name ? (parseAddress(address)?.column ?? 0) + 1 : 0;
  const headings = [...table.unmatched, ...table.columns];
  const isHealth = headings.some((one) => one.column === column && HEALTH.test(normaliseHeader(one.header)));
  return isHealth ? (table.grid.rows[row]?.[column]?.text.trim() ?? '') : '';
}

/** The controls of a hazard; those that their status says are not in place apart. */
export function readControls(source: Source, rows: number[]): { controls: Control[]; notInPlace: Control[] } {
  const controls: Control[] = [];
  const notInPlace: Control[] = [];
  const seen = new Set<string>();
  for (const row of rows)
    for (const [column, kind] of CONTROL_COLUMNS)
      for (const { text, place } of source.textsOf(row, column)) {
        if (saysNothing(text) || seen.has(`${kind}${text}`)) continue;
        seen.add(`${kind}${text}`);
        const type = column === 'control_text' ? source.text(row, 'control_type') : '';
        const own = statusBehind(source, row, place);
        const status = own || source.text(row, 'action_status');
        // Beside actions the status is theirs.
        const isInPlace = (own === '' && source.has('action')) || !saysNotInPlace(status);
        const { done, open } = splitLines(text);
        const control = (said: string): Control => ({
          text: said,
          kind: column === 'control_text' ? controlKindOf(type) : kind,
          owner: source.text(row, 'control_owner') || null,
          status: status || null,
          evidence: source.text(row, 'evidence') || null,
          place,
        });
        if (done) (isInPlace ? controls : notInPlace).push(control(done));
        for (const one of open) notInPlace.push({ ...control(one.text), status: one.status });
      }
  return { controls, notInPlace };
}
