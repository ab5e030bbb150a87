import { describe, expect, test } from '@jest/globals';
import { findPlaces } from '../../web/parts/search/places.ts';

const paths = (words: string, person: Parameters<typeof findPlaces>[1]) =>
  findPlaces(words, person, [{ title: 'Reading', path: '/agents/one/reading', note: 'Page of an agent' }]).map(
    ({ path }) => path,
  );
const owner = { isAdmin: false, roles: ['owner' as const] };
const member = { isAdmin: false, roles: ['member' as const] };

describe('the pages that a search finds', () => {
  test('have the audit for owners alone', () => {
    expect(paths('audit', owner)).toEqual(['/audit']);
    expect(paths('audit', member)).toEqual([]);
    expect(paths('audit', { isAdmin: true, roles: ['member'] })).toEqual([]);
  });
  test('have the inbox under either name', () => {
    expect(paths('inbox', member)).toEqual(['/agent-inbox']);
    expect(paths('agent inbox', member)).toEqual(['/agent-inbox']);
  });
  test('have the pages that an agent’s card names', () => {
    expect(paths('every analysis', member)).toEqual(['/analyses']);
  });
  test('have those that an agent brings', () => {
    expect(paths('reading agent', member)).toEqual(['/agents/one/reading']);
  });
  test('have those of administrators for them alone', () => {
    expect(paths('tokens', { ...owner, isAdmin: true })).toEqual(['/admin/tokens']);
    expect(paths('tokens', owner)).toEqual([]);
  });
});
