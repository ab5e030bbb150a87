import { describe, expect, test } from '@jest/globals';
import {
  CHANNEL_NAMES,
  CHANNEL_PLACES,
  channelOfSurface,
  isRemoteChannel,
  REMOTE_CHANNELS,
  wordsSurfaceOf,
} from '../../models/contracts/channels.ts';
import { leastConsent, preferences, putPreferences } from '../../models/contracts/preferences.ts';
import { surface } from '../../models/contracts/surface.ts';
import { env, isConfigured } from '../../models/env.ts';

describe('the channels', () => {
  test.each([
    ['inbox', 'arc', 'the inbox'],
    ['arc-chat', 'arc', 'arc-chat'],
    ['slack', 'slack', 'Slack'],
    ['slack-home', 'slack', 'Slack'],
    ['teams', 'teams', 'Teams'],
  ] as const)('%s is a surface of %s, called “%s”', (name, channel, place) => {
    expect(surface.parse(name)).toBe(name);
    expect(channelOfSurface(name)).toBe(channel);
    expect(CHANNEL_PLACES[name]).toBe(place);
  });

  test.each(['mail', 'api', 'constructor'])('an unknown surface, e.g. %s, is our own', (name) => {
    expect(channelOfSurface(name)).toBe('arc');
  });

  test('words answer a question in their own conversation', () => {
    expect((['arc', 'slack', 'teams'] as const).map(wordsSurfaceOf)).toEqual(['arc-chat', 'slack', 'teams']);
  });

  test('all but our own belong to other companies, unknown ones too', () => {
    expect(REMOTE_CHANNELS).toEqual(CHANNEL_NAMES.filter((name) => name !== 'arc'));
    expect(REMOTE_CHANNELS).toEqual(expect.arrayContaining(['slack', 'teams']));
    expect(isRemoteChannel('arc')).toBe(false);
    expect(isRemoteChannel('mattermost' as never)).toBe(true);
  });

  test('each starts with the strictest consent, and all ask for it', () => {
    expect(leastConsent()).toEqual(Object.fromEntries(REMOTE_CHANNELS.map((name) => [name, 'reference-only'])));
    const { channelConsent } = preferences.shape;
    expect(channelConsent.safeParse({ slack: 'full' }).success).toBe(false);
    const { body } = putPreferences;
    expect(body.parse({ channelConsent: { slack: 'full' } })).toEqual({ channelConsent: { slack: 'full' } });
    expect(body.safeParse({ channelConsent: { slack: 'everything' } }).success).toBe(false);
    const chosen = { ...leastConsent(), slack: 'full', teams: 'redacted' };
    expect(channelConsent.parse(chosen)).toEqual(chosen);
    expect(channelConsent.safeParse({ ...chosen, teams: 'everything' }).success).toBe(false);
  });

  test('a channel is off while any of its variables is missing', () => {
    const card = { needs: ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'] } as const;
    const from = (id: string, secret: string) => ({ ...env, SLACK_CLIENT_ID: id, SLACK_CLIENT_SECRET: secret });
    expect(isConfigured(card, from('a', 'b'))).toBe(true);
    expect(isConfigured(card, from('a', ''))).toBe(false);
    expect(isConfigured(card, from('', 'b'))).toBe(false);
    expect(isConfigured({ needs: [] }, from('', ''))).toBe(true);
  });
});
