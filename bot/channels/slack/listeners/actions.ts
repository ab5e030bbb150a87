import type { App, BlockAction, ButtonAction, StaticSelectAction } from '@slack/bolt';
import { AppError, plainText, toPublicError } from '../../../../models/contracts/errors.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import { HOME_FILTERS, type HomeFilter } from '../cards/homeView.ts';
import { inputModal, rejectModal, reviewModal } from '../cards/modals.ts';
import { hear, installationFrom, type Source } from '../inbound.ts';
import { clientOf, type SlackInstallation } from '../installations.ts';
import { publishHome } from '../outbound.ts';
import { answer, requireMember, requireOpen } from './answers.ts';

type Click = {
  installation: SlackInstallation;
  body: BlockAction<ButtonAction>;
  action: ButtonAction;
  interruptId: number;
  home: boolean;
};

/** What each button of a question does, by the word after `answer:`. */
const BUTTONS: Record<string, (click: Click) => Promise<void>> = {
  async approve({ installation, body, interruptId, home }) {
    await answer(await requireMember(installation, body.user.id), interruptId, { approved: true }, home);
  },
  async reject(click) {
    await openModal(click, rejectModal);
  },
  async input(click) {
    await openModal(click, inputModal);
  },
  async review(click) {
    await openModal(click, (question, mode) => {
      const decided = new Set(question.draft?.rows.map(({ id }) => id));
      const next = (question.context.rows ?? []).findIndex(({ id }) => !decided.has(id));
      return reviewModal(question, mode, Math.max(0, next));
    });
  },
  async option({ installation, body, action, interruptId, home }) {
    const who = await requireMember(installation, body.user.id);
    const question = await requireOpen(who, interruptId);
    const option = question.options[Number(action.action_id.split(':')[2])];
    const chosen = typeof option === 'string' ? option : option?.id;
    const given =
      question.interruptType === 'decision' ? { selectedOption: chosen } : { userResponse: { choice: chosen } };
    await answer(who, interruptId, given, home);
  },
};

async function openModal(
  { installation, body, interruptId }: Click,
  make: (
    question: Awaited<ReturnType<typeof requireOpen>>,
    mode: Awaited<ReturnType<typeof consentFor>>,
  ) => ReturnType<typeof inputModal>,
): Promise<void> {
  const who = await requireMember(installation, body.user.id);
  const [question, mode] = await Promise.all([requireOpen(who, interruptId), consentFor(who.accountId, 'slack')]);
  await clientOf(installation).views.open({ trigger_id: body.trigger_id, view: make(question, mode) });
}

/** Buttons and menus, by their action id. */
export function registerActions(app: App): void {
  app.action<BlockAction<ButtonAction>>(/^answer:/, async ({ ack, action, body, context, respond }) => {
    const installation = await installationFrom(context as Source);
    if (installation) {
      const click = { installation, body, action, interruptId: Number(action.value), home: body.view?.type === 'home' };
      const press = BUTTONS[action.action_id.split(':')[1] ?? ''];
      await runInAccount(installation.row.accountId, async () => {
        try {
          await press?.(click);
        } catch (error) {
          const text = error instanceof AppError ? plainText(error) : toPublicError(error, body.trigger_id).body.error;
          if (click.home) await clientOf(installation).chat.postMessage({ channel: body.user.id, text });
          else await respond({ response_type: 'ephemeral', replace_original: false, text });
        }
      });
    }
    await ack();
  });

  app.action<BlockAction<ButtonAction>>(/^say:/, async ({ ack, action, body, context }) => {
    const installation = await installationFrom(context as Source);
    const channel = body.channel?.id;
    if (installation && channel) {
      const thread = body.message?.thread_ts ?? null;
      await runInAccount(installation.row.accountId, () =>
        hear(
          installation,
          { key: installation.row.key, channel, thread },
          { user: body.user.id, text: action.value ?? '', files: [], eventId: `click:${body.trigger_id}` },
        ),
      );
    }
    await ack();
  });

  app.action<BlockAction<StaticSelectAction>>('home_filter', async ({ ack, action, body, context }) => {
    await ack();
    const installation = await installationFrom(context as Source);
    if (!installation) return;
    const filter = HOME_FILTERS.find((it) => it === action.selected_option.value) ?? ('pending' satisfies HomeFilter);
    await runInAccount(installation.row.accountId, async () => {
      await requireMember(installation, body.user.id);
      await publishHome(installation, body.user.id, filter);
    });
  });
}
