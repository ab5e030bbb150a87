import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const privacy = readFileSync('web/pages/legal/PrivacyPolicyPage.tsx', 'utf8').replace(/\s+/g, ' ');
const terms = readFileSync('web/pages/legal/TermsPage.tsx', 'utf8').replace(/\s+/g, ' ');

test('the legal texts keep the figures of the specification', () => {
  expect(privacy).toMatch(/under 16|16 years|age of 16/);
  expect(privacy).toMatch(/within one month/);
  expect(privacy).toMatch(/Information Commissioner/);
  expect(terms).toMatch(/six months/);
});
