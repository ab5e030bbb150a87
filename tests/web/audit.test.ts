import { describe, expect, test } from '@jest/globals';
import { auditQuery } from '../../web/data/audit.ts';

describe('the pages of the audit', () => {
  const filter = { kind: 'people' as const, userId: 3 };
  test('begin with the newest rows that fit the filter', () =>
    expect(auditQuery(filter, null)).toEqual({ ...filter, limit: 50 }));
  test('go on where the page before ends now, so that newer rows leave no gap', () => {
    expect(auditQuery(filter, { next: 51 })).toEqual({ ...filter, before: 51, limit: 50 });
    expect(auditQuery(filter, { next: 83 })).toEqual({ ...filter, before: 83, limit: 50 });
  });
  test('end at the chain’s beginning', () => expect(auditQuery(filter, { next: null })).toBeNull());
});
