import { AppError } from '../../../models/contracts/errors.ts';
import type { PreferencesChange } from '../../../models/contracts/preferences.ts';
import { Member } from '../../../models/member.ts';
import { rolesThatMay } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { hasAnOfficer } from '../accounts/identify.ts';
import { type RecordedEvent, recordEvent } from '../audit/recordEvent.ts';

const OFFICER = 'clinical-safety-officer';

/**
 * Checks that two different people can sign what needs the officer.
 * @param officer the officer that the same change appoints; null removes the one there is, undefined changes nothing
 * @throws AppError bad_request
 */
export async function requireTwoSigners(
  accountId: number,
  officer: PreferencesChange['clinicalSafetyOfficer'],
): Promise<void> {
  const hasOfficer = officer === undefined ? await hasAnOfficer(accountId) : officer !== null;
  // An appointment moves the role, so its present holder no longer counts.
  const roles = rolesThatMay('question.answer-clinical', hasOfficer).filter(
    (role) => officer === undefined || role !== OFFICER,
  );
  const members = await Member.find({ accountId, roles: { $in: roles } }, { userId: 1 }).lean();
  const signers = new Set([...members.map(({ userId }) => userId), ...(officer ? [officer.userId] : [])]);
  if (signers.size < 2)
    throw new AppError(
      'bad_request',
      {},
      {
        fields: {
          signsTwice:
            'Two people have to be able to sign: appoint the officer and give another member the deputy’s role.',
        },
      },
    );
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
