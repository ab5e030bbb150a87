import type { IncidentSummary } from './incidentInput.ts';

/** At most this many questions are asked at once. */
const MAX_QUESTIONS = 4;

const listed = (hazards: IncidentSummary['near']) => hazards.map(({ id, name }) => `${id} ${name}`).join('; ');

function hazardLines({ near, further }: IncidentSummary, logFileName: string | null): string[] {
  if (logFileName === null) return ['• No hazard log was analysed in Arc, so none was compared.'];
  if (near.length === 0 && further.length === 0)
    return [`• No hazard of ${logFileName} comes near: it may be a new one.`];
  return [
    ...(near.length > 0
      ? [`• Hazards of ${logFileName} to look at first: ${listed(near)}.`]
      : [`• No hazard of ${logFileName} is near. It may be a new one.`]),
    ...(further.length > 0 ? [`• Further away: ${listed(further)}.`] : []),
  ];
}

/**
 * The chat message about an incident record: what to do first, what to find out, where to look.
 * @param copied a sentence that says where a copy is; null for none
 */
export function describeIncident(summary: IncidentSummary, logFileName: string | null, copied: string | null): string {
  const asked = summary.questions.slice(0, MAX_QUESTIONS);
  const more = summary.questions.length - asked.length;
  return [
    'First, outside of Arc: make sure that the patients are being looked after, stop it from happening again, and tell your Clinical Safety Officer.',
    `What you said is put in order in a Word document. It covers ${summary.said} of the ${summary.points} points that the first hour needs, with first steps, hazards to look at, and letters to finish. Arc has sent nothing and judges nothing.${copied ? ` ${copied}` : ''}`,
    ...(asked.length > 0 ? [`**Find out next**${more > 0 ? ` (${more} more in the document)` : ''}:`] : []),
    ...asked.map((question) => `• ${question}`),
    '**Where to look**:',
    ...hazardLines(summary, logFileName),
  ].join('\n');
}
