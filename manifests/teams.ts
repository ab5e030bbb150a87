import { WORKING_AGENTS } from '../models/contracts/catalogue.ts';
/** The input of a Teams app package: the customer's app registration, tenant and URL of Arc. */
export type TeamsApp = { appId: string; tenantId: string; baseUrl: string };

export const TEAMS_ICONS = { color: 'color.png', outline: 'outline.png' } as const;
const ACCENT = '#0a6c66';
/** Increment with every change of the manifest: Teams only accepts a newer version. */
const VERSION = '1.0.0';

/** Application ID URI of the registration, for single sign-on in the tab. */
const resourceOf = ({ appId, baseUrl }: Pick<TeamsApp, 'appId' | 'baseUrl'>) =>
  `api://${new URL(baseUrl).host}/botid-${appId}`;

const commands = [
  { title: 'help', description: 'What the agent of this conversation can do' },
  { title: 'inbox', description: 'What waits for you' },
  { title: 'status', description: 'Agents and credits' },
  { title: 'hire', description: 'Who can be hired' },
  { title: 'agent Clara', description: 'Choose who answers here' },
];

/** The Teams app manifest, version 1.24, for one customer. */
export function teamsManifest(app: TeamsApp) {
  const { appId, tenantId, baseUrl } = app;
  const { host } = new URL(baseUrl);
  return {
    $schema: 'https://developer.microsoft.com/en-us/json-schemas/teams/v1.24/MicrosoftTeams.schema.json',
    manifestVersion: '1.24',
    version: VERSION,
    id: appId,
    developer: {
      name: 'Arc',
      websiteUrl: baseUrl,
      privacyUrl: `${baseUrl}/privacy-policy`,
      termsOfUseUrl: `${baseUrl}/terms-and-conditions`,
    },
    name: { short: 'Arc', full: 'Arc: AI agents for regulated health software' },
    description: {
      short: 'AI agents for regulated health software, with one inbox for what they ask.',
      full: `Arc brings your hired agents into Teams. Write to Arc directly, or mention it in a chat or a channel. ${WORKING_AGENTS.flatMap(({ inChannels = [] }) => inChannels).join(' ')} Questions are answered on their card, in the Inbox tab, or on the web. What leaves for Teams follows the mode that your company has consented to.`,
    },
    icons: { ...TEAMS_ICONS },
    accentColor: ACCENT,
    bots: [
      {
        botId: appId,
        scopes: ['personal', 'team', 'groupChat'],
        supportsFiles: true,
        isNotificationOnly: false,
        commandLists: [
          { scopes: ['personal'], commands },
          { scopes: ['team', 'groupChat'], commands },
        ],
      },
    ],
    staticTabs: [
      {
        entityId: 'inbox',
        name: 'Inbox',
        contentUrl: `${baseUrl}/teams-tab?tenant=${tenantId}`,
        websiteUrl: `${baseUrl}/agent-inbox`,
        scopes: ['personal'],
      },
      { entityId: 'conversations', scopes: ['personal'] },
      { entityId: 'about', scopes: ['personal'] },
    ],
    composeExtensions: [
      {
        botId: appId,
        commands: [
          ...WORKING_AGENTS.flatMap(({ search: own }) =>
            own ? [search(own.id, own.title, own.description, own.hint)] : [],
          ),
          search('searchQuestions', 'Questions', 'Find what an agent asks, or asked', 'Number or words'),
          {
            id: 'sendToAgent',
            type: 'action',
            title: 'Send to Arc',
            description: 'Let the agent look at this; it answers in your chat with Arc',
            context: ['message', 'compose', 'commandBox'],
            fetchTask: false,
            parameters: [
              { name: 'text', title: 'What should the agent do?', description: 'Your request', inputType: 'textarea' },
            ],
          },
        ],
      },
    ],
    permissions: ['identity', 'messageTeamMembers'],
    validDomains: [host],
    webApplicationInfo: { id: appId, resource: resourceOf(app) },
  };
}

function search(id: string, title: string, description: string, hint: string) {
  return {
    id,
    type: 'query',
    title,
    description,
    context: ['compose', 'commandBox'],
    initialRun: true,
    parameters: [{ name: 'query', title: 'Search', description: hint, inputType: 'text' }],
  };
}
