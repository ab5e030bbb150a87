import type { App, ViewOutput } from '@slack/bolt';
import { AppError, toPublicError } from '../../../../models/contracts/errors.ts';
import type { ReviewRow } from '../../../../models/contracts/hazards.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import { readMemory, reviewModal } from '../cards/modals.ts';
import { installationFrom, type Source } from '../inbound.ts';
import { answer, keepRow, requireMember, requireOpen } from './answers.ts';

const textOf = (view: ViewOutput, block: string) => view.state.values[block]?.text?.value?.trim() ?? '';

type Submitted = {
  view: ViewOutput;
  user: string;
  installation: NonNullable<Awaited<ReturnType<typeof installationFrom>>>;
};
type Reply = { response_action: 'update'; view: ReturnType<typeof reviewModal> } | undefined;

/** What the row's page says, as a row of a review. */
function readRow(view: ViewOutput, id: string, name: string): ReviewRow {
  const outcome = (view.state.values.outcome?.choice?.selected_option?.value ?? 'rejected') as ReviewRow['outcome'];
  const reason = textOf(view, 'reason');
  const edited = textOf(view, 'name');
  const kbId = outcome === 'rejected' ? undefined : view.state.values.candidate?.choice?.selected_option?.value;
  return {
    id,
    outcome,
    ...(outcome === 'edited' && edited && edited !== name ? { values: { name: edited } } : {}),
    ...(kbId ? { kbId } : {}),
    ...(reason ? { reason } : {}),
  };
}

/** What each modal does when it is sent, by its callback id; the first block to blame for a fault. */
const SUBMISSIONS: Record<string, { block: string; submit(it: Submitted): Promise<Reply> }> = {
  answer_input: {
    block: 'answer',
    async submit({ view, user, installation }) {
      const who = await requireMember(installation, user);
      await answer(who, readMemory(view.private_metadata).interruptId, { userInput: textOf(view, 'answer') });
      return undefined;
    },
  },
  reject: {
    block: 'reason',
    async submit({ view, user, installation }) {
      const who = await requireMember(installation, user);
      await answer(who, readMemory(view.private_metadata).interruptId, {
        approved: false,
        reason: textOf(view, 'reason'),
      });
      return undefined;
    },
  },
  review_row: {
    block: 'outcome',
    async submit({ view, user, installation }) {
      const who = await requireMember(installation, user);
      const { interruptId, page } = readMemory(view.private_metadata);
      const question = await requireOpen(who, interruptId);
      const rows = question.context.rows ?? [];
      const row = rows[page];
      const decision = row && readRow(view, row.id, row.values.name);
      if (row && decision?.outcome !== 'rejected' && !row.sure && row.candidates.length > 1 && !decision?.kbId) {
        throw new AppError(
          'bad_request',
          {},
          { fields: { candidate: `${row.proposedId} has more than one match. Choose one of them.` } },
        );
      }
      const kept = decision ? await keepRow(who, question, decision) : question;
      const decided = new Set(kept.draft?.rows.map(({ id }) => id));
      const next = rows.findIndex(({ id }, index) => index > page && !decided.has(id));
      const left = next >= 0 ? next : rows.findIndex(({ id }) => !decided.has(id));
      if (left >= 0) {
        const mode = await consentFor(who.accountId, 'slack');
        return { response_action: 'update', view: reviewModal(kept, mode, left) };
      }
      await answer(who, interruptId, { userResponse: { rows: kept.draft?.rows ?? [] } });
      return undefined;
    },
  },
};

/** Modals that were sent. What can't be taken is said in the modal, and nothing of it is lost. */
export function registerViews(app: App): void {
  for (const [callbackId, { block, submit }] of Object.entries(SUBMISSIONS)) {
    app.view(callbackId, async ({ ack, view, body, context }) => {
      const installation = await installationFrom(context as Source);
      if (!installation) return ack();
      try {
        const reply = await runInAccount(installation.row.accountId, () =>
          submit({ view, user: body.user.id, installation }),
        );
        await (reply ? ack(reply as never) : ack());
      } catch (error) {
        const { body: told } = toPublicError(error, view.id);
        const [field] = Object.values(told.fields ?? {});
        await ack({ response_action: 'errors', errors: { [block]: field ?? told.error } });
      }
    });
  }
}
