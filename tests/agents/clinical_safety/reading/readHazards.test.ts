import { expect, test } from '@jest/globals';
import { makeIdLookup } from '../../../../bot/agents/clinical_safety/reading/readHazards.ts';

test('hazards are found by their id without case and spaces, in the log’s order', () => {
  const hazards = [{ id: 'HAZ01' }, { id: 'haz 01' }, { id: 'HAZ02' }];
  const find = makeIdLookup(hazards);
  expect(find(' Haz01')).toEqual([hazards[0], hazards[1]]);
  expect(find('HAZ02')).toEqual([hazards[2]]);
  expect(find('HAZ03')).toEqual([]);
});

test('each hazard is looked at once, however many ids are asked for, and not before', () => {
  let looks = 0;
  const hazards = ['A1', 'A2', 'A3'].map((own) => ({
    get id() {
      looks += 1;
      return own;
    },
  }));
  const find = makeIdLookup(hazards);
  expect(looks).toBe(0);
  for (const id of ['A1', 'A3', 'A9']) find(id);
  expect(looks).toBe(3);
});
