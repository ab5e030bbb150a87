import { findAgent } from '../../../models/contracts/catalogue.ts';
import { CHANNEL_PLACES } from '../../../models/contracts/channels.ts';
import { momentOf } from '../../data/words.ts';
import { ROLE_NAMES } from '../dashboard/roleNames.ts';

/** Descriptions of events, by name. */
const EVENTS: Record<string, string> = {
  'account.created': 'Company created',
  'account.export-asked': 'Export of everything asked for',
  'account.exported': 'Export of everything downloaded',
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
  'signing.changed': 'Signing of answers switched',
  'keys.changed': 'Encryption key of the server changed',
  'budget.changed': 'Budget of an agent changed',
  'second-signature.changed': 'Second signature switched',
  'consent.changed': 'Consent of a channel changed',
  'credits.granted': 'Credits granted',
  'plan.set': 'Plan set',
  'plan.checkout': 'Payment of a plan begun',
  'plan.paid': 'Paid plan changed',
  'token.made': 'Access token made',
  'token.revoked': 'Access token revoked',
  'link.made': 'Link for an auditor made',
  'link.revoked': 'Link for an auditor revoked',
  'link.opened': 'Link for an auditor opened',
  'agent.let-go': 'Agent let go',
  'agent.hired': 'Agent hired',
  'agent.tools-changed': 'Agent’s tools set',
  'integration.switched': 'Integration switched',
  'integration.scope-changed': 'What is read from an integration changed',
  'tool.allowed': 'Tool’s permission changed',
  'interrupt.answered': 'Question answered',
  'interrupt.assigned': 'Question assigned',
  'interrupt.snoozed': 'Question put off',
  'interrupt.commented': 'Comment on a question',
  'interrupt.proposed': 'Answer proposed',
  'interrupt.signed': 'Answer signed',
  'interrupt.signature-withdrawn': 'First signature withdrawn',
  'interrupt.withdrawn': 'Question withdrawn',
  'interrupt.rows-decided': 'Rows of a review decided',
  'failure.retried': 'Tried again by an administrator',
  'failure.dropped': 'Failure dropped by an administrator',
  'schedule.paused': 'Schedule paused',
  'interrupt.reminded': 'Reminded of a question',
  'interrupt.escalated': 'Question escalated',
  'file.exported': 'File downloaded',
  'release.made': 'Release file made',
  'analysis.started': 'Analysis started',
  'finding.assigned': 'Finding assigned',
};

/** The description of an event; one that is not listed is spelled out from its name. */
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
  analysis: 'Analysis',
  finding: 'Finding',
  match: 'Match',
  file: 'File',
  run: 'Work',
  'reading-profile': 'Reading profile',
  'tool-server': 'Tool server',
};

/** The subject of an event: "Question 12", or a part of it: "Analysis 4, evidence". @param names of people by their id */
export function subjectInWords(subject: string, names: ReadonlyMap<number, string>): string {
  const [kind = '', id = '', part] = subject.split(':');
  if (kind === 'user' && names.has(Number(id))) return names.get(Number(id)) ?? '';
  if (kind === 'account') return 'Company';
  if (kind === 'agent') return findAgent(id)?.displayName ?? id;
  if (!SUBJECTS[kind]) return subject;
  return `${SUBJECTS[kind]} ${id.length > 12 ? `…${id.slice(-6)}` : id}${part ? `, ${part}` : ''}`;
}

/** Display names of surfaces that are not channels. */
const SURFACES: Record<string, string> = {
  api: 'Web',
  command: 'Server command',
  link: 'Link for an auditor',
  server: 'Arc',
  schedule: 'Schedule',
  mail: 'Mail',
};

/** The display name of a surface. */
export const surfaceInWords = (surface: string): string =>
  SURFACES[surface] ?? (CHANNEL_PLACES as Record<string, string>)[surface] ?? surface;

/** Events whose outcome lists roles: "approver deputy -> member". */
const OF_ROLES: ReadonlySet<string> = new Set(['roles.changed', 'member.invited', 'member.joined', 'member.removed']);

/** What happened where the outcome is only the digest of what was written; elsewhere that is a file. */
const OF_DIGESTS: Record<string, string> = { 'interrupt.commented': 'comment written' };

/** A moment as the chain keeps it. */
const ISO = /\b\d{4}-\d\d-\d\dT[\d:.]+Z/g;

const roleNames: Record<string, string> = ROLE_NAMES;

/** Roles by their names, with commas between: "Approver, Deputy → Member". */
const rolesInWords = (outcome: string): string =>
  outcome
    .split(' ')
    .map((word, at, words) => {
      const isListed = roleNames[word] !== undefined && roleNames[words[at + 1] ?? ''] !== undefined;
      return `${word === '->' ? '→' : (roleNames[word] ?? word)}${isListed ? ',' : ''}`;
    })
    .join(' ');

/**
 * The outcome of an event without its digest, and with names for user ids: "approved", "12 rows", "to Ada Okafor".
 * @param names of people by their id
 */
export function outcomeInWords(event: string, outcome: string, names: ReadonlyMap<number, string>): string {
  if (/^[0-9a-f]{64}$/.test(outcome)) return OF_DIGESTS[event] ?? 'file written';
  const nameOf = (user: string) => names.get(Number(user.slice('user:'.length))) ?? 'Somebody who left';
  if (outcome.startsWith('to user:')) return `to ${outcome.slice('to '.length).split(' ').map(nameOf).join(', ')}`;
  const [, agentId = '', result] = /^([a-z_]+):(\d+)$/.exec(outcome) ?? [];
  const agent = findAgent(agentId);
  if (agent) return `result ${result} of ${agent.displayName}`;
  const said = outcome
    .replace(/\buser:\d+/g, nameOf)
    .replace(ISO, (at) => momentOf(at))
    .replace(/:[0-9a-f]{16,}$/, '');
  if (OF_ROLES.has(event)) return rolesInWords(said);
  return event === 'interrupt.rows-decided' ? `${said} ${said === '1' ? 'row' : 'rows'}` : said;
}
