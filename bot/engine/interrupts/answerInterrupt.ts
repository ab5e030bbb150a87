import { runInBackground } from '../../../models/background.ts';
import { channelOfSurface } from '../../../models/contracts/channels.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { AnswerBody } from '../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import { decisionsIn } from '../../../models/contracts/questionRows.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import { consequencesOf, hasExpired, Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { requireMayAnswer } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { changing } from '../../../models/store/revisions.ts';
import { readTimeZone } from '../accounts/timeZone.ts';
import { consentFor, leastOf } from '../delivery/consent.ts';
import { redrawOpen } from '../delivery/redrawOpen.ts';
import { viewInterrupt, withRowsOnce } from '../delivery/viewInterrupt.ts';
import { viewQuestion } from '../questions/kinds/index.ts';
import { applyOrLeave, consequences } from './applyConsequences.ts';
import { withdrawQuestion } from './cancelInterrupts.ts';
import { checkAnswer } from './checkAnswer.ts';
import { decidersOf } from './deciders.ts';
import { digestOf } from './digest.ts';
import { firstAsRead, isSecond, keepFirst, requireUnsigned, withoutLost } from './firstSignature.ts';
import { propose, signaturesFor, takeSignature } from './signing.ts';
import { takeStep } from './takeStep.ts';

type Surroundings = {
  /** The consent mode under which a remote surface drew the pressed button: it may have changed since. */
  drawnUnder?: ConsentMode | undefined;
  /** Whether the surface asks for a signature where one is needed, and sends the answer again. */
  canSign?: boolean;
};

/**
 * Answers a question from any surface. The first answer wins: one conditional update on `pending` records it together
 * with its side effects. Repeating the same answer is accepted; a different one is refused with the recorded answer.
 * Where the company signs such answers, one without a signature is kept as a proposal; on a page, which can ask for it,
 * it is refused. Where two people have to sign, the first signature is kept and the question stays open.
 * @returns the answered question; the pending one after a step on its draft or a first signature
 * @throws AppError not_found, not_allowed, needs_officer, bad_request, already_answered, review_begun (all rows at once
 *   although some are decided), signed_already (by the same person), signature_needed, conflict (the question or its draft differs from what was shown)
 */
export async function answerInterrupt(
  who: Who,
  interruptId: number,
  answer: AnswerBody,
  via: Surface,
  { drawnUnder, canSign = false }: Surroundings = {},
): Promise<InterruptRow> {
  const row = await Interrupt.findOne({ _id: interruptId, accountId: who.accountId }).lean();
  if (!row) throw new AppError('not_found');
  requireMayAnswer(who, row);
  if (row.status === 'pending' && hasExpired(row, Date.now())) await withdrawQuestion(row);
  if (answer.shownDigest && answer.shownDigest !== row.shownDigest) throw new AppError('conflict');
  // A closed question reports the recorded answer, whatever draft version was shown.
  // "Accept all" and "Reject all" apply only to the draft version checked here, so that a concurrent decision is not
  // lost.
  const isOfDraft = answer.approved !== undefined || answer.review !== undefined;
  const seen = answer.draftVersion ?? (isOfDraft ? row.draft?.version : undefined);
  const draftVersion = row.status === 'pending' && row.draft ? seen : undefined;
  if (draftVersion !== undefined && row.draft?.version !== draftVersion) throw new AppError('conflict');
  const { review } = answer;
  if (review && review.step !== 'send') {
    if (row.status !== 'pending') return requireSameAnswer(who, interruptId, '');
    const stepped = await takeStep(who, row, review, answer, via);
    redrawOpen(stepped);
    return stepped;
  }
  // Kinds may keep what they get, so none gets the password.
  const { sign, ...unsigned } = answer;
  const { userResponse, outcome } = checkAnswer(row, review ? { ...unsigned, ...draftOf(row) } : unsigned);
  const answerDigest = digestOf(userResponse);
  const given = { outcome, answerDigest, via };
  const signatures = await signaturesFor(row);
  if (signatures === 2) await requireUnsigned(who, row, given);
  if (signatures > 0 && !sign && canSign)
    throw new AppError('signature_needed', { text: 'Sign this answer with your password.' });
  if (signatures > 0 && !sign) return propose(who, row, given);
  const signature = signatures > 0 ? await takeSignature(who, row, answer, given) : null;
  if (signature && signatures === 2) {
    // As late as possible: a signature counts only if its signer may still sign when the second closes it.
    const standing = isSecond(row.firstSignature, signature) ? await withoutLost(row) : row;
    if (!isSecond(standing.firstSignature, signature))
      return keepFirst(standing, signature, via, signedDraft(who, standing, userResponse, via, signature.at));
  }
  const signed = signature ? { signature } : {};
  const at = new Date();
  const change = {
    ...signed,
    status: 'resolved' as const,
    userResponse,
    answerDigest,
    ...decidedRows(row, userResponse, who, via, at),
    resolvedAt: at,
    resolution: {
      outcome,
      by: { userId: who.userId, name: who.name },
      via,
      at,
      reason: answer.reason ?? null,
      ...(await shownBy(row, via, drawnUnder)),
    },
    outbox: consequencesOf(row),
    ...consequences.newClaim(),
  };
  const { modifiedCount } = await changing(who.accountId, ['interrupts', 'agents', 'analysis'], () =>
    Interrupt.updateOne(
      {
        _id: interruptId,
        status: 'pending',
        ...(draftVersion === undefined ? {} : { 'draft.version': draftVersion }),
        ...(signatures === 2 ? firstAsRead(row) : {}),
      },
      { $set: change },
    ),
  );
  if (modifiedCount !== 1) return requireSameAnswer(who, interruptId, answerDigest);
  const answered: InterruptRow = { ...row, ...change };
  // The answer is durable: nobody waits for its side effects.
  runInBackground('the side effects of an answer', applyOrLeave(answered));
  return answered;
}

