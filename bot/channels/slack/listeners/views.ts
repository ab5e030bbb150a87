import type { App } from '@slack/bolt';
import { AppError, toPublicError } from '../../../../models/contracts/errors.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { readElement, readMemory } from '../cards/modals.ts';
import { installationFrom, type Source } from '../inbound.ts';
import { answer, answerPressed, requireMember } from './answers.ts';
import { loadInTime } from './inTime.ts';
import { NOT_CONNECTED } from './refusals.ts';

/** Listeners for submitted modals. An error is shown in the modal, which keeps its input. */
export function registerViews(app: App): void {
  app.view('answer_fields', async ({ ack, view, body, context }) => {
    const memory = readMemory(view.private_metadata);
    const names = memory.fields ?? [];
    const refuse = (text: string) => ack({ response_action: 'errors', errors: { [names[0] ?? 'answer']: text } });
    const installation = await installationFrom(context as Source);
    if (!installation) return refuse(NOT_CONNECTED);
    try {
      await runInAccount(installation.row.accountId, async () => {
        const who = await loadInTime(requireMember(installation, body.user.id));
        const fields = Object.fromEntries(names.map((name) => [name, readElement(view.state.values, name)]));
        const given = await answerPressed(who, memory.interruptId, { action: memory.action ?? '', fields });
        if (!given) throw new AppError('not_found');
        await answer(who, memory, given);
      });
      await ack();
    } catch (error) {
      const { body: shown } = toPublicError(error, view.id);
      const [field] = Object.values(shown.fields ?? {});
      await refuse(field ?? shown.error);
    }
  });
}
