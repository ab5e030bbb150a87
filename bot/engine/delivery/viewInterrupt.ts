import { CHANNEL_PLACES } from '../../../models/contracts/channels.ts';
import type { Interrupt, Resolution } from '../../../models/contracts/interrupts.ts';
import { countByPerson, describeDeciders } from '../../../models/contracts/rowDeciders.ts';
import { clockText, momentText } from '../../../models/contracts/zonedText.ts';
import { type InterruptRow, type Signature, type SignatureLoss, signaturesOf } from '../../../models/interrupt.ts';
import { may, requirementOf } from '../../../models/policies/actions.ts';
import { hasSigned, mayAnswer, waitsForText } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { viewQuestion } from '../questions/kinds/index.ts';

/** Names of the surfaces in "Approved by Ada Okafor in …". */
export const PLACES: Record<Resolution['via'], string> = {
  ...CHANNEL_PLACES,
  mail: 'mail',
  api: 'the API',
};
const WORDS: Record<Resolution['outcome'], string> = {
  approved: 'Approved',
  modified: 'Approved with changes',
  rejected: 'Rejected',
  answered: 'Answered',
};

/** Who took part in an answer. */
type TakenBy = Pick<InterruptRow, 'decidedBy' | 'signature' | 'firstSignature'>;

/** ", signed (Nurse, NMC 12A3456)"; where two people signed, both: ", signed by Ada Okafor (…) and Ben Roe". */
function signedText(row: TakenBy): string {
  const signatures = signaturesOf(row);
  const [one] = signatures;
  if (!one) return '';
  const registered = ({ registration }: Pick<Signature, 'registration'>) => (registration ? ` (${registration})` : '');
  if (signatures.length === 1) return `, signed${registered(one)}`;
  return `, signed by ${signatures.map((it) => `${it.name}${registered(it)}`).join(' and ')}`;
}

/**
 * The answer that does not count yet: "Approved and signed by Ada Okafor in …, 14:02", or "Approved as a proposal by …".
 */
function describeProposal(row: InterruptRow, timeZone: string): string | null {
  if (row.status !== 'pending') return null;
  const sentences = [describeLapsed(row, timeZone), describeStanding(row, timeZone)].filter((it) => it !== null);
  return sentences.length === 0 ? null : sentences.join(' ');
}

function describeStanding({ proposal, firstSignature: first }: InterruptRow, timeZone: string): string | null {
  if (first)
    return `${WORDS[first.outcome]} and signed by ${first.name} in ${PLACES[first.via]}, ${clockText(first.at, timeZone)}. It counts once a second person signs the same answer in Arc.`;
  if (!proposal) return null;
  const { name, via, at, outcome } = proposal;
  return `${WORDS[outcome]} as a proposal by ${name} in ${PLACES[via]}, ${clockText(at, timeZone)}. It waits for a signature.`;
}

/** Why a signature was withdrawn, after the signer's name. */
const LOSSES: Record<SignatureLoss, string> = {
  left: 'is no longer in the company',
  'may-not-sign': 'no longer has a role that may sign this',
  'one-signs': 'signed while two people had to, and that was switched off',
};

/** "The signature of Ada Okafor (approved, 14:02) was withdrawn: Ada Okafor is no longer in the company." */
function describeLapsed({ lapsedSignature: lapsed }: InterruptRow, timeZone: string): string | null {
  if (!lapsed) return null;
  const { name, outcome, at, cause } = lapsed;
  return `The signature of ${name} (${WORDS[outcome].toLowerCase()}, ${clockText(at, timeZone)}) was withdrawn: ${name} ${LOSSES[cause]}.`;
}

/** "Approved by Ada Okafor in the inbox, 14:02", and how many rows each person decided where there are several. */
export function describeResolution(
  resolution: NonNullable<InterruptRow['resolution']>,
  timeZone: string,
  by: TakenBy = {},
): string {
  const time = clockText(resolution.at, timeZone);
  // Where several people decided, whoever sent it does not stand for all.
  const deciders = by.decidedBy ?? [];
  const shared = countByPerson(deciders).length > 1 ? ` (${describeDeciders(deciders)})` : '';
  return `${WORDS[resolution.outcome]} by ${resolution.by.name} in ${PLACES[resolution.via]}, ${time}${shared}${signedText(by)}`;
}

