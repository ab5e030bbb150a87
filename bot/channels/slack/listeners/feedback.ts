import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { type Feedback, feedback } from '../../../../models/contracts/chat.ts';
import { AppError, toPublicError } from '../../../../models/contracts/errors.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { giveFeedbackIn } from '../../../engine/conversations/giveFeedback.ts';
import { addressOf } from '../address.ts';
import { readElement, reasonModal } from '../cards/modals.ts';
import { installationFrom, type Source } from '../inbound.ts';
import { clientOf, type SlackInstallation } from '../installations.ts';
import { identifySlackUser } from '../people.ts';
import { loadInTime, replyInTime, sendReply } from './inTime.ts';
import { describeError, NOT_CONNECTED } from './refusals.ts';

/** A judged answer, and the channel in which it stands. */
type Judged = { messageId: string; channel: string };

/** Stores a judgement of somebody who may speak there. @throws AppError not_allowed, not_found */
async function judge(
  installation: SlackInstallation,
  user: string,
  { messageId, channel }: Judged,
  given: Feedback,
): Promise<void> {
  const { key, accountId } = installation.row;
  const { mayAsk } = await identifySlackUser(installation, user);
  if (!mayAsk) throw new AppError('not_allowed');
  await giveFeedbackIn(accountId, addressOf({ key, channel, thread: null }), messageId, given);
}

/** The buttons below an answer, and the modal for a reason. */
export function registerFeedback(app: App): void {
  app.action<BlockAction<ButtonAction>>('feedback', async ({ ack, action, body, context, respond }) => {
    const installation = await installationFrom(context as Source);
    const [value = '', messageId = ''] = (action.value ?? '').split(':');
    const given = feedback.safeParse({ value });
    if (installation && given.success && body.channel) {
      const judged: Judged = { messageId, channel: body.channel.id };
      const work = runInAccount(installation.row.accountId, async () => {
        // Stored before the reason, which a person may not give.
        await judge(installation, body.user.id, judged, given.data);
        if (given.data.value === 'good') return 'Thank you. Your feedback was kept with the answer.';
        await clientOf(installation).views.open({ trigger_id: body.trigger_id, view: reasonModal(judged) });
        return null;
      }).catch(describeError);
      const text = await replyInTime(work, respond);
      if (text) await sendReply(respond, text);
    }
    await ack();
  });

  app.view('feedback_reason', async ({ ack, view, body, context }) => {
    const refuse = (text: string) => ack({ response_action: 'errors', errors: { reason: text } });
    const installation = await installationFrom(context as Source);
    if (!installation) return refuse(NOT_CONNECTED);
    try {
      const judged = JSON.parse(view.private_metadata) as Judged;
      const given = feedback.parse({ value: 'bad', reason: readElement(view.state.values, 'reason') });
      await loadInTime(
        runInAccount(installation.row.accountId, () => judge(installation, body.user.id, judged, given)),
      );
      await ack();
    } catch (error) {
      await refuse(toPublicError(error, view.id).body.error);
    }
  });
}
