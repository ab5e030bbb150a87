import type { App, BlockAction, ButtonAction, RadioButtonsAction, ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/web-api';
import {
  type NewHazard,
  PROPOSED_FIELDS,
  type ReviewRow,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import { AppError, toPublicError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import { logger } from '../../../../models/logger.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { consentFor, leastOf } from '../../../engine/delivery/consent.ts';
import { requireOpen } from '../../../engine/interrupts/openQuestion.ts';
import { keepRow, valuesShown } from '../../../engine/interrupts/reviewRows.ts';
import { findRowFault } from '../../../engine/questions/kinds/hazardReview.ts';
import { readMemory, toldModal } from '../cards/modals.ts';
import { blockOf, type ReviewPage, reviewModal } from '../cards/reviewModal.ts';
import { installationFrom, type Source } from '../inbound.ts';
import { clientOf } from '../installations.ts';
import { answer, requireMember } from './answers.ts';
import { doneInTime, knownInTime } from './inTime.ts';

type Values = ViewOutput['state']['values'];
type Submitted = {
  view: Pick<ViewOutput, 'private_metadata' | 'state'>;
  who: Awaited<ReturnType<typeof requireMember>>;
};
type Reply =
  | { response_action: 'update'; view: ModalView }
  | { response_action: 'errors'; errors: Record<string, string> };

/** Which block of a page is to blame for a fault of its row. */
const FAULT_BLOCKS = { kbId: 'candidate', outcome: 'outcome', name: 'name' } as const;

/**
 * What a page says of its row; null where nothing is chosen on it. Only what the person changed against what the page
 * showed is an edit: a field that was not there, or was left as it was, changes nothing.
 */
function readRow(values: Values, page: number, proposal: NewHazard, decided: ReviewRow | undefined): ReviewRow | null {
  const of = (part: Parameters<typeof blockOf>[0]) => values[blockOf(part, page)];
  const outcome = of('outcome')?.['review:outcome']?.selected_option?.value as ReviewRow['outcome'] | undefined;
  if (!outcome) return null;
  const reason = of('reason')?.text?.value?.trim();
  const kbId = outcome === 'rejected' ? undefined : of('candidate')?.choice?.selected_option?.value;
  const shown = valuesShown(proposal, decided);
  const edited = PROPOSED_FIELDS.flatMap(({ name }) => {
    const typed = of(name)?.text;
    const text = typed && (typed.value ?? '').trim();
    return text === undefined || text === shown[name].trim() ? [] : [[name, text] as const];
  });
  const kept = outcome === 'edited' ? { ...decided?.values, ...Object.fromEntries(edited) } : {};
  return {
    id: proposal.id,
    outcome,
    ...(Object.keys(kept).length > 0 ? { values: kept } : {}),
    ...(kbId ? { kbId } : {}),
    ...(outcome === 'rejected' && reason ? { reason } : {}),
  };
}

/** Where the review stands, as its pages need it. */
async function openReview({ view, who }: Submitted) {
  const memory = readMemory(view.private_metadata);
  const { page, home } = memory;
  const question = await requireOpen(who, memory.interruptId);
  const proposal = question.context.rows?.[page];
  if (!proposal) throw new AppError('not_found');
  const decided = question.draft?.rows.find(({ id }) => id === proposal.id);
  const row = readRow(view.state.values, page, proposal, decided);
  const mode = await consentFor(who.accountId, 'slack');
  // Pages before this one may have shown less.
  const drawnUnder = leastOf(mode, memory.drawnUnder ?? mode);
  const draw = (at: Question, to: Partial<ReviewPage>) => reviewModal(at, mode, { page, home, drawnUnder, ...to });
  return { question, proposal, row, page, draw, pressed: { ...memory, drawnUnder } };
}

/** Keeps the page's row and goes to the next that is open; when none is, the review is sent. */
async function sendPage(submitted: Submitted): Promise<Reply | undefined> {
  const { who } = submitted;
  const { question, proposal, row, page, draw, pressed } = await openReview(submitted);
  const blame = (part: keyof typeof FAULT_BLOCKS, text: string): Reply => {
    const block = blockOf(FAULT_BLOCKS[part], page);
    const known = submitted.view.state.values[block] ? block : blockOf('outcome', page);
    return { response_action: 'errors', errors: { [known]: text } };
  };
  if (!row) return blame('outcome', 'Choose accept, edit or reject.');
  // Edit that was chosen without its fields being drawn: they are drawn now.
  if (row.outcome === 'edited' && !submitted.view.state.values[blockOf('name', page)])
    return { response_action: 'update', view: draw(question, { outcome: 'edited' }) };
  const fault = findRowFault(proposal, row);
  if (fault) return blame(fault.part, fault.text);

  const kept = await keepRow(who, question, row);
  const rows = kept.context.rows ?? [];
  const decisions = new Map(kept.draft?.rows.map((it) => [it.id, it]));
  const open = rows.map(({ id }, index) => ({ index, open: !decisions.has(id) })).filter((it) => it.open);
  const next = open.find(({ index }) => index > page) ?? open[0];
  if (next) return { response_action: 'update', view: draw(kept, { page: next.index }) };
  // Another reviewer may have left a row as it can't be sent: the page opens there and says why.
  for (const [index, it] of rows.entries()) {
    const wrong = findRowFault(it, decisions.get(it.id) as ReviewRow);
    if (wrong) return { response_action: 'update', view: draw(kept, { page: index, fault: wrong.text }) };
  }
  await answer(who, pressed, { userResponse: { rows: kept.draft?.rows ?? [] }, draftVersion: kept.draft?.version });
  return undefined;
}

/** What the buttons and the choice of a page do: the view to show. */
const STEPS: Record<string, (submitted: Submitted, action: ButtonAction | RadioButtonsAction) => Promise<ModalView>> = {
  async outcome(submitted, action) {
    const { question, draw } = await openReview(submitted);
    const outcome = (action as RadioButtonsAction).selected_option?.value as ReviewRow['outcome'] | undefined;
    return draw(question, { outcome });
  },
  back: (submitted) => walk(submitted, -1),
  skip: (submitted) => walk(submitted, 1),
};

/** Goes to another page. A decision that is whole is kept; one that is not is left, as it would be on closing. */
async function walk(submitted: Submitted, by: 1 | -1): Promise<ModalView> {
  const { question, proposal, row, page, draw } = await openReview(submitted);
  const whole = row && !findRowFault(proposal, row);
  const kept = whole ? await keepRow(submitted.who, question, row) : question;
  const last = (kept.context.rows?.length ?? 1) - 1;
  return draw(kept, { page: Math.min(last, Math.max(0, page + by)) });
}

/** The pages of a review. */
export function registerReview(app: App): void {
  app.view('review_row', async ({ ack, view, body, context }) => {
    const installation = await installationFrom(context as Source);
    if (!installation) return ack();
    try {
      const reply = await runInAccount(installation.row.accountId, async () =>
        sendPage({ view, who: await knownInTime(requireMember(installation, body.user.id)) }),
      );
      await (reply ? ack(reply as never) : ack());
    } catch (error) {
      const { page } = readMemory(view.private_metadata);
      const { body: told } = toPublicError(error, view.id);
      await ack({ response_action: 'errors', errors: { [blockOf('outcome', page)]: told.error } });
    }
  });

  app.action<BlockAction<ButtonAction | RadioButtonsAction>>(/^review:/, async ({ ack, action, body, context }) => {
    const installation = await installationFrom(context as Source);
    const { view } = body;
    const take = STEPS[action.action_id.split(':')[1] ?? ''];
    if (installation && view && take) {
      const work = runInAccount(installation.row.accountId, async () => {
        const next = await requireMember(installation, body.user.id)
          .then((who) => take({ view: view as unknown as Submitted['view'], who }, action))
          .catch((error: unknown) => toldModal('Review', toPublicError(error, view.id).body.error));
        await clientOf(installation)
          .views.update({ view_id: view.id, hash: view.hash, view: next })
          // Closed or sent meanwhile: there is nothing left to draw.
          .catch((error: unknown) => logger.debug({ err: error }, 'a page of a review'));
      });
      await doneInTime(work);
    }
    await ack();
  });
}
