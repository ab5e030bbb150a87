import type { Entity, Field } from './entity.ts';
import { isPresent, keyOf } from './evaluate.ts';
import { lineOf } from './tokens.ts';

type Choice<Row> = Field<Row> & { kind: 'choice' };
type Use = { shown: string; line: string; count: number };

/** The values that rows have, in their order, with how many rows have each. */
function usesOf<Row>({ rows }: Entity<Row>, field: Choice<Row>): Use[] {
  const uses = new Map<string, Use>();
  for (const row of rows) {
    const shown = field.read(row)?.trim();
    if (!shown) continue;
    const use = uses.get(keyOf(shown)) ?? { shown, line: lineOf(shown), count: 0 };
    use.count += 1;
    uses.set(keyOf(shown), use);
  }
  return [...uses.values()];
}

const MAX_SHOWN = 8;
const list = (uses: readonly Use[]) =>
  `${uses
    .slice(0, MAX_SHOWN)
    .map(({ shown, count }) => `“${shown}” (${count})`)
    .join(', ')}${uses.length > MAX_SHOWN ? ' …' : ''}`;

const holdsWords = (line: string, words: string) => ` ${line} `.includes(` ${words} `);

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
  const own = usesOf(entity, field);
  if (own.length === 0) return { refused: `none of its ${entity.many} has ${field.has}.` };
  const named = own.find((use) => use.line === line);
  const usual = [...(field.usual ?? []), ...(field.order ?? [])].find((value) => lineOf(value) === line);
  const values = `its values for ${field.noun} are ${list(own)}.`;
  const isOrdered = field.order?.some((value) => lineOf(value) === line) ?? false;
  const unclear = own.filter(
    (use) => use !== named && (field.isNear?.(line, use.shown) || (!isOrdered && holdsWords(use.line, line))),
  );
  if (unclear.length > 0 || (isNot && !named && !isOrdered))
    return { refused: `${values} Ask with one of these exactly.` };
  return {
    value: named?.shown ?? usual ?? line,
    note: named ? null : `No row has exactly this value: ${values}`,
  };
}

/** Whether any row has a value of a field. */
export const isUsed = <Row>({ rows }: Entity<Row>, field: Field<Row>): boolean =>
  rows.some((row) => isPresent(field.read(row)));