/** The answer that the draft of a review forms; a closed one repeats its answer. */
const draftOf = ({ status, draft, userResponse }: InterruptRow): Pick<AnswerBody, 'userResponse'> => ({
  userResponse: status === 'resolved' ? userResponse : { rows: draft?.rows ?? [] },
});

/** The decisions of a signed answer and the version of the draft that they were made on; undefined without a draft. */
function signedDraft({ userId, name }: Who, row: InterruptRow, userResponse: unknown, via: Surface, at: Date) {
  if (!row.draft) return undefined;
  const rows = decisionsIn(userResponse);
  return { version: row.draft.version, rows, decidedBy: decidersOf(row, rows, { userId, name, via, at }, true) };
}

/** Who decided the rows of an answer; nothing for a question without rows. */
function decidedRows(row: InterruptRow, userResponse: unknown, { userId, name }: Who, via: Surface, at: Date) {
  const rows = row.draft ? decisionsIn(userResponse) : [];
  return rows.length === 0 ? {} : { decidedBy: decidersOf(row, rows, { userId, name, via, at }, true) };
}

/**
 * The consent mode and digest of what a surface showed, where that was less than the whole question: the audit must not
 * claim more.
 */
async function shownBy(
  row: InterruptRow,
  via: Surface,
  drawnUnder: ConsentMode = 'full',
): Promise<{ shownUnder?: ConsentMode; shownDigest?: string }> {
  const now = await consentFor(row.accountId, channelOfSurface(via));
  // The stricter of both: consent may have changed between drawing and pressing.
  const mode = leastOf(now, drawnUnder);
  if (mode === 'full') return {};
  return { shownUnder: mode, shownDigest: digestOf({ mode, ...viewQuestion(viewInterrupt(row, null, 'UTC'), mode) }) };
}

/**
 * The recorded answer, where it is the same.
 * @throws AppError already_answered with the recorded answer, conflict
 */
async function requireSameAnswer(who: Who, interruptId: number, answerDigest: string): Promise<InterruptRow> {
  const row = requireRow(await Interrupt.findOne({ _id: interruptId }).lean());
  if (row.answerDigest === answerDigest) return row;
  if (row.status === 'pending') throw new AppError('conflict');
  const view = withRowsOnce(viewInterrupt(row, who, await readTimeZone(who.accountId)));
  const text =
    row.status === 'cancelled'
      ? 'This question was withdrawn before it was answered. There is nothing left to decide.'
      : `This was answered already. ${view.resolution?.text ?? ''}. That answer stands.`;
  throw new AppError('already_answered', { text }, { standing: view });
}
