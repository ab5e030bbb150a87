import type { Condition, Query } from '../../../../models/contracts/askedQuery.ts';
import { fitsEntity } from '../chips.ts';
import { chooseValue } from '../chooseValue.ts';
import type { Entity } from '../entity.ts';
import { fieldsIn } from '../evaluate.ts';
import { lineOf } from '../lines.ts';
import { type QueryAnswer, sayQueries } from '../sayQueries.ts';

/** Every condition on values of a choice. */
function choicesIn(condition: Condition | null): { field: string; is: string[] }[] {
  if (!condition) return [];
  if ('all' in condition) return condition.all.flatMap(choicesIn);
  if ('any' in condition) return condition.any.flatMap(choicesIn);
  if ('not' in condition) return choicesIn(condition.not);
  return 'is' in condition ? [condition] : [];
}

/**
 * Asks one kind of row for what was asked of another: "what about controls?". Fields are the same where their ids and
 * their nouns are.
 * @param nounOf the noun of a field of the other kind
 */
export function adoptQuery<Row>(
  entity: Entity<Row>,
  base: Query,
  nounOf: (field: string) => string,
): QueryAnswer | { cannot: string } {
  const query: Query = { ...base, entity: entity.id };
  const named = [
    ...fieldsIn(query.where),
    ...(query.sort ? [query.sort.field] : []),
    ...(query.group ? [query.group] : []),
  ];
  const isOwn = (name: string) => entity.fields.find(({ id }) => id === name)?.noun === nounOf(name);
  const lacking = [...new Set(named.filter((name) => !isOwn(name)))];
  if (lacking.length > 0)
    return { cannot: `I can’t ask ${entity.many} for the same: they have no ${lacking.map(nounOf).join(' and no ')}.` };
  if (!fitsEntity(entity, query)) return { cannot: `I can’t ask ${entity.many} for the same. Ask in full.` };
  const notes: string[] = [];
  for (const { field: name, is } of choicesIn(query.where)) {
    const field = entity.fields.find(({ id }) => id === name);
    if (field?.kind !== 'choice') continue;
    for (const value of is) {
      const chosen = chooseValue(entity, field, lineOf(value), false);
      if ('refused' in chosen) return chosen;
      if (chosen.note) notes.push(chosen.note);
    }
  }
  return sayQueries(entity, [query], { notes, leftOut: [] });
}
