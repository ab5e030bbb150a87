import type { App, BlockAction, ButtonAction, StaticSelectAction } from '@slack/bolt';
import type { ModalView } from '@slack/web-api';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { Interrupt as Question } from '../../../../models/contracts/interrupts.ts';
import type { ConsentMode } from '../../../../models/contracts/preferences.ts';
import { answerOf } from '../../../../models/contracts/questionView.ts';
import { logger } from '../../../../models/logger.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import { findQuestion } from '../../../engine/interrupts/listQuestions.ts';
import { requireOpen } from '../../../engine/interrupts/openQuestion.ts';
import { firstOpenPage } from '../../../engine/interrupts/reviewByPages.ts';
import { requireAnswerable } from '../../../engine/questions/kinds/index.ts';
import { HOME_FILTERS } from '../cards/homeView.ts';
import { closedPost } from '../cards/interruptBlocks.ts';
import { fieldsModal, type Pressed, readPressed } from '../cards/modals.ts';
import { reviewModal } from '../cards/reviewModal.ts';
import { filterHome } from '../home.ts';
import { hear, installationFrom, type Source } from '../inbound.ts';
import { clientOf, type SlackInstallation } from '../installations.ts';
import { answer, requireMember } from './answers.ts';
import { inTime, type Respond, tell } from './inTime.ts';
import { tellError } from './refusals.ts';

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

/** What opening an action's rows shows: the first that is not decided. */
function rowsModal(question: Question, mode: ConsentMode, home: boolean): ModalView {
  return reviewModal(question, mode, { page: firstOpenPage(question), home });
}

/** Does what a button of a question stands for: opens its rows, asks for words, or answers. */
async function press(click: Omit<Click, keyof Pressed>): Promise<void> {
  const { installation, body, action, home } = click;
  const actionId = action.action_id.slice('answer:'.length);
  const pressed = { ...click, ...readPressed(action.value) };
  if (!Number.isSafeInteger(pressed.interruptId)) throw new AppError('not_found');
  const who = await requireMember(installation, body.user.id);
  const question = await findQuestion(who, pressed.interruptId);
  const asked = question?.view.actions.find(({ id }) => id === actionId);
  if (!question || !asked) throw new AppError('not_found');
  if (asked.opens) return openModal(pressed, (it, mode) => rowsModal(it, mode, home));
  const given = answerOf(question.view, { action: actionId, fields: {} }) ?? {};
  if (asked.fields.length === 0) return void (await answer(who, pressed, given));
  return openModal(pressed, (it, mode) => {
    // Before words are written that could not be sent.
    requireAnswerable(it, given);
    return fieldsModal(it, mode, actionId, home);
  });
}

/** Says something in a person's own chat with the app. */
const inDirectMessages =
  (installation: SlackInstallation, user: string): Respond =>
  ({ text }) =>
    clientOf(installation).chat.postMessage({ channel: user, text });

/** A message that still shows the buttons of a question that is answered is drawn as it should be. */
async function redrawClosed({ installation, body, action, home }: Omit<Click, keyof Pressed>, error: unknown) {
  const { channel, message } = body;
  if (!(error instanceof AppError) || error.code !== 'already_answered' || home || !channel || !message?.ts) return;
  const { accountId } = installation.row;
  const question = await findQuestion({ accountId } as Who, readPressed(action.value).interruptId);
  if (!question || question.status === 'pending') return;
  const post = closedPost(question, await consentFor(accountId, 'slack'));
  await clientOf(installation)
    .chat.update({ channel: channel.id, ts: message.ts, ...post })
    .catch((fault: unknown) => logger.debug({ err: fault }, 'a closed question could not be drawn again'));
}

/** Buttons and menus, by their action id. */
export function registerActions(app: App): void {
  app.action<BlockAction<ButtonAction>>(/^answer:/, async ({ ack, action, body, context, respond }) => {
    const installation = await installationFrom(context as Source);
    if (installation) {
      const home = body.view?.type === 'home';
      const click = { installation, body, action, home };
      const work = runInAccount(installation.row.accountId, () =>
        press(click).then(
          () => null,
          async (error: unknown) => {
            await redrawClosed(click, error);
            return tellError(error);
          },
        ),
      );
      // Home has no place for a word to one person: their direct messages are.
      const told = await inTime(work, home ? inDirectMessages(installation, body.user.id) : respond);
      if (told) await tell(home ? inDirectMessages(installation, body.user.id) : respond, told);
    }
    await ack();
  });

  app.action<BlockAction<ButtonAction>>(/^say:/, async ({ ack, action, body, context, respond }) => {
    const installation = await installationFrom(context as Source);
    const channel = body.channel?.id;
    if (installation && channel) {
      const { key, accountId } = installation.row;
      const heard = await runInAccount(accountId, () =>
        hear(
          installation,
          { key, channel, thread: body.message?.thread_ts ?? null },
          {
            user: body.user.id,
            text: action.value ?? '',
            files: [],
            manner: 'said',
            // Clicked twice by one person it is asked once: the same message holds the same button.
            eventId: `click:${key}:${channel}:${body.message?.ts}:${action.action_id}:${body.user.id}`,
          },
        ),
      );
      if (heard === 'again') {
        const text = 'You have asked for that with this button. To ask again, say it in words.';
        await tell(respond, text);
      }
    }
    await ack();
  });

  app.action<BlockAction<StaticSelectAction>>('home_filter', async ({ ack, action, body, context }) => {
    const installation = await installationFrom(context as Source);
    const filter = HOME_FILTERS.find((it) => it === action.selected_option?.value) ?? 'pending';
    if (installation) {
      // Drawn when Slack has its acknowledgement: a Home with many questions takes a while.
      setImmediate(() => {
        runInAccount(installation.row.accountId, async () => {
          await requireMember(installation, body.user.id);
          await filterHome(installation, body.user.id, filter);
        }).catch((error: unknown) => logger.warn({ err: error }, 'a Home could not be filtered'));
      });
    }
    await ack();
  });
}
