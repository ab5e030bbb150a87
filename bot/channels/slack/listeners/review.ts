import type { App, BlockAction, ButtonAction, RadioButtonsAction, ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/web-api';
import { toPublicError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import {
  editsByChoice,
  type FilledRow,
  type RowOutcome,
  type RowPart,
} from '../../../../models/contracts/questionRows.ts';
import { logger } from '../../../../models/logger.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import {
  answerOfReview,
  findPageFault,
  openReview,
  type Review,
  readPage,
  sendPage,
  walk,
} from '../../../engine/interrupts/reviewByPages.ts';
import { noticeModal, readMemory } from '../cards/modals.ts';
import { blockOf, type Part, type ReviewPage, reviewModal } from '../cards/reviewModal.ts';
import { installationFrom, type Source } from '../inbound.ts';
import { clientOf } from '../installations.ts';
import { answer, requireMember } from './answers.ts';
import { finishInTime, loadInTime } from './inTime.ts';

type Values = ViewOutput['state']['values'];
type Submitted = {
  view: Pick<ViewOutput, 'private_metadata' | 'state'>;
  who: Awaited<ReturnType<typeof requireMember>>;
};
type Reply =
  | { response_action: 'update'; view: ModalView }
  | { response_action: 'errors'; errors: Record<string, string> };

/** The part of a page where a fault of its row is shown. */
const partOf = ({ part, field }: { part: RowPart; field?: string }): Part =>
  part === 'values' ? `field:${field}` : part;

/** The input by which a row is edited. */
const editPart = (rows: Review['rows']): Part =>
  editsByChoice(rows) ? 'choice' : `field:${rows.fields.find(({ fixed }) => !fixed)?.name}`;

/** Reads the inputs of a page. */
function readFilledRow(values: Values, page: number, { fields }: Review['rows']): FilledRow {
  const of = (part: Part) => values[blockOf(part, page)];
  // Slack sends null for an empty field, and nothing for one that is not on the page.
  const typed = ({ name }: { name: string }) => {
    const input = of(`field:${name}`)?.text;
    return [name, input && (input.value ?? '')] as const;
  };
  return {
    outcome: of('outcome')?.['review:outcome']?.selected_option?.value,
    choice: of('choice')?.choice?.selected_option?.value,
    reason: of('reason')?.text?.value ?? undefined,
    values: Object.fromEntries(fields.map(typed)),
  };
}

/** Opens the review at the page that the modal shows. */
async function openPage({ view, who }: Submitted) {
  const memory = readMemory(view.private_metadata);
  const { page, home } = memory;
  const review = await openReview(who, memory.interruptId, 'slack', memory.drawnUnder, memory.seenAt);
  const { mode, drawnUnder, rows } = review;
  const from = readPage(review, page, readFilledRow(view.state.values, page, rows));
  const draw = (at: Question, to: Partial<ReviewPage>) => reviewModal(at, mode, { page, home, drawnUnder, ...to });
  return { review, from, draw, pressed: { ...memory, drawnUnder } };
}

/** Saves the page's row and shows the next undecided one, or sends the review when all are decided. */
async function submitPage(submitted: Submitted): Promise<Reply | undefined> {
  const { values } = submitted.view.state;
  const { review, from, draw, pressed } = await openPage(submitted);
  const { page, row } = from;
  // The outcome needs inputs that the page did not have yet, so the page is redrawn with them.
  const isDrawn = (part: Part) => values[blockOf(part, page)] !== undefined;
  const fault = findPageFault(review, from);
  if (
    row &&
    ((row.outcome === 'edited' && !isDrawn(editPart(review.rows))) || (fault?.part === 'reason' && !isDrawn('reason')))
  )
    return { response_action: 'update', view: draw(review.question, { outcome: row.outcome, seenAt: review.seenAt }) };
  if (!row || fault) {
    const block = blockOf(fault ? partOf(fault) : 'outcome', page);
    const known = values[block] ? block : blockOf('outcome', page);
    return { response_action: 'errors', errors: { [known]: fault?.text ?? '' } };
  }
  const { at, page: next, ...more } = await sendPage(review, page, row);
  if (next !== null) return { response_action: 'update', view: draw(at, { page: next, ...more }) };
  await answer(submitted.who, pressed, answerOfReview(at));
  return undefined;
}

/** Handlers of a page's buttons and choice; each returns the view to show. */
const STEPS: Record<string, (submitted: Submitted, action: ButtonAction | RadioButtonsAction) => Promise<ModalView>> = {
  async outcome(submitted, action) {
    const { review, draw } = await openPage(submitted);
    const outcome = (action as RadioButtonsAction).selected_option?.value as RowOutcome | undefined;
    return draw(review.question, { outcome, seenAt: review.seenAt });
  },
  back: (submitted) => turnPage(submitted, -1),
  skip: (submitted) => turnPage(submitted, 1),
};

async function turnPage(submitted: Submitted, by: 1 | -1): Promise<ModalView> {
  const { review, from, draw } = await openPage(submitted);
  const { at, page } = await walk(review, from, by);
  return draw(at, { page });
}

/** Listeners for the pages of a review. */
export function registerReview(app: App): void {
  app.view('review_row', async ({ ack, view, body, context }) => {
    const installation = await installationFrom(context as Source);
    if (!installation) return ack();
    try {
      const reply = await runInAccount(installation.row.accountId, async () =>
        submitPage({ view, who: await loadInTime(requireMember(installation, body.user.id)) }),
      );
      await (reply ? ack(reply as never) : ack());
    } catch (error) {
      const { page } = readMemory(view.private_metadata);
      const { body: shown } = toPublicError(error, view.id);
      await ack({ response_action: 'errors', errors: { [blockOf('outcome', page)]: shown.error } });
    }
  });

  app.action<BlockAction<ButtonAction | RadioButtonsAction>>(/^review:/, async ({ ack, action, body, context }) => {
    const installation = await installationFrom(context as Source);
    const { view } = body;
    const run = STEPS[action.action_id.split(':')[1] ?? ''];
    if (installation && view && run) {
      const work = runInAccount(installation.row.accountId, async () => {
        const next = await requireMember(installation, body.user.id)
          .then((who) => run({ view: view as unknown as Submitted['view'], who }, action))
          .catch((error: unknown) => noticeModal('Review', toPublicError(error, view.id).body.error));
        await clientOf(installation)
          .views.update({ view_id: view.id, hash: view.hash, view: next })
          // Fails when the modal was closed or sent meanwhile.
          .catch((error: unknown) => logger.debug({ err: error }, 'could not draw a page of a review'));
      });
      await finishInTime(work);
    }
    await ack();
  });
}
