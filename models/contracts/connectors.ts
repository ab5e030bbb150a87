import type { ConnectorCard, ConnectorTool } from './connectorCard.ts';
import { airtableCard } from './connectors/airtable.ts';
import { confluenceCard } from './connectors/confluence.ts';
import { figmaCard } from './connectors/figma.ts';
import { githubCard } from './connectors/github.ts';
import { googledriveCard } from './connectors/googledrive.ts';
import { hubspotCard } from './connectors/hubspot.ts';
import { jiraCard } from './connectors/jira.ts';
import { linearCard } from './connectors/linear.ts';
import { mailchimpCard } from './connectors/mailchimp.ts';
import { notionCard } from './connectors/notion.ts';
import { salesforceCard } from './connectors/salesforce.ts';
import { sharepointCard } from './connectors/sharepoint.ts';
import { twitterCard } from './connectors/twitter.ts';

/** Every connector, in display order. The rest of the contracts and the kernel know none by name. */
export const CONNECTORS = [
  notionCard,
  googledriveCard,
  sharepointCard,
  linearCard,
  jiraCard,
  githubCard,
  figmaCard,
  mailchimpCard,
  twitterCard,
  confluenceCard,
  airtableCard,
  salesforceCard,
  hubspotCard,
] as const satisfies readonly ConnectorCard[];

const cards: readonly ConnectorCard[] = CONNECTORS;

/** Every name of a connector in API calls: its id, its tools' ids and its aliases. */
export const serviceNamesOf = ({ id, tools, aliases }: ConnectorCard): string[] => [
  ...new Set([id, ...tools.map((tool) => tool.id), ...aliases]),
];

/** The connector with this id, tool id or alias; undefined where there is none. */
export const findConnector = (service: string): ConnectorCard | undefined =>
  cards.find((card) => serviceNamesOf(card).includes(service));

/** The tool to connect: named directly, or by an alias of the connector and a scope. */
export function toolBegun({ tools, aliases }: ConnectorCard, service: string, scope?: string): string {
  if (!aliases.includes(service)) return service;
  const named: ConnectorTool | undefined = tools.find((tool) => tool.scope === scope);
  return (named ?? tools[0])?.id ?? service;
}

/** URL at which pages start connecting one of a connector's tools. */
export function authorizePathOf({ id, tools, aliases, begins }: ConnectorCard, toolId = id): string {
  const { scope } = tools.find((tool) => tool.id === toolId) ?? {};
  const [alias = toolId] = aliases;
  return begins ?? (scope ? `/api/oauth/${alias}/authorize?scope=${scope}` : `/api/oauth/${toolId}/authorize`);
}
