import { quoteCounts } from './countValues.ts';
import type { Entity } from './entity.ts';
import { type FieldValue, valuesOf } from './fieldValues.ts';
import { type Choice, lineOf } from './lines.ts';

const holdsWords = (line: string, words: string) => ` ${line} `.includes(` ${words} `);

/** Whether no other value has these words or is near to them: "Accepted" beside "Not accepted" is not alone. */
const isAlone = <Row>(field: Choice<Row>, line: string, only: FieldValue, own: readonly FieldValue[]) =>
  own.every((one) => !field.isNear?.(line, one.shown) && (one === only || !holdsWords(one.line, line)));

/**
 * Finds the value that a question names. Where another value is too near, such as "Closed – accepted" beside "Closed",
 * or where no row has the value that is negated, the person has to say which they mean.
 * @returns the value as rows hold it, with a note where no row has it; or why it can't be answered
 */
export function chooseValue<Row>(
  entity: Entity<Row>,
  field: Choice<Row>,
  line: string,
  isNot: boolean,
): { value: string; note: string | null } | { refused: string } {
  const own = valuesOf(field, entity.rows);
  if (own.length === 0) return { refused: `none of its ${entity.many} has ${field.has}.` };
  const named = own.find((one) => one.line === line);
  const usual = [...(field.usual ?? []), ...(field.order ?? [])].find((value) => lineOf(value) === line);
  const begun = named || usual ? [] : own.filter(({ head }) => head === line);
  const [only, second] = begun;
  if (only && !second && isAlone(field, line, only, own))
    return { value: only.shown, note: `I read “${line}” as “${only.shown}”.` };
  const ofPerson = field.isPerson ? own.filter((one) => holdsWords(one.line, line)) : [];
  if (!named && ofPerson.length === 1 && ofPerson[0])
    return { value: ofPerson[0].shown, note: `I read “${line}” as “${ofPerson[0].shown}”.` };
  const values = `its values for ${field.noun} are ${quoteCounts(own)}.`;
  const isOrdered = field.order?.some((value) => lineOf(value) === line) ?? false;
  const unclear = own.filter(
    (one) => one !== named && (field.isNear?.(line, one.shown) || (!isOrdered && holdsWords(one.line, line))),
  );
  if (unclear.length > 0 || (isNot && !named && !isOrdered))
    return { refused: `${values} Ask with one of these exactly.` };
  return {
    value: named?.shown ?? usual ?? line,
    note: named ? null : `No row has exactly this value: ${values}`,
  };
}
