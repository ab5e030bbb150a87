import { AUTOMATION_ACTIONS, type AutomationAction } from './automation.ts';
import type { AgentId, CatalogueAgent, WorkStatus } from './catalogueAgent.ts';
import { clinicalSafetyCard } from './clinical_safety/card.ts';
import { designerCard } from './designer/card.ts';

export const AGENTS: readonly CatalogueAgent[] = [
  {
    id: 'mdr',
    displayName: 'Marta',
    role: 'EU MDR technical file',
    description: 'Checks a technical file against Annex II and III of MDR 2017/745, and drafts what is missing.',
    monogram: 'MD',
    gradient: ['#1f4e79', '#2f7f9e'],
    defaultTools: ['mdrtools', 'clinicaldata', 'riskmanagement', 'notion', 'googledocs', 'googledrive'],
    priority: true,
    status: 'in-preparation',
    schedules: [
      {
        action: 'mdr_technical_file',
        label: 'Check the MDR technical file',
        doing: 'Writing a technical file',
        status: 'in-preparation',
      },
    ],
  },
  clinicalSafetyCard,
  {
    id: 'developer',
    displayName: 'Devon',
    role: 'Full-stack developer',
    description: 'Turns a task into a small working project that you can preview.',
    monogram: 'DV',
    gradient: ['#3a3f58', '#5f6690'],
    defaultTools: ['github', 'bolt', 'vercel'],
    priority: false,
    status: 'in-preparation',
  },
  designerCard,
  {
    id: 'marketer',
    displayName: 'Mina',
    role: 'Marketer',
    description: 'Plans campaigns and writes copy for regulated products.',
    monogram: 'MK',
    gradient: ['#8a3a3a', '#c2664f'],
    defaultTools: ['twitter', 'notion', 'tally', 'mailchimp'],
    priority: false,
    status: 'in-preparation',
  },
  {
    id: 'outreach',
    displayName: 'Otis',
    role: 'Outreach',
    description: 'Prepares lists and first messages to people you name.',
    monogram: 'OR',
    gradient: ['#7a5a1e', '#b08a3c'],
    defaultTools: [],
    priority: false,
    status: 'in-preparation',
  },
  {
    id: 'ops',
    displayName: 'Opal',
    role: 'Operations',
    description: 'Keeps recurring work and checklists moving.',
    monogram: 'OP',
    gradient: ['#2f4f4f', '#527a7a'],
    defaultTools: [],
    priority: false,
    status: 'in-preparation',
  },
  {
    id: 'researcher',
    displayName: 'Rhea',
    role: 'Researcher',
    description: 'Gathers what your documents say about a question, with sources.',
    monogram: 'RS',
    gradient: ['#27496d', '#4a7ab0'],
    defaultTools: [],
    priority: false,
    status: 'in-preparation',
  },
  {
    id: 'professionaliser',
    displayName: 'Petra',
    role: 'Document professionaliser',
    description: 'Brings documents into one structure, style and version.',
    monogram: 'PR',
    gradient: ['#46505a', '#72808c'],
    defaultTools: ['notion', 'googledocs', 'googledrive', 'confluence', 'airtable', 'sharepoint'],
    priority: false,
    status: 'in-preparation',
  },
];

const agentsById = new Map(AGENTS.map((agent) => [agent.id, agent]));

/** The catalogue's entry; undefined for an id that is not in it. */
export function findAgent(id: string): CatalogueAgent | undefined {
  return agentsById.get(id as AgentId);
}

/** Whether the agent does its own work in this version. */
export const isWorking = (id: string): boolean => findAgent(id)?.status === 'working';

/** Work that can be scheduled, in the order of the contract. */
export const SCHEDULES = AUTOMATION_ACTIONS.flatMap((action) =>
  AGENTS.flatMap(({ schedules = [] }) => schedules.filter((it) => it.action === action)),
);

