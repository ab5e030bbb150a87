import type { ProcedureRow } from '../../../../models/ops/procedure.ts';
import { type Process, rolesOf } from '../process/readProcess.ts';
import type { Risk } from '../risks/findRisks.ts';

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The counts of a procedure without any of its words. */
export const summarise = ({ steps, risks, toFill }: ProcedureRow['counts']): string =>
  `${counted(steps, 'step')}, ${counted(risks, 'risk')}, ${counted(toFill, 'place')} to be filled by a person`;

const LISTED = 5;

/** The chat message about a finished procedure. */
export function describeProcedure(
  { process, risks, title }: { process: Process; risks: readonly Risk[]; title: string },
  counts: ProcedureRow['counts'],
): string {
  const roles = rolesOf(process).map(({ role, steps }) => `${role} (${steps.join(', ')})`);
  const unclear = process.steps.filter(({ actor }) => !('role' in actor)).map(({ number }) => number);
  const missing = [
    ...(process.purpose.length === 0 ? ['purpose'] : []),
    ...(process.scope.length === 0 ? ['scope'] : []),
    ...(process.records.length === 0 ? ['records'] : []),
    ...(process.exceptions.length === 0 ? ['exceptions'] : []),
  ];
  return [
    `**${title}**: a procedure, a checklist and a risk register, as drafts: ${summarise(counts)}.`,
    roles.length > 0 ? `Roles, with their steps: ${roles.join('; ')}.` : '',
    unclear.length > 0 ? `Nobody is named for ${unclear.length === 1 ? 'step' : 'steps'} ${unclear.join(', ')}.` : '',
    missing.length > 0 ? `The description says nothing about: ${missing.join(', ')}. It is marked for a person.` : '',
    risks.length > 0
      ? 'Each risk names its step and the words that it comes from. None is rated: that is for people. The first:'
      : 'Its words point to no risk. That does not mean that there is none.',
    ...risks
      .slice(0, LISTED)
      .map(({ id, step, what, words }) => `• ${id}, step ${step}: ${what}${words === null ? '' : ` (“${words}”)`}`),
    'Every sentence of the description stands word for word in the procedure; the files were compared with it after writing.',
  ]
    .filter(Boolean)
    .join('\n');
}
