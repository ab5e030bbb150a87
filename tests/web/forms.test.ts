import { describe, expect, test } from '@jest/globals';
import { leastConsent, type Preferences } from '../../models/contracts/preferences.ts';
import { grantFault } from '../../web/data/admin.ts';
import { changesOf } from '../../web/data/preferences.ts';
import { creditsOf } from '../../web/data/typedCredits.ts';

describe('typed credits', () => {
  test.each([
    ['50000', 50_000],
    ['50,000', 50_000],
    ['1,250,000', 1_250_000],
    ['50 000', 50_000],
    [' 7 ', 7],
  ])('%s are read', (typed, credits) => expect(creditsOf(typed)).toBe(credits));
  test.each(['', '0', '-5', '1e6', '12abc', '5.9', '1,5', '5,0000', 'Infinity', '99999999999999999999'])(
    '"%s" is refused',
    (typed) => expect(creditsOf(typed)).toBeNull(),
  );
});

test('a grant is a positive number of tokens, up to a thousand million', () => {
  expect(grantFault('1,000,000,000')).toBeNull();
  expect(grantFault('1000000001')).toBe('Please enter at most 1,000,000,000 tokens.');
  expect(grantFault('0')).toBe('Please enter a valid positive number of tokens.');
});

test('only preferences that were edited and differ are sent', () => {
  const kept: Preferences = {
    firstName: 'Ada',
    lastName: null,
    companyName: 'Renamed by a colleague',
    timeZone: 'Europe/London',
    channelConsent: { ...leastConsent(), teams: 'full' },
    questionMail: 'hourly',
    mailRefused: false,
    quietHours: null,
    workingHours: { days: [1], from: '09:00', to: '17:00' },
    holidays: [],
    clinicalSafetyOfficer: null,
    signsAnswers: false,
    signsTwice: false,
    signers: 1,
  };
  expect(changesOf(kept, {})).toEqual({});
  expect(changesOf(kept, { firstName: 'Ada', lastName: 'Okafor', quietHours: null })).toEqual({ lastName: 'Okafor' });
  expect(changesOf(kept, { channelConsent: { slack: 'reference-only', teams: 'redacted' } })).toEqual({
    channelConsent: { teams: 'redacted' },
  });
  expect(changesOf(kept, { channelConsent: { teams: 'full' } })).toEqual({});
});
