import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { ReadLog } from '../reading/logModel.ts';
import type { PlannedHazard } from './settled.ts';

/** The values of one new row by column. Severity, likelihood and risk are never included. */
export type RowValues = Map<CanonicalColumn, string>;

export const PROPOSED_STATUS = 'Proposed – CSO review';

/** The columns of controls, the proposal's fields and the names of their kinds. */
export const CONTROLS = [
  ['control_design', 'controlDesign', 'Design'],
  ['control_test', 'controlTest', 'Test'],
  ['control_training', 'controlTraining', 'Training'],
  ['control_business', 'controlBusiness', 'Business process'],
] as const;

/** The log's own term for a kind of control: "Process" where it has no "Business process". */
export function controlType(label: string, known: string[]): string {
  const first = label.split(' ')[0]?.toLowerCase() ?? '';
  const last = label.split(' ').at(-1)?.toLowerCase() ?? '';
  return (
    known.find((word) => word.toLowerCase() === label.toLowerCase()) ??
    known.find((word) => word.toLowerCase().includes(last) || word.toLowerCase().includes(first)) ??
    label
  );
}

/** The rows of a hazard in this log: one, or in a long layout one for each control. */
export function rowsFor(
  log: ReadLog,
  { hazardId, values, proposal }: PlannedHazard,
  statusAllowed: boolean,
): RowValues[] {
  const first: RowValues = new Map();
  const put = (row: RowValues, column: CanonicalColumn, text: string) => {
    if (text.trim() && log.has(column)) row.set(column, text.trim());
  };
  put(first, 'id', hazardId);
  put(first, 'name', values.name);
  put(first, 'description', log.has('name') ? values.description : `${values.name}. ${values.description}`);
  put(first, 'clinical_impact', values.clinicalImpact);
  put(first, 'cause', values.cause);
  put(
    first,
    'notes',
    `Proposed from ${proposal.evidence
      .slice(0, 10)
      .map(({ ticketKey }) => ticketKey)
      .join(', ')}; see the Change log.`,
  );
  if (statusAllowed) put(first, 'status', PROPOSED_STATUS);
  const controls = CONTROLS.filter(([, field]) => values[field].trim());
  const own = controls.filter(([column]) => log.has(column));
  for (const [column, field] of own) put(first, column, values[field]);
  const other = controls.filter(([column]) => !log.has(column));
  if (other.length === 0 || !log.has('control_text')) return [first];
  if (log.shape.layout !== 'long') {
    put(first, 'control_text', other.map(([, field, label]) => `${label}: ${values[field]}`).join('\n'));
    return [first];
  }
  const known = [...new Set(log.dataRows.map((row) => log.text(row, 'control_type')).filter(Boolean))];
  return other.map(([, field, label], at) => {
    const row: RowValues = at === 0 ? first : new Map();
    if (at > 0) {
      put(row, 'id', hazardId);
      put(row, 'name', values.name);
      put(row, 'cause', values.cause);
      if (statusAllowed) put(row, 'status', PROPOSED_STATUS);
    }
    put(row, 'control_text', values[field]);
    put(row, 'control_type', controlType(label, known));
    return row;
  });
}
