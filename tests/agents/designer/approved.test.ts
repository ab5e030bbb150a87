import { beforeAll, describe, expect, test } from '@jest/globals';
import { readApproved } from './approved.ts';
import { DRAWINGS } from './drawings.ts';

// To change it on purpose: run `npm run approve`, look at the pages and pictures, and read the difference.
describe.each(Object.keys(DRAWINGS))('an approved drawing does not change: %s', (file) => {
  const approved = readApproved(file);
  let made: Map<string, string>;
  beforeAll(() => {
    made = new Map(DRAWINGS[file]?.());
  });
  test.each([...approved])('%s', (name, text) => {
    expect(made.get(name)).toBe(text);
  });
  test('every drawing has been approved', () => {
    expect([...made.keys()]).toEqual([...approved.keys()]);
  });
});
