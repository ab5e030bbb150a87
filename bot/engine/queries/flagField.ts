import type { Field, Phrase } from './entity.ts';

type Side = { words: readonly string[]; says: Phrase };

/** A field that is true or false of a row, such as whether a valve leaks. It has no name of its own. */
export const flagField = <Row>(
  id: string,
  read: (row: Row) => boolean | null,
  yes: Side,
  no: Side,
  lacks = `no ${id}`,
): Field<Row> => ({
  ...{ id, kind: 'flag', names: [], noun: id, has: id, lacks },
  read,
  yes,
  no,
});

/** What happened to a row is also asked for in the past: "answered", "were answered". */
export const inThePast = (words: readonly string[]): string[] =>
  words.flatMap((word) => [word, `were ${word}`, `was ${word}`]);

/** A state that a row is in or not: "are waiting", "are not waiting". */
export const stateField = <Row>(
  id: string,
  words: string,
  read: (row: Row) => boolean,
  { opposite = '', says }: { opposite?: string; says?: { yes: Phrase; no: Phrase } } = {},
): Field<Row> => {
  const [named = id, ...others] = words.split(', ');
  return flagField(
    id,
    read,
    { words: [named, ...others], says: says?.yes ?? { verb: 'are', rest: named } },
    { words: opposite ? opposite.split(', ') : [], says: says?.no ?? { verb: 'are', rest: `not ${named}` } },
  );
};

/** Something that happened to a row or did not: "have been answered", "have not been answered". */
export const eventField = <Row>(id: string, words: string, read: (row: Row) => boolean, opposite = ''): Field<Row> => {
  const [named = id, ...others] = words.split(', ');
  const notSo = [named, ...others].flatMap((word) => [
    `were not ${word}`,
    `was not ${word}`,
    `were never ${word}`,
    `was never ${word}`,
  ]);
  const against = opposite ? inThePast(opposite.split(', ')) : [];
  const field = flagField(
    id,
    read,
    { words: inThePast([named, ...others]), says: { verb: 'have', rest: `been ${named}` } },
    { words: [...against, ...notSo], says: { verb: 'have', rest: `not been ${named}` } },
  );
  return { ...field, isPast: true };
};
