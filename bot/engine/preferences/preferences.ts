import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { tidyHolidays } from '../../../models/contracts/holidays.ts';
import {
  leastConsent,
  type Preferences,
  type PreferencesChange,
  USUAL_QUESTION_MAIL,
  USUAL_WORKING_HOURS,
} from '../../../models/contracts/preferences.ts';
import { Member } from '../../../models/member.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { User } from '../../../models/user.ts';
import { withdrawLostSignatures } from '../accounts/lostSignatures.ts';
import { countSigners } from '../accounts/signers.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { recomputeNextRuns } from '../automation/jobs.ts';
import { canonicalJson } from '../interrupts/digest.ts';
import { recordSigning, requireTwoSigners } from './signers.ts';

/** Reads the person's names and mail settings, and the company's settings. */
export async function readPreferences(who: Who): Promise<Preferences> {
  const [user, account, member] = await Promise.all([
    User.findById(who.userId, { firstName: 1, lastName: 1, mailRefusedAt: 1 }).lean(),
    Account.findById(who.accountId).lean(),
    Member.findOne({ accountId: who.accountId, userId: who.userId }, { questionMail: 1 }).lean(),
  ]);
  if (!user || !account) throw new AppError('not_found');
  return {
    firstName: user.firstName,
    lastName: user.lastName,
    questionMail: member?.questionMail ?? USUAL_QUESTION_MAIL,
    mailRefused: Boolean(user.mailRefusedAt),
    companyName: account.name,
    timeZone: account.timeZone,
    channelConsent: { ...leastConsent(), ...account.channelConsent },
    quietHours: account.quietHours ?? null,
    workingHours: account.workingHours ?? USUAL_WORKING_HOURS,
    holidays: account.holidays ?? [],
    clinicalSafetyOfficer: account.clinicalSafetyOfficer ?? null,
    signsAnswers: account.signsAnswers ?? false,
    signsTwice: account.signsTwice ?? false,
    signers: await countSigners(who.accountId),
  };
}

/**
 * Changes the given fields that differ from what stands, so that a form may be sent whole. Members change their own names
 * and mails; only owners change company settings.
 * @param confirmed whether the person has read the warning of few signers
 * @throws AppError not_allowed, bad_request where the officer is not a member, or two signatures are asked for and fewer
 *   people can sign; few_signers where an appointment leaves fewer
 */
export async function changePreferences(who: Who, asked: PreferencesChange, confirmed = false): Promise<Preferences> {
  requireMayChange(who, asked);
  const change = differing(await readPreferences(who), asked);
  const { firstName, lastName, questionMail, companyName, holidays, channelConsent = {}, ...rest } = change;
  const names = given({ firstName: blankToNull(firstName), lastName: blankToNull(lastName) });
  const consents = Object.entries(channelConsent);
  // Channel by channel: a colleague may have changed another one meanwhile.
  const perChannel = Object.fromEntries(consents.map(([channel, mode]) => [`channelConsent.${channel}`, mode]));
  const daysOff = holidays && tidyHolidays(holidays, new Date().toISOString().slice(0, 10));
  const company = given({ name: companyName, holidays: daysOff, ...rest, ...perChannel });
  const officerId = change.clinicalSafetyOfficer?.userId;
  // Before anything is in the audit, which would say what did not happen.
  if (officerId !== undefined) await requireMember(who.accountId, officerId);
  await requireTwoSigners(who.accountId, change, confirmed);
  if (consents.length > 0) {
    const outcome = consents.map(([channel, mode]) => `${channel} ${mode}`);
    await recordEvent(who.accountId, 'consent.changed', {
      userId: who.userId,
      subject: `account:${who.accountId}`,
      outcome: outcome.join(', '),
    });
  }
  if (change.clinicalSafetyOfficer !== undefined) {
    await recordEvent(who.accountId, 'officer.appointed', {
      userId: who.userId,
      subject: `user:${change.clinicalSafetyOfficer?.userId ?? 'none'}`,
      outcome: change.clinicalSafetyOfficer ? 'appointed' : 'nobody',
    });
    await appointOfficer(who.accountId, change.clinicalSafetyOfficer?.userId ?? null);
  }
  await recordSigning(who, change);
  await changing(who.accountId, ['account'], async () => {
    if (Object.keys(names).length > 0) await User.updateOne({ _id: who.userId }, { $set: names });
    if (questionMail !== undefined) await chooseMail(who, questionMail);
    if (Object.keys(company).length > 0) await Account.updateOne({ _id: who.accountId }, { $set: company });
  });
  if (ENDS_SIGNATURES.some((name) => change[name] !== undefined))
    await withdrawLostSignatures(who.accountId, who.userId);
  if (change.timeZone !== undefined) await recomputeNextRuns(who.accountId);
  return readPreferences(who);
}

/** Fields whose change can end a first signature. */
const ENDS_SIGNATURES = ['clinicalSafetyOfficer', 'signsAnswers', 'signsTwice'] as const;

/** Also clears the refusal of the mail server, which may accept the address again. */
async function chooseMail({ accountId, userId }: Who, questionMail: Preferences['questionMail']): Promise<void> {
  await Member.updateOne({ accountId, userId }, { $set: { questionMail } });
  await User.updateOne({ _id: userId }, { $set: { mailRefusedAt: null } });
}

const OWN = ['firstName', 'lastName', 'questionMail'];

/** @throws AppError not_allowed for company settings */
function requireMayChange(who: Who, asked: PreferencesChange): void {
  const isCompanys = Object.entries(asked).some(([name, value]) => value !== undefined && !OWN.includes(name));
  if (isCompanys && !may(who, 'preferences.company')) throw new AppError('not_allowed');
}

/** The fields that differ from what stands; consents channel by channel. */
function differing({ channelConsent, ...standing }: Preferences, asked: PreferencesChange): PreferencesChange {
  const { channelConsent: consents, ...others } = asked;
  // Choosing mails again, even the same, clears the refusal of the mail server.
  const kept = standing.mailRefused ? { ...standing, questionMail: null } : standing;
  const change = onlyChanged(kept, others);
  return consents ? { ...change, channelConsent: onlyChanged(channelConsent, consents) } : change;
}

const onlyChanged = <Asked extends object>(standing: Record<string, unknown>, asked: Asked): Partial<Asked> =>
  Object.fromEntries(
    Object.entries(asked).filter(
      ([name, it]) => it !== undefined && canonicalJson(it) !== canonicalJson(standing[name]),
    ),
  ) as Partial<Asked>;

const given = (it: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(it).filter(([, value]) => value !== undefined));
const blankToNull = (text: string | null | undefined) => (text === '' ? null : text);

/** @throws AppError bad_request where the officer is not a member */
async function requireMember(accountId: number, userId: number): Promise<void> {
  if (await Member.exists({ accountId, userId })) return;
  const text = 'The officer has to be a member of this account.';
  throw new AppError('bad_request', {}, { fields: { clinicalSafetyOfficer: text } });
}

/**
 * Gives the officer's role to one member and removes it from all others.
 * @param userId null removes it from everybody
 */
async function appointOfficer(accountId: number, userId: number | null): Promise<void> {
  const role = 'clinical-safety-officer' as const;
  if (userId !== null) {
    await Member.updateOne({ accountId, userId }, { $addToSet: { roles: role } });
  }
  await Member.updateMany({ accountId, userId: { $ne: userId } }, { $pull: { roles: role } });
}
