import type { Condition } from '../../../models/contracts/askedQuery.ts';

/** A condition as it was read, with the word before it. */
export type Part = {
  condition: Condition;
  /** The field, where it is one value that a row can have only once; else null. */
  single: string | null;
  isNot: boolean;
  /** Null where nothing stands between it and the condition before. */
  joins: 'and' | 'or' | 'nor' | null;
  /** True where a negation before an earlier condition reaches this one: "not closed or transferred". */
  isReached: boolean;
};

const conditionOf = ({ condition, isNot }: Part): Condition => (isNot ? { not: condition } : condition);

/** Alternatives of one value as one condition: open or closed. */
function anyOf(conditions: readonly Condition[]): Condition {
  const values = conditions.map((one) => ('is' in one ? one : null));
  const [first] = values;
  const isOneField = first && values.every((one) => one?.field === first.field);
  if (isOneField) return { field: first.field, is: values.flatMap((one) => one?.is ?? []) };
  return { any: [...conditions] };
}

type Group = { parts: Part[] };
/** Whether a group is one value of a field of which another group is a value too. */
function contradicts({ parts: [own] }: Group, groups: readonly Group[]): boolean {
  if (!own?.single || own.isNot) return false;
  return groups.some(({ parts: [other] }) => other !== own && other?.single === own.single);
}

/**
 * Joins conditions as people mean them. Alternatives of one field belong together; all others must hold at once, unless
 * every one of them is joined by "or".
 * @returns null where it can be read in two ways
 */
export function combine(parts: readonly Part[]): Condition | null | undefined {
  if (parts.length === 0) return undefined;
  const groups: { parts: Part[]; joins: Part['joins'] }[] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    const before = group?.parts.at(-1);
    const isSame = part.isReached || (part.single !== null && before?.single === part.single);
    if (!group || !before || !isSame || part.joins === null) {
      groups.push({ parts: [part], joins: part.joins });
      continue;
    }
    // "Not closed and open" can be read in two ways; "not closed and not open" in one.
    if (before.isNot !== part.isNot) return null;
    // A row has one number: "a risk of 3 and a risk of 2" may mean either, or two rows.
    if (part.joins === 'and' && !part.isNot && 'operator' in part.condition) return null;
    group.parts.push(part);
  }
  const conditions = groups.map(({ parts: [first, ...others], joins }) => {
    if (!first) return null;
    const all = [first, ...others];
    if (others.length === 0) return { condition: conditionOf(first), joins };
    const any = anyOf(all.map(({ condition }) => condition));
    return { condition: first.isNot ? { not: any } : any, joins };
  });
  const read = conditions.flatMap((one) => one ?? []);
  const joins = new Set(read.slice(1).map((one) => (one.joins === 'or' ? 'or' : 'and')));
  if (joins.size > 1) return null;
  const [only] = read;
  if (read.length === 1 && only) return only.condition;
  // "Open valves that are not open": two conditions on one value, of which one was meant for something else.
  if (!joins.has('or') && groups.some((group) => contradicts(group, groups))) return null;
  const list = read.map(({ condition }) => condition);
  return joins.has('or') ? { any: list } : { all: list };
}