/** Who is to answer a question, until when it is put off, and its comments: while it is open; afterwards its comments. */
function handlingOf({ status, assignee, snooze, comments = [] }: InterruptRow, timeZone: string): Partial<Interrupt> {
  const isOpen = status === 'pending';
  return {
    ...(isOpen && assignee ? { assignee } : {}),
    ...(isOpen && snooze && snooze.until.getTime() > Date.now()
      ? {
          snooze: {
            until: snooze.until.toISOString(),
            by: snooze.by.name,
            text: `Put off until ${momentText(snooze.until, timeZone)} by ${snooze.by.name}`,
          },
        }
      : {}),
    ...(comments.length > 0
      ? { comments: comments.map(({ userId: _userId, at, ...one }) => ({ ...one, at: new Date(at).toISOString() })) }
      : {}),
  };
}

function signedBy({ status, firstSignature }: InterruptRow): Pick<Interrupt, 'signedBy'> {
  if (status !== 'pending' || !firstSignature) return {};
  const { userId, name, outcome } = firstSignature;
  return { signedBy: { userId, name, outcome } };
}

/** Whether somebody may end the work that asks. A question of a program is withdrawn by that program alone. */
const mayWithdraw = (row: InterruptRow, who: Who): boolean =>
  row.runId !== null && may(who, 'run.cancel', { userId: row.startedBy ?? null });

function abilitiesOf(row: InterruptRow, who: Who | null): Interrupt['abilities'] {
  if (row.status !== 'pending' || !who) return { answer: false };
  return { ...answering(row, who), ...(mayWithdraw(row, who) ? { withdraw: true } : {}) };
}

function answering(row: InterruptRow, who: Who): Interrupt['abilities'] {
  if (mayAnswer(who, row) && hasSigned(who.userId, row))
    return {
      answer: true,
      signed: true,
      waitsFor: 'You have signed this. It waits for a second person to sign the same answer.',
    };
  return mayAnswer(who, row) ? { answer: true } : { answer: false, waitsFor: waitsForText(who, row) };
}

/** A question as one viewer sees it, on any surface; with `who` null, without abilities. */
export function viewInterrupt(row: InterruptRow, who: Who | null, timeZone: string): Interrupt {
  const { resolution } = row;
  const proposed = describeProposal(row, timeZone);
  const question: Omit<Interrupt, 'view'> = {
    id: row._id,
    userAgentId: row.userAgentId,
    agentId: row.agentId,
    agentName: row.agentName,
    ...(row.outside ? { askedBy: row.outside.name } : {}),
    interruptType: row.interruptType,
    status: row.status,
    prompt: row.prompt,
    options: row.options,
    context: row.context as Interrupt['context'],
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    userResponse: row.userResponse ?? null,
    resolution: resolution && {
      outcome: resolution.outcome,
      by: resolution.by,
      via: resolution.via,
      reason: resolution.reason,
      ...(resolution.shownUnder ? { shownUnder: resolution.shownUnder } : {}),
      at: resolution.at.toISOString(),
      text: describeResolution(resolution, timeZone, row),
    },
    decidedBy: (row.decidedBy ?? []).map((one) => ({ ...one, at: new Date(one.at).toISOString() })),
    draft: row.draft && { ...row.draft, savedAt: row.draft.savedAt?.toISOString() ?? null },
    shownDigest: row.shownDigest,
    requires: requirementOf(row),
    ...(proposed ? { proposed } : {}),
    ...signedBy(row),
    ...handlingOf(row, timeZone),
    abilities: abilitiesOf(row, who),
  };
  return { ...question, view: viewQuestion(question, 'full') };
}

/** A question for an API answer: its rows, which can be thousands, stand once, in its view. */
export function withRowsOnce(question: Interrupt): Interrupt {
  if (!question.view.rows) return question;
  const { rows, ...context } = question.context;
  return { ...question, context };
}
