import type { Condition, Query } from '../../../models/contracts/askedQuery.ts';
import type { Entity, Relation } from './entity.ts';
import { valuesOf } from './fieldValues.ts';
import { allNouns } from './nouns.ts';
import { readQuery } from './readQuery.ts';
import { readTokens } from './tokens.ts';

/** Between rows and those of another kind that belong to them, longest first. */
const LINKS =
  'that have at least one, that have some, that have any, which have any, that have, which have, who have, that has, have at least one, has at least one, have any, has any, have some, have got, have, has, having, with at least one, with some, with any, with, of any, of, for any, for, on any, on, about any, about, from any, from, in any, in, belonging to any, belonging to, that belong to, belong to, whose, concerning, concern'.split(
    ', ',
  );
const UNLINKS = 'without any, without, that have no, which have no, have no, has no, with no, lacking'.split(', ');
/** Words of quantity: "with only planned controls" is not about one of them. */
const QUANTITY =
  /\b(?:only|just|all|every|each|both|most|many|several|few|fewer|more|less|half|exactly|same|other|own|number|numbers|than)\b/;
const MAX_WORDS = 30;

type Clause = { wheres: Condition[]; notes: readonly string[] };

/** The one row that a clause names by its id: "P-12", "pipe P-12". */
function readId<Row>(entity: Entity<Row>, line: string): Condition | null {
  const field = entity.fields.find(({ id }) => id === 'id');
  if (field?.kind !== 'choice') return null;
  const named = allNouns(entity).find((noun) => line.startsWith(`${noun} `));
  const id = named ? line.slice(named.length + 1) : line;
  const value = valuesOf(field, entity.rows).find((one) => one.line === id);
  return value ? { field: field.id, is: [value.shown] } : null;
}

const names = <Row>(entity: Entity<Row>, line: string) =>
  allNouns(entity).some((noun) => ` ${line} `.includes(` ${noun} `));

/** Conditions alone, on rows that are named, in each way that they can be meant. */
function readClause<Row>(entity: Entity<Row>, line: string): Clause | null {
  if (!names(entity, line)) return null;
  const tokens = readTokens(entity, line);
  const first = readQuery(entity, tokens);
  if (!first || 'refused' in first) return null;
  const wheres: Condition[] = [];
  for (let way = 0; way < first.ways; way += 1) {
    const read = way === 0 ? first : readQuery(entity, tokens, way);
    if (!read || 'refused' in read || read.leftOut.length > 0) return null;
    const { where, sort, limit, group, onlyCount } = read.query;
    if (!where || sort || limit !== undefined || group || onlyCount) return null;
    wheres.push(where);
  }
  return { wheres, notes: first.notes };
}

/** The question before the link: its own conditions, or all rows. */
function readMain<Row>(entity: Entity<Row>, line: string): Query | null {
  const plain = line
    .replace(/^(?:which|what|show|list|find|show me|give me|are there|are there any|do we have|any) /, '')
    .replace(/ (?:that|which|who)$/, '');
  if (allNouns(entity).includes(plain)) return { entity: entity.id, where: null, onlyCount: false };
  const read = readQuery(entity, readTokens(entity, line));
  const isWhole = read && !('refused' in read) && read.ways === 1 && read.leftOut.length === 0;
  return isWhole && read.query.limit === undefined ? read.query : null;
}

const hasNot = (where: Condition): boolean => {
  if ('not' in where) return true;
  const parts = 'all' in where ? where.all : 'any' in where ? where.any : [];
  return ('flag' in where && !where.flag) || parts.some(hasNot);
};

/** "With leaks without a date" may mean one of them or all of them; "with a leak without a date" means one. */
const mayBeAll = <Row>(other: Entity<Row>, clause: string, { wheres }: Clause): boolean =>
  wheres.some(hasNot) && allNouns(other).some((noun) => noun.endsWith('s') && ` ${clause} `.includes(` ${noun} `));

