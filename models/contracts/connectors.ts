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

/** Every connector, in the order of the screens. The rest of the contracts and the kernel know none by name. */
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

/** The names by which calls know a connector: its own, its tools' and its aliases. */
export const serviceNamesOf = ({ id, tools, aliases }: ConnectorCard): string[] => [
  ...new Set([id, ...tools.map((tool) => tool.id), ...aliases]),
];

/** The connector that one of its names means; undefined where the name is none of any. */
export const findConnector = (service: string): ConnectorCard | undefined =>
  cards.find((card) => serviceNamesOf(card).includes(service));

/** The tool that a person begins to connect: by its own id, or by an alias of its connector and a scope. */
export function toolBegun({ tools, aliases }: ConnectorCard, service: string, scope?: string): string {
  if (!aliases.includes(service)) return service;
  const named: ConnectorTool | undefined = tools.find((tool) => tool.scope === scope);
  return (named ?? tools[0])?.id ?? service;
}

/** Where pages begin to connect a connector, by one of its tools. */
export function authorizePathOf({ id, tools, aliases, begins }: ConnectorCard, toolId = id): string {
  const { scope } = tools.find((tool) => tool.id === toolId) ?? {};
  const [alias = toolId] = aliases;
  return begins ?? (scope ? `/api/oauth/${alias}/authorize?scope=${scope}` : `/api/oauth/${toolId}/authorize`);
}
