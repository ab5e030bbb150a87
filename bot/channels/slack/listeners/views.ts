import type { App, ViewOutput } from '@slack/bolt';
import { toPublicError } from '../../../../models/contracts/errors.ts';
import type { AnswerBody } from '../../../../models/contracts/interrupts.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { readMemory } from '../cards/modals.ts';
import { installationFrom, type Source } from '../inbound.ts';
import { answer, requireMember } from './answers.ts';
import { knownInTime } from './inTime.ts';
import { NOT_CONNECTED } from './refusals.ts';

/** What each modal answers when it is sent, by its callback id, and the block that holds its words. */
const SUBMISSIONS: Record<string, { block: string; read(words: string): AnswerBody }> = {
  answer_input: { block: 'answer', read: (userInput) => ({ userInput }) },
  answer_edit: { block: 'change', read: (text) => ({ userResponse: { choice: 'edit', text } }) },
  reject: { block: 'reason', read: (reason) => ({ approved: false, reason }) },
};

const wordsIn = (view: ViewOutput, block: string) => view.state.values[block]?.text?.value?.trim() ?? '';

/** Modals that were sent. What can't be taken is said in the modal, and nothing of it is lost. */
export function registerViews(app: App): void {
  for (const [callbackId, { block, read }] of Object.entries(SUBMISSIONS)) {
    app.view(callbackId, async ({ ack, view, body, context }) => {
      const installation = await installationFrom(context as Source);
      if (!installation) return ack({ response_action: 'errors', errors: { [block]: NOT_CONNECTED } });
      try {
        await runInAccount(installation.row.accountId, async () => {
          const who = await knownInTime(requireMember(installation, body.user.id));
          await answer(who, readMemory(view.private_metadata), read(wordsIn(view, block)));
        });
        await ack();
      } catch (error) {
        const { body: told } = toPublicError(error, view.id);
        const [field] = Object.values(told.fields ?? {});
        await ack({ response_action: 'errors', errors: { [block]: field ?? told.error } });
      }
    });
  }
}