/** "And are open" behind a condition on a control may be meant for its row too: not answered. */
function mayBeOfMain<Row>(entity: Entity<Row>, clause: string): boolean {
  const joined = [...clause.matchAll(/ (?:and|or|but) /g)].map(({ index, 0: word }) =>
    clause.slice(index + word.length),
  );
  return joined.some((tail) => {
    const ways = [`${entity.many} ${tail}`, `${entity.many} with ${tail}`, `${entity.many} that ${tail}`];
    return ways.some((line) => readQuery(entity, readTokens(entity, line)) !== null);
  });
}

type Link = { link: string; isNot: boolean; isOwn: boolean };
const linksOf = <Row>({ links = [], unlinks = [] }: Relation<Row>): Link[] => [
  ...LINKS.map((link) => ({ link, isNot: false, isOwn: false })),
  ...UNLINKS.map((link) => ({ link, isNot: true, isOwn: false })),
  ...links.map((link) => ({ link, isNot: false, isOwn: true })),
  ...unlinks.map((link) => ({ link, isNot: true, isOwn: true })),
];

/** Where a phrase stands behind the first word. */
function placesOf(words: readonly string[], phrase: string): number[] {
  const size = phrase.split(' ').length;
  return words.flatMap((_, at) => (at > 0 && words.slice(at, at + size).join(' ') === phrase ? [at] : []));
}

function withCondition(query: Query, condition: Condition, isNot: boolean): Query {
  const { where } = query;
  const before = where && 'all' in where ? where.all : where ? [where] : [];
  const own = isNot ? { not: condition } : condition;
  return { ...query, where: before.length > 0 ? { all: [...before, own] } : own };
}

/** Why the rows of another kind can't be asked for that: they have no such value. */
function refusalIn<Row>(relation: Relation<Row>, clause: string): string | null {
  const other = relation.to();
  if (!names(other, clause)) return null;
  const read = readQuery(other, readTokens(other, clause));
  return read && 'refused' in read ? read.refused : null;
}

/**
 * Whether "that" stands behind rows of another kind, so that what follows is about those: "pipes with a leak that is
 * open".
 */
export const saysOfRelated = <Row>({ relations = [] }: Entity<Row>, line: string): boolean =>
  relations.some(({ to }) =>
    allNouns(to()).some((noun) =>
      ['that', 'which', 'who', 'whose'].some((word) => ` ${line} `.includes(` ${noun} ${word} `)),
    ),
  );

/**
 * Reads a question with a condition on rows of another kind that belong to the asked ones: "findings of pipes rated 4",
 * "pipes with a leak that is open". It must be readable in one way only.
 * @returns null where it is no such question, or can be read in two ways; `refused`: what the other rows lack
 */
export function readRelated<Row>(
  entity: Entity<Row>,
  line: string,
): { queries: Query[]; notes: string[]; leftOut: string[] } | { refused: string } | null {
  const words = line.split(' ');
  if (words.length > MAX_WORDS) return null;
  const found = new Map<string, { queries: Query[]; notes: string[] }>();
  let refused: string | null = null;
  for (const relation of entity.relations ?? []) {
    for (const { link, isNot, isOwn } of linksOf(relation))
      for (const at of placesOf(words, link)) {
        const clause = words.slice(at + link.split(' ').length).join(' ');
        if (clause === '' || QUANTITY.test(clause)) continue;
        const before = words.slice(0, at).join(' ');
        const main = readMain(entity, isOwn ? before.replace(/ (?:are|is|were|was)$/, '') : before);
        if (!main) continue;
        const id = isOwn ? readId(relation.to(), clause) : null;
        const read = id ? { wheres: [id], notes: [] } : readClause(relation.to(), clause);
        if (!read) {
          refused ??= refusalIn(relation, clause);
          continue;
        }
        if (mayBeOfMain(entity, clause) || (relation.verb === 'have' && mayBeAll(relation.to(), clause, read)))
          return null;
        const queries = read.wheres.map((where) => withCondition(main, { via: relation.id, where }, isNot));
        const notes = [...read.notes, ...(relation.note ? [relation.note] : [])];
        found.set(JSON.stringify(queries), { queries, notes });
      }
  }
  const [only, another] = found.values();
  if (only && !another) return { ...only, leftOut: [] };
  return !only && refused ? { refused } : null;
}
