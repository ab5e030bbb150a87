import { describe, expect, test } from '@jest/globals';
import { auditQuery } from '../../web/data/audit.ts';
import { outcomeInWords, subjectInWords } from '../../web/pages/audit/eventWords.ts';

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

describe('the words of the audit', () => {
  const names = new Map([[7, 'Ada Okafor']]);
  test.each([
    ['interrupt:12', 'Question 12'],
    ['analysis:4:evidence', 'Analysis 4, evidence'],
    ['analysis:4', 'Analysis 4'],
    ['user:7', 'Ada Okafor'],
    ['file:66f2a1b2c3d4e5f601020304', 'File …020304'],
    ['something:else', 'something:else'],
  ])('name the subject %s as “%s”', (subject, words) => expect(subjectInWords(subject, names)).toBe(words));

  test.each([
    ['roles.changed', 'approver clinical-safety-officer -> member', 'Approver, Clinical Safety Officer → Member'],
    ['member.invited', 'approver by mail', 'Approver by mail'],
    ['member.removed', 'owner -> none', 'Owner → none'],
    // A word that is a role elsewhere.
    ['interrupt.withdrawn', 'by a member', 'by a member'],
    ['link.made', 'clinical_safety:4', 'result 4 of Clara'],
    ['interrupt.rows-decided', `2:${'a'.repeat(64)}`, '2 rows'],
    ['interrupt.assigned', 'to user:7', 'to Ada Okafor'],
  ])('say of %s with %s “%s”', (event, outcome, words) => expect(outcomeInWords(event, outcome, names)).toBe(words));
});
