import { describe, expect, test } from '@jest/globals';
import { loginFor, safePlace } from '../../web/data/nextPlace.ts';
import { productName, readReturn } from '../../web/data/oauthReturn.ts';
import { teamFrom } from '../../web/data/visitorTeam.ts';

describe('the outcome in an address after a provider’s redirect', () => {
  const figma = { kind: 'figma', service: 'figma', rest: '' };
  test.each([
    ['/', '', null],
    ['/', '?error=no&success=1', null],
    ['/workspace', '?agent=7&tab=tools', null],
    [
      '/',
      '?oauth=success&service=notion&agent=mdr',
      { kind: 'connection', service: 'notion', succeeded: true, reason: null, rest: '' },
    ],
    [
      '/workspace',
      '?oauth=error&service=jira&agent=7&tab=tools&error=access_denied',
      {
        kind: 'connection',
        service: 'jira',
        succeeded: false,
        reason: 'The connection was not allowed.',
        rest: 'agent=7&tab=tools',
      },
    ],
    [
      '/auth',
      '?oauth=error&service=google&error=login_not_configured',
      {
        kind: 'login',
        service: 'google',
        succeeded: false,
        reason: 'Logging in with Google is not configured on this server.',
        rest: '',
      },
    ],
    ['/workspace', '?success=true', { ...figma, succeeded: true, reason: null }],
    [
      '/workspace',
      '?success=true&error=access_denied',
      { ...figma, succeeded: false, reason: 'The connection was not allowed.' },
    ],
    ['/workspace', '?figmaToken=secret', { ...figma, succeeded: false, reason: null }],
  ])('%s%s', (pathname, search, read) => expect(readReturn(pathname, search)).toEqual(read));

  test.each([
    ['some_code_of_a_vendor', null],
    ['Your account is locked. Call 020 7946 0000 to unlock it', null],
    ['Ring us: https://elsewhere.test now', null],
    ['toString', null],
    ['not_begun_here', 'The connection was not begun here, or took longer than ten minutes. Please try again.'],
    ['not_configured', 'This service is not configured on this server.'],
  ])('the reason "%s" reads %p', (error, reason) => {
    expect(readReturn('/', `?${new URLSearchParams({ oauth: 'error', error })}`)?.reason).toBe(reason);
  });

  test.each([
    ['googledrive', 'Google Drive'],
    ['googledocs', 'Google Docs'],
    ['teams-bot', 'Microsoft Teams'],
    ['microsoft', 'Microsoft'],
    ['google', 'Google'],
    ['constructor', 'this service'],
    ['hubspot', 'HubSpot'],
    ['You have won', 'this service'],
  ])('%s is written %s', (service, name) => expect(productName(service)).toBe(name));
});

describe('the page after a login', () => {
  const at = (pathname: string, search = '', hash = '') => loginFor({ pathname, search, hash });
  test('is the page before it, with its query and fragment', () => {
    expect(at('/')).toBe('/auth');
    expect(at('/', '', '#integrations')).toBe('/auth?next=%2F%23integrations');
    expect(at('/privacy-policy')).toBe('/auth');
    expect(at('/workspace', '?agent=7')).toBe('/auth?next=%2Fworkspace%3Fagent%3D7');
  });
  test.each([
    ['/#integrations', '/#integrations'],
    [null, '/'],
    ['https://elsewhere.test/', '/'],
    ['//elsewhere.test', '/'],
    ['/\\elsewhere.test', '/'],
    ['/\t/elsewhere.test', '/'],
    ['javascript:alert(1)', '/'],
  ])('%p is %s', (next, place) => expect(safePlace(next)).toBe(place));
});

describe('a visitor’s stored team', () => {
  const nobody = { goal: null, agents: {} };
  test.each([
    null,
    7,
    'text',
    [],
    {},
    { agents: null },
    { agents: [1] },
    { agents: 'x' },
    { agents: { nobody: { status: 'hired', tools: [] } } },
    { agents: { __proto__: { status: 'hired' } } },
    { agents: { mdr: null, clinical_safety: { status: 'promoted' } } },
    { goal: 7 },
    { goal: '   ' },
  ])('is empty for %j', (kept) => expect(teamFrom(kept)).toEqual(nobody));
  test('keeps its valid parts', () => {
    const kept = {
      goal: 'g'.repeat(600),
      agents: {
        mdr: { status: 'onboarded', tools: ['notion', 7, 'nothing'] },
        developer: { status: 'hired', tools: 1 },
      },
      more: true,
    };
    expect(teamFrom(kept)).toEqual({
      goal: 'g'.repeat(500),
      agents: { mdr: { status: 'onboarded', tools: ['notion'] }, developer: { status: 'hired', tools: [] } },
    });
  });
});
