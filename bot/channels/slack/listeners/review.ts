import type { App, BlockAction, ButtonAction, RadioButtonsAction, ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/web-api';
import { AppError, toPublicError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import {
  findRowFault,
  NOT_DECIDED,
  nextOpenRow,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  type RowOutcome,
  type RowPart,
  readRow,
} from '../../../../models/contracts/questionRows.ts';
import { logger } from '../../../../models/logger.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { consentFor, leastOf } from '../../../engine/delivery/consent.ts';
import { keepRow } from '../../../engine/interrupts/keepRow.ts';
import { requireOpen } from '../../../engine/interrupts/openQuestion.ts';
import { readMemory, toldModal } from '../cards/modals.ts';
import { blockOf, type Part, type ReviewPage, reviewModal } from '../cards/reviewModal.ts';
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
const blameOf = ({ part, field }: { part: RowPart; field?: string }): Part =>
  part === 'values' ? `field:${field}` : part;

/** What was filled in on the page of a row. */
function readPage(
  values: Values,
  page: number,
  view: QuestionRows,
  row: QuestionRow,
  decided: RowDecision | undefined,
) {
  const of = (part: Part) => values[blockOf(part, page)];
  // An empty field comes as null; one that is not on the page does not come at all.
  const typed = ({ name }: { name: string }) => {
    const input = of(`field:${name}`)?.text;
    return [name, input && (input.value ?? '')] as const;
  };
  const filled = {
    outcome: of('outcome')?.['review:outcome']?.selected_option?.value,
    choice: of('choice')?.choice?.selected_option?.value,
    reason: of('reason')?.text?.value ?? undefined,
    values: Object.fromEntries(view.fields.map(typed)),
  };
  return readRow(view, row, filled, decided);
}

/** Where the review stands, as its pages need it. */
async function openReview({ view, who }: Submitted) {
  const memory = readMemory(view.private_metadata);
  const { page, home } = memory;
  const question = await requireOpen(who, memory.interruptId);
  const rows = question.view.rows;
  const asked = rows?.rows[page];
  if (!rows || !asked) throw new AppError('not_found');
  const decided = question.draft?.rows.find(({ id }) => id === asked.id);
  const row = readPage(view.state.values, page, rows, asked, decided);
  const mode = await consentFor(who.accountId, 'slack');
  // Pages before this one may have shown less.
  const drawnUnder = leastOf(mode, memory.drawnUnder ?? mode);
  const draw = (at: Question, to: Partial<ReviewPage>) => reviewModal(at, mode, { page, home, drawnUnder, ...to });
  return { question, rows, asked, row, page, draw, pressed: { ...memory, drawnUnder } };
}

/** Keeps the page's row and goes to the next that is open; when none is, the review is sent. */
async function sendPage(submitted: Submitted): Promise<Reply | undefined> {
  const { who } = submitted;
  const { question, rows, asked, row, page, draw, pressed } = await openReview(submitted);
  const blame = (part: Part, text: string): Reply => {
    const block = blockOf(part, page);
    const known = submitted.view.state.values[block] ? block : blockOf('outcome', page);
    return { response_action: 'errors', errors: { [known]: text } };
  };
  if (!row) return blame('outcome', NOT_DECIDED);
  // Edit that was chosen without its fields being drawn: they are drawn now.
  if (row.outcome === 'edited' && !submitted.view.state.values[blockOf(`field:${rows.fields[0]?.name}`, page)])
    return { response_action: 'update', view: draw(question, { outcome: 'edited' }) };
  const fault = findRowFault(rows, asked, row);
  if (fault) return blame(blameOf(fault), fault.text);

  const kept = await keepRow(who, question, row);
  const decisions = new Map(kept.draft?.rows.map((it) => [it.id, it]));
  const next = nextOpenRow(rows, kept.draft?.rows ?? [], page + 1);
  if (next >= 0) return { response_action: 'update', view: draw(kept, { page: next }) };
  // Another reviewer may have left a row as it can't be sent: the page opens there and says why.
  for (const [index, it] of rows.rows.entries()) {
    const wrong = findRowFault(rows, it, decisions.get(it.id) as RowDecision);
    if (wrong) return { response_action: 'update', view: draw(kept, { page: index, fault: wrong.text }) };
  }
  await answer(who, pressed, { userResponse: { rows: kept.draft?.rows ?? [] }, draftVersion: kept.draft?.version });
  return undefined;
}

/** What the buttons and the choice of a page do: the view to show. */
const STEPS: Record<string, (submitted: Submitted, action: ButtonAction | RadioButtonsAction) => Promise<ModalView>> = {
  async outcome(submitted, action) {
    const { question, draw } = await openReview(submitted);
    const outcome = (action as RadioButtonsAction).selected_option?.value as RowOutcome | undefined;
    return draw(question, { outcome });
  },
  back: (submitted) => walk(submitted, -1),
  skip: (submitted) => walk(submitted, 1),
};

/** Goes to another page. A decision that is whole is kept; one that is not is left, as it would be on closing. */
async function walk(submitted: Submitted, by: 1 | -1): Promise<ModalView> {
  const { question, rows, asked, row, page, draw } = await openReview(submitted);
  const whole = row && !findRowFault(rows, asked, row);
  const kept = whole ? await keepRow(submitted.who, question, row) : question;
  return draw(kept, { page: Math.min(rows.rows.length - 1, Math.max(0, page + by)) });
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
