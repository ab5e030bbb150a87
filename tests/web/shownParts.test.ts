import { describe, expect, test } from '@jest/globals';
import { findingPath, hazardPath } from '../../models/contracts/clinical_safety/analyses.ts';
import {
  openedHazard,
  shownPart,
  withFinding,
  withHazard,
  withPart,
} from '../../web/agents/clinical_safety/result/shownParts.ts';
import { makeHazard } from '../factories/analysisResult.ts';

const address = (text: string) => new URLSearchParams(text);
const query = (entity: string) => `query=${encodeURIComponent(JSON.stringify({ entity }))}`;
const at = (id: string, first: number) => makeHazard({ id, rows: { sheet: 'Log', first, last: first } });

describe('the part of a result that an address shows', () => {
  test.each([
    ['', 'overview'],
    ['show=tickets', 'tickets'],
    ['show=nothing', 'overview'],
    [query('hazards'), 'hazards'],
    [query('analyses'), 'overview'],
    [`show=findings&${query('hazards')}`, 'findings'],
    ['with=3', 'changes'],
    ['show=overview&with=3', 'overview'],
    ['hazard=H-1', 'hazards'],
    ['finding=a', 'findings'],
  ])('%s is %s', (text, part) => expect(shownPart(address(text))).toBe(part));

  test('is kept beside what else the address says', () =>
    expect(String(withPart(address('with=3&show=hazards'), 'changes'))).toBe('with=3&show=changes'));
});

describe('a hazard in the address', () => {
  const hazards = [at('H-1', 4), at('H-2', 5), at('H-1', 9)];
  test('is opened by its id, and by its row where several have that id', () => {
    expect(openedHazard(address('hazard=H-1'), hazards)).toBe(hazards[0]);
    expect(openedHazard(address('hazard=H-1&row=9'), hazards)).toBe(hazards[2]);
    expect(openedHazard(address('hazard=H-1&row=5'), hazards)).toBe(hazards[0]);
    expect(openedHazard(address('hazard=H-3&row=4'), hazards)).toBeUndefined();
    expect(openedHazard(address(''), hazards)).toBeUndefined();
  });
  test('stands beside the part that was shown, and closes without a trace', () => {
    const opened = withHazard(address('show=overview'), hazards[2] ?? at('', 0));
    expect(String(opened)).toBe('show=overview&hazard=H-1&row=9');
    expect(openedHazard(opened, hazards)).toBe(hazards[2]);
    expect(String(withHazard(opened, null))).toBe('show=overview');
  });
  test('is where the search leads', () => {
    const found = address(new URL(hazardPath(7, { hazardId: 'H 1&2', firstRow: 3 }), 'http://arc').search);
    expect([shownPart(found), openedHazard(found, [at('H 1&2', 3)])?.rows.first]).toEqual(['hazards', 3]);
  });
});

describe('a finding in the address', () => {
  test('stands beside its part, and closes without a trace', () => {
    const opened = withFinding(address('show=findings'), 'rule H-1 Log!B4');
    expect(opened.get('finding')).toBe('rule H-1 Log!B4');
    expect(String(withFinding(opened, null))).toBe('show=findings');
  });
  test('is where the search leads', () => {
    const found = address(new URL(findingPath(7, 'a b&c'), 'http://arc').search);
    expect([shownPart(found), found.get('finding')]).toEqual(['findings', 'a b&c']);
  });
});
