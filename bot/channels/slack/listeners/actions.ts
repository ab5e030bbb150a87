import type { App, BlockAction, ButtonAction, StaticSelectAction } from '@slack/bolt';
import type { ModalView } from '@slack/web-api';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { AnswerBody, Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { answerOf, wasDrawn } from '../../../../models/contracts/questionView.ts';
import { logger } from '../../../../models/logger.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import { redrawOpen } from '../../../engine/delivery/redrawOpen.ts';
import { findQuestion } from '../../../engine/interrupts/listQuestions.ts';
import { requireOpen } from '../../../engine/interrupts/openQuestion.ts';
import { firstOpenPage } from '../../../engine/interrupts/reviewByPages.ts';
import { describeStepOf, requireAnswerable } from '../../../engine/questions/kinds/index.ts';
import { HOME_FILTERS } from '../cards/homeView.ts';
import { closedPost } from '../cards/interruptBlocks.ts';
import { fieldsModal, type Pressed, readPressed } from '../cards/modals.ts';
import { reviewModal } from '../cards/reviewModal.ts';
import { filterHome } from '../home.ts';
import { installationFrom, type Source, storeTurn } from '../inbound.ts';
import { clientOf, type SlackInstallation } from '../installations.ts';
import { answer, requireMember } from './answers.ts';
import { type Respond, replyInTime, sendReply } from './inTime.ts';
import { describeError } from './refusals.ts';

type Click = {
  installation: SlackInstallation;
  body: BlockAction<ButtonAction>;
  action: ButtonAction;
  home: boolean;
} & Pressed;

async function openModal(
  { installation, body, interruptId }: Click,
  make: (question: Question, mode: ConsentMode) => ModalView,
): Promise<void> {
  const who = await requireMember(installation, body.user.id);
  const [question, mode] = await Promise.all([requireOpen(who, interruptId), consentFor(who.accountId, 'slack')]);
  await clientOf(installation).views.open({ trigger_id: body.trigger_id, view: make(question, mode) });
}

/** The review's first undecided row. */
function rowsModal(question: Question, mode: ConsentMode, home: boolean): ModalView {
  return reviewModal(question, mode, { page: firstOpenPage(question), home });
}

/** Handles a button of a question: opens the review, asks for text, or answers. */
async function press(click: Omit<Click, keyof Pressed>): Promise<string | null> {
  const { installation, body, action, home } = click;
  const actionId = action.action_id.slice('answer:'.length);
  const pressed = { ...click, ...readPressed(action.value) };
  if (!Number.isSafeInteger(pressed.interruptId)) throw new AppError('not_found');
  const who = await requireMember(installation, body.user.id);
  const question = await findQuestion(who, pressed.interruptId);
  const chosen = question?.view.actions.find(({ id }) => id === actionId);
  if (!question || !chosen) throw new AppError(question && wasDrawn(question, actionId) ? 'conflict' : 'not_found');
  if (chosen.opens) {
    await openModal(pressed, (it, mode) => rowsModal(it, mode, home));
    return null;
  }
  const given: AnswerBody = answerOf(question.view, { action: actionId, fields: {} }) ?? {};
  if (chosen.fields.length === 0) return describeStepOf(await answer(who, pressed, given), given);
  await openModal(pressed, (it, mode) => {
    // Checked before the person types something that could not be sent.
    requireAnswerable(it, given);
    return fieldsModal(it, mode, actionId, home);
  });
  return null;
}

/** Replies in a person's direct messages with the app. */
const inDirectMessages =
  (installation: SlackInstallation, user: string): Respond =>
  ({ text }) =>
    clientOf(installation).chat.postMessage({ channel: user, text });

/** Errors after which the messages of a pending question show buttons of an earlier state. */
const OUTDATED = ['review_begun', 'conflict'];

/** Redraws a message that shows the buttons of an earlier state of its question. */
async function redrawAfter({ installation, body, action, home }: Omit<Click, keyof Pressed>, error: unknown) {
  const { channel, message } = body;
  if (error instanceof AppError && OUTDATED.includes(error.code))
    redrawOpen({ _id: readPressed(action.value).interruptId, accountId: installation.row.accountId });
  if (!(error instanceof AppError) || error.code !== 'already_answered' || home || !channel || !message?.ts) return;
  const { accountId } = installation.row;
  const question = await findQuestion({ accountId } as Who, readPressed(action.value).interruptId);
  if (!question || question.status === 'pending') return;
  const post = closedPost(question, await consentFor(accountId, 'slack'));
  await clientOf(installation)
    .chat.update({ channel: channel.id, ts: message.ts, ...post })
    .catch((fault: unknown) => logger.debug({ err: fault }, 'could not redraw a closed question'));
}

/** Buttons and menus, by their action id. */
export function registerActions(app: App): void {
  app.action<BlockAction<ButtonAction>>(/^answer:/, async ({ ack, action, body, context, respond }) => {
    const installation = await installationFrom(context as Source);
    if (installation) {
      const home = body.view?.type === 'home';
      const click = { installation, body, action, home };
      const work = runInAccount(installation.row.accountId, () =>
        press(click).catch(async (error: unknown) => {
          await redrawAfter(click, error);
          return describeError(error);
        }),
      );
      // App Home has no ephemeral messages, so the reply goes to direct messages.
      const text = await replyInTime(work, home ? inDirectMessages(installation, body.user.id) : respond);
      if (text) await sendReply(home ? inDirectMessages(installation, body.user.id) : respond, text);
    }
    await ack();
  });

  app.action<BlockAction<ButtonAction>>(/^say:/, async ({ ack, action, body, context, respond }) => {
    const installation = await installationFrom(context as Source);
    const channel = body.channel?.id;
    if (installation && channel) {
      const { key, accountId } = installation.row;
      const stored = await runInAccount(accountId, () =>
        storeTurn(
          installation,
          { key, channel, thread: body.message?.thread_ts ?? null },
          {
            user: body.user.id,
            text: action.value ?? '',
            files: [],
            manner: 'said',
            // The id identifies the button of this message, so a second click by the same person is a duplicate.
            eventId: `click:${key}:${channel}:${body.message?.ts}:${action.action_id}:${body.user.id}`,
          },
        ),
      );
      if (stored === 'again') {
        const text = 'You’ve already asked for this with this button. To ask again, type it.';
        await sendReply(respond, text);
      }
    }
    await ack();
  });

  app.action<BlockAction<StaticSelectAction>>('home_filter', async ({ ack, action, body, context }) => {
    const installation = await installationFrom(context as Source);
    const filter = HOME_FILTERS.find((it) => it === action.selected_option?.value) ?? 'pending';
    if (installation) {
      // Drawn after the acknowledgement, because a Home with many questions can take too long.
      setImmediate(() => {
        runInAccount(installation.row.accountId, async () => {
          await requireMember(installation, body.user.id);
          await filterHome(installation, body.user.id, filter);
        }).catch((error: unknown) => logger.warn({ err: error }, 'could not filter App Home'));
      });
    }
    await ack();
  });
}
