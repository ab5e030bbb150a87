import { expect, test } from '@jest/globals';
import { askable } from '../../../bot/engine/queries/answerQuery.ts';
import type { Entity, Field } from '../../../bot/engine/queries/entity.ts';
import type { Query } from '../../../models/contracts/askedQuery.ts';

type Leak = { of: string; closed: boolean | null };
type Pipe = { tag: string; metal: string };

const leaks: Entity<Leak> = {
  ...{ id: 'leaks', one: 'leak', many: 'leaks' },
  rows: [
    { of: 'P1', closed: true },
    { of: 'P2', closed: false },
    { of: 'P2', closed: null },
    { of: 'P3', closed: null },
  ],
  fields: [
    {
      ...{ id: 'closed', kind: 'flag', names: [], noun: 'end', has: 'a known end', lacks: 'no known end' },
      read: ({ closed }) => closed,
      yes: { words: ['closed'], says: { verb: 'are', rest: 'closed' } },
      no: { words: ['running'], says: { verb: 'are', rest: 'running' } },
    },
  ],
  line: ({ of }) => of,
};
const metal: Field<Pipe> = {
  ...{ id: 'metal', kind: 'choice', names: ['metal'], noun: 'metal', has: 'a metal', lacks: 'no metal' },
  read: (pipe) => pipe.metal,
};
const pipes: Entity<Pipe> = {
  ...{ id: 'pipes', one: 'pipe', many: 'pipes' },
  rows: ['P1', 'P2', 'P3', 'P4'].map((tag) => ({ tag, metal: tag === 'P2' ? 'Lead' : 'Copper' })),
  fields: [metal],
  relations: [
    {
      ...{ id: 'leak', verb: 'have', to: () => leaks as Entity, note: 'Drips are no leaks.' },
      keys: ({ tag }) => [tag],
      keysOf: (leak) => [(leak as Leak).of],
    },
  ],
  line: ({ tag }) => tag,
};
const kind = askable(pipes, () => pipes);

test('rows of another kind that belong to a row are judged, and one that may fit leaves the row open', () => {
  expect(kind.ask('pipes with running leak')).toMatchObject({
    text: '1 pipe of 4 has a leak that is running:\n• P2\n1 more pipe has a leak with no known end, and is not counted here.\nDrips are no leaks.',
  });
  expect(kind.ask('pipes without running leak')).toMatchObject({
    text: expect.stringMatching(/^2 pipes of 4 have no leak that is running:\n• P1\n• P4\n1 more pipe/),
  });
  expect(kind.ask('copper pipes with closed leaks')).toMatchObject({
    text: expect.stringMatching(/^1 pipe of 4 has the metal “Copper” and a leak that is closed:\n• P1/),
  });
});

test('what may be meant of one of them or of all is not answered', () => {
  expect(kind.ask('pipes with running leaks')).toBeNull();
  expect(kind.ask('pipes with all closed leaks')).toBeNull();
});

test('rows that no result has a table of are listed with the values in which they differ', () => {
  const answered = kind.answer({ entity: 'pipes', where: { field: 'metal', is: ['Lead'] }, onlyCount: false });
  expect(answered?.listed).toEqual({ columns: ['Pipe', 'Metal'], rows: [['P2', 'Lead']], count: 1 });
});

test('a query from outside names a relation and fields that are there', () => {
  const ask = (where: Query['where']) => kind.answer({ entity: 'pipes', where, onlyCount: false });
  expect(ask({ via: 'leak', where: { field: 'closed', flag: true } })).toMatchObject({
    asked: { chips: [{ label: 'have a leak that is closed', part: 0 }] },
  });
  expect(ask({ via: 'valve', where: { field: 'closed', flag: true } })).toBeNull();
  expect(ask({ via: 'leak', where: { field: 'metal', has: true } })).toBeNull();
});
