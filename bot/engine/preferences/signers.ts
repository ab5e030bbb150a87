import { AppError } from '../../../models/contracts/errors.ts';
import type { PreferencesChange } from '../../../models/contracts/preferences.ts';
import type { Who } from '../../../models/policies/who.ts';
import { countSigners, type Signer, warnOfFewSigners } from '../accounts/signers.ts';
import { type RecordedEvent, recordEvent } from '../audit/recordEvent.ts';

const OFFICER = 'clinical-safety-officer';

/** The members after an appointment, which moves the role. @param officer null removes it, undefined changes nothing */
const afterAppointment = (officer: PreferencesChange['clinicalSafetyOfficer']) => (members: Signer[]) =>
  officer === undefined
    ? members
    : members.map(({ userId, roles }) => ({
        userId,
        roles: [
          ...roles.filter((role) => role !== OFFICER),
          ...(userId === officer?.userId ? [OFFICER] : []),
        ] as Signer['roles'],
      }));

/**
 * Checks that two different people can sign what needs the officer: before two have to, it is required; where an
 * appointment leaves fewer, it is warned of.
 * @param change the settings that differ from those that stand
 * @throws AppError bad_request, few_signers
 */
export async function requireTwoSigners(
  accountId: number,
  { signsTwice, signsAnswers, clinicalSafetyOfficer }: PreferencesChange,
  confirmed: boolean,
): Promise<void> {
  const after = afterAppointment(clinicalSafetyOfficer);
  if (signsTwice && (await countSigners(accountId, after)) < 2) {
    const text = 'Two people have to be able to sign: appoint the officer and give another member the deputy’s role.';
    throw new AppError('bad_request', {}, { fields: { signsTwice: text } });
  }
  const stillSigns = signsTwice !== false && signsAnswers !== false;
  if (clinicalSafetyOfficer !== undefined && stillSigns) await warnOfFewSigners(accountId, after, confirmed);
}

/** Records in the audit whether answers are signed, and by how many people. */
export async function recordSigning(
  { accountId, userId }: Who,
  { signsAnswers, signsTwice }: PreferencesChange,
): Promise<void> {
  const record = (event: RecordedEvent, isOn: boolean) =>
    recordEvent(accountId, event, { userId, subject: `account:${accountId}`, outcome: isOn ? 'on' : 'off' });
  if (signsAnswers !== undefined) await record('signing.changed', signsAnswers);
  if (signsTwice !== undefined) await record('second-signature.changed', signsTwice);
}
