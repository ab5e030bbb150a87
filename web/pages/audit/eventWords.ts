import { findAgent } from '../../../models/contracts/catalogue.ts';
import { CHANNEL_PLACES } from '../../../models/contracts/channels.ts';

/** What happened, in words, by the event's name. */
const EVENTS: Record<string, string> = {
  'account.created': 'Company created',
  'session.begun': 'Signed in',
  'session.ended': 'Signed out',
  'password.changed': 'Password changed',
  'member.invited': 'Invited somebody',
  'invitation.withdrawn': 'Invitation withdrawn',
  'member.joined': 'Joined the company',
  'member.removed': 'Member removed',
  'member.left': 'Left the company',
  'roles.changed': 'Roles changed',
  'officer.appointed': 'Clinical Safety Officer set',
  'consent.changed': 'Consent of a channel changed',
  'credits.granted': 'Credits granted',
  'plan.set': 'Plan set',
  'token.made': 'Access token made',
  'token.revoked': 'Access token revoked',
  'link.made': 'Link for an auditor made',
  'link.revoked': 'Link for an auditor revoked',
  'link.opened': 'Link for an auditor opened',
  'agent.let-go': 'Agent let go',
  'agent.hired': 'Agent hired',
  'agent.tools-changed': 'Agent’s tools set',
  'integration.switched': 'Integration switched',
  'tool.allowed': 'Tool’s permission changed',
  'interrupt.answered': 'Question answered',
  'interrupt.withdrawn': 'Question withdrawn',
  'interrupt.rows-decided': 'Rows of a review decided',
  'failure.retried': 'Tried again by an administrator',
  'schedule.paused': 'Schedule paused',
  'interrupt.reminded': 'Reminded of a question',
  'interrupt.escalated': 'Question brought to the deputy',
  'file.exported': 'File downloaded',
  'analysis.started': 'Analysis started',
  'finding.assigned': 'Finding assigned',
};

/** What happened, in words: names that are not in the list are spelled out. */
export function eventInWords(event: string): string {
  const spelled = event.replace(/[.-]/g, ' ');
  return EVENTS[event] ?? spelled.charAt(0).toUpperCase() + spelled.slice(1);
}

const SUBJECTS: Record<string, string> = {
  interrupt: 'Question',
  user: 'Person',
  'user-agent': 'Agent',
  account: 'Company',
  invitation: 'Invitation',
  integration: 'Integration',
  token: 'Access token',
  link: 'Link',
  schedule: 'Schedule',
  delivery: 'Delivery',
};

/** What it was done to: "Question 12". @param names of people by their id */
export function subjectInWords(subject: string, names: ReadonlyMap<number, string>): string {
  const [kind = '', id = ''] = subject.split(':');
  if (kind === 'user' && names.has(Number(id))) return names.get(Number(id)) ?? '';
  if (kind === 'account') return 'Company';
  if (kind === 'agent') return findAgent(id)?.displayName ?? id;
  return SUBJECTS[kind] ? `${SUBJECTS[kind]} ${id.length > 12 ? `…${id.slice(-6)}` : id}` : subject;
}

/** The surfaces, as people call them. */
const SURFACES: Record<string, string> = {
  api: 'Web',
  command: 'Server command',
  link: 'Link for an auditor',
  server: 'Arc',
  schedule: 'Schedule',
  mail: 'Mail',
};

/** Where it was done, as people call it. */
export const surfaceInWords = (surface: string): string =>
  SURFACES[surface] ?? (CHANNEL_PLACES as Record<string, string>)[surface] ?? surface;

/** An outcome without the digest that follows it: "approved", "12 rows"; a person by name. @param names by user id */
export function outcomeInWords(event: string, outcome: string, names: ReadonlyMap<number, string>): string {
  // Of a file that was written the outcome is its digest.
  if (/^[0-9a-f]{64}$/.test(outcome)) return 'file written';
  if (outcome.startsWith('user:')) return names.get(Number(outcome.slice('user:'.length))) ?? 'Somebody who left';
  const said = outcome.replace(/:[0-9a-f]{16,}$/, '');
  return event === 'interrupt.rows-decided' ? `${said} ${said === '1' ? 'row' : 'rows'}` : said;
}
