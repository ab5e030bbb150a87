import { beforeAll, describe, expect, test } from '@jest/globals';
import { readApproved } from './approved.ts';
import { DRAWINGS } from './drawings.ts';

// Changed on purpose: `npm run approve`, look at the pages and pictures, read the difference.
describe.each(Object.keys(DRAWINGS))('what was looked at stays as it is: %s', (file) => {
  const approved = readApproved(file);
  let made: Map<string, string>;
  beforeAll(() => {
    made = new Map(DRAWINGS[file]?.());
  });
  test.each([...approved])('%s', (name, text) => {
    expect(made.get(name)).toBe(text);
  });
  test('nothing is made that nobody has looked at', () => {
    expect([...made.keys()]).toEqual([...approved.keys()]);
  });
});
