import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import type { Field, Screen } from '../screen/screen.ts';
import { PEOPLE, type Person } from './people.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Varies a field's sample value by row, so that a table does not repeat one row. */
function varyValue(field: Field, row: number): string {
  const { type, sample, options } = field;
  if (row === 0) return sample;
  if (type === 'choice') return options[row % options.length] ?? sample;
  if (type === 'yes-no') return row % 2 === 0 ? 'Yes' : 'No';
  if (type === 'number') {
    const digits = sample.split('.')[1]?.length ?? 0;
    return (Number(sample) * (1 + [0, 0.06, -0.05, 0.11][row % 4]!)).toFixed(digits);
  }
  if (type === 'date') {
    const [day = '1', month = 'Jan', year = '2026'] = sample.split(' ');
    return `${((Number(day) + row * 3 - 1) % 28) + 1} ${MONTHS.includes(month) ? month : 'Jan'} ${year}`;
  }
  if (type === 'time') return `${String(10 + row).padStart(2, '0')}:${row % 2 === 0 ? '30' : '15'}`;
  return sample === 'Example' ? `Example ${row + 1}` : sample;
}

/** A value followed by its unit. */
const withUnit = (value: string, { unit }: Field) => (unit ? `${value} ${unit}` : value);

export type Sample = { person: Person | null; values: { field: Field; text: string }[] };

const IDENTITY: Record<string, (person: Person) => string> = {
  'NHS number': ({ nhsNumber }) => nhsNumber,
  'Date of birth': ({ born }) => born,
  'Full name': ({ name }) => name,
  Name: ({ name }) => name,
  Age: ({ age }) => String(age),
};

/** Sample rows; on a screen about patients, each row has a patient. */
export function sampleRows({ fields, patient }: Pick<Screen, 'fields' | 'patient'>): Sample[] {
  return PEOPLE.map((person, row) => ({
    person: patient ? person : null,
    values: fields.map((field) => ({
      field,
      text: withUnit(ownEntry(IDENTITY, field.label)?.(person) ?? varyValue(field, row), field),
    })),
  }));
}