/** The work that an action stands for; undefined where no agent does it. */
export const findSchedule = (action: AutomationAction) => SCHEDULES.find((it) => it.action === action);

export type CatalogueTool = {
  id: string;
  name: string;
  description: string;
  /** connect: through OAuth; engine: built in, the switch gates it; none: neither. */
  kind: 'connect' | 'engine' | 'none';
};

export const TOOLS: readonly CatalogueTool[] = [
  { id: 'github', name: 'GitHub', description: 'Repositories and issues', kind: 'connect' },
  { id: 'bolt', name: 'Bolt', description: 'The built-in project builder', kind: 'engine' },
  { id: 'vercel', name: 'Vercel', description: 'Deployments', kind: 'none' },
  { id: 'figma', name: 'Figma', description: 'Design files', kind: 'connect' },
  { id: 'dalle', name: 'DALL-E', description: 'Pictures', kind: 'none' },
  { id: 'unsplash', name: 'Unsplash', description: 'Stock pictures', kind: 'none' },
  { id: 'twitter', name: 'Twitter', description: 'Posts', kind: 'connect' },
  { id: 'notion', name: 'Notion', description: 'Pages and databases', kind: 'connect' },
  { id: 'tally', name: 'Tally', description: 'Forms', kind: 'none' },
  { id: 'confluence', name: 'Confluence', description: 'Team pages', kind: 'connect' },
  { id: 'jira', name: 'Jira', description: 'Tickets', kind: 'connect' },
  { id: 'linear', name: 'Linear', description: 'Tickets', kind: 'connect' },
  { id: 'googledocs', name: 'Google Docs', description: 'Documents', kind: 'connect' },
  { id: 'notebooklm', name: 'NotebookLM', description: 'Notebooks', kind: 'none' },
  { id: 'salesforce', name: 'Salesforce', description: 'Customer records', kind: 'connect' },
  { id: 'hubspot', name: 'HubSpot', description: 'Customer records', kind: 'connect' },
  { id: 'mailchimp', name: 'Mailchimp', description: 'Campaigns', kind: 'connect' },
  { id: 'googledrive', name: 'Google Drive', description: 'Files', kind: 'connect' },
  { id: 'sharepoint', name: 'SharePoint', description: 'Files and sites', kind: 'connect' },
  { id: 'airtable', name: 'Airtable', description: 'Tables', kind: 'connect' },
  { id: 'mdrtools', name: 'MDR tools', description: 'Annex II and III checks', kind: 'engine' },
  { id: 'clinicaldata', name: 'Clinical data', description: 'Clinical evaluation inputs', kind: 'engine' },
  { id: 'riskmanagement', name: 'Risk management', description: 'Risk matrix and acceptability', kind: 'engine' },
  { id: 'clinicalsafety', name: 'Clinical safety', description: 'DCB0129 rules and knowledge base', kind: 'engine' },
  { id: 'hazardanalysis', name: 'Hazard analysis', description: 'Hazard log and ticket analysis', kind: 'engine' },
  { id: 'patientdatabase', name: 'Patient database', description: 'Patient records', kind: 'none' },
];

/** The tools that do something in this version. A tool of no kind is never configured; the others are in preparation. */
const WORKING_TOOLS: readonly string[] = ['riskmanagement', 'clinicalsafety', 'hazardanalysis'];

/** Whether a tool has something to connect to or to switch on; null for what is no tool of the catalogue. */
export function toolStatus(id: string): WorkStatus | null {
  if (!findTool(id)) return null;
  return WORKING_TOOLS.includes(id) ? 'working' : 'in-preparation';
}

const toolsById = new Map(TOOLS.map((tool) => [tool.id, tool]));

/** The catalogue's entry; undefined for an id that is not in it. */
export function findTool(id: string): CatalogueTool | undefined {
  return toolsById.get(id);
}

/** What the agents that work offer a channel: who they are, what to ask first, what to search for. */
export const WORKING_AGENTS = AGENTS.filter(({ status }) => status === 'working');
