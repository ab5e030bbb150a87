import { describe, expect, test } from '@jest/globals';
import { CHANNELS } from '../../models/contracts/channels.ts';
import type { ConnectorCard } from '../../models/contracts/connectorCard.ts';
import {
  authorizePathOf,
  CONNECTORS,
  findConnector,
  serviceNamesOf,
  toolBegun,
} from '../../models/contracts/connectors.ts';
import { INTEGRATIONS, integrationIdOf } from '../../models/contracts/integrations.ts';
import { requireRow } from '../../models/store/requireRow.ts';

const cards: readonly ConnectorCard[] = CONNECTORS;
const cardOf = (service: string) => requireRow(findConnector(service) ?? null);

describe('the cards of the connectors', () => {
  test('have the thirteen of the specification, and no two share a name', () => {
    const thirteen =
      'notion googledrive sharepoint linear jira github figma mailchimp twitter confluence airtable salesforce hubspot';
    expect(cards.map(({ id }) => id)).toEqual(expect.arrayContaining(thirteen.split(' ')));
    const names = cards.flatMap(serviceNamesOf);
    expect(names).toHaveLength(new Set(names).size);
  });

  test('are in the order of the pages, with what each page shows and where connecting starts', () => {
    const shown = INTEGRATIONS.map(({ id, category, oauthUrl = '' }) => `${category}: ${id} ${oauthUrl}`.trim());
    const specified = [
      'Documentation and Process: sandbox',
      'Documentation and Process: notion /api/oauth/notion/authorize',
      'Documentation and Process: googledrive /api/oauth/google/authorize?scope=drive',
      'Documentation and Process: sharepoint /api/oauth/sharepoint/initiate',
      'Documentation and Process: linear /api/oauth/linear/authorize',
      'Documentation and Process: jira /api/oauth/jira/authorize',
      'Communication: arc-chat',
      'Communication: slack /api/oauth/slack/authorize',
      'Communication: teams',
      'Enterprise: github /api/oauth/github/authorize',
      'Enterprise: figma /api/oauth/figma/authorize',
      'Enterprise: mailchimp /api/oauth/mailchimp/authorize',
      'Enterprise: twitter /api/oauth/twitter/authorize',
    ];
    expect(shown.filter((line) => specified.includes(line))).toEqual(specified);
    expect(INTEGRATIONS.flatMap(({ id, documentation }) => (documentation ? [id] : []))).toEqual(
      expect.arrayContaining(['sandbox', 'notion', 'googledrive', 'sharepoint']),
    );
    const ofChannels = CHANNELS.map(({ integration }) => integration.id);
    expect(INTEGRATIONS.flatMap(({ id, channel }) => (channel ? [id] : []))).toEqual(ofChannels);
  });

  test.each([
    ['google', 'googledrive'],
    ['googledocs', 'googledrive'],
    ['googledrive', 'googledrive'],
    ['confluence', 'confluence'],
    ['teams-bot', 'teams'],
    ['arc-chat', 'arc-chat'],
    ['vercel', 'vercel'],
    ['constructor', 'constructor'],
  ])('are found by any of their names: %s is stored as %s', (name, id) => expect(integrationIdOf(name)).toBe(id));

  test.each([
    ['google', 'docs', 'googledocs'],
    ['google', 'drive', 'googledrive'],
    ['google', undefined, 'googledrive'],
    ['googledocs', undefined, 'googledocs'],
    ['googledocs', 'drive', 'googledocs'],
    ['jira', 'docs', 'jira'],
  ])('name the tool that starts at %s with the scope %s: %s', (service, scope, tool) =>
    expect(toolBegun(cardOf(service), service, scope)).toBe(tool),
  );

  test.each([
    ['googledocs', '/api/oauth/google/authorize?scope=docs'],
    ['googledrive', '/api/oauth/google/authorize?scope=drive'],
    ['sharepoint', '/api/oauth/sharepoint/initiate'],
    ['confluence', '/api/oauth/confluence/authorize'],
  ])('name the address where pages start to connect %s: %s', (tool, path) =>
    expect(authorizePathOf(cardOf(tool), tool)).toBe(path),
  );
});
