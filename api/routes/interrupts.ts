import type { Router } from 'express';
import { memberName } from '../../bot/engine/accounts/members.ts';
import { readTimeZone } from '../../bot/engine/accounts/timeZone.ts';
import { viewInterrupt, withRowsOnce } from '../../bot/engine/delivery/viewInterrupt.ts';
import { answerInterrupt } from '../../bot/engine/interrupts/answerInterrupt.ts';
import {
  assignQuestion,
  commentOnQuestion,
  listAssignees,
  snoozeQuestion,
} from '../../bot/engine/interrupts/handling.ts';
import { findQuestion, listQuestionsOf } from '../../bot/engine/interrupts/listQuestions.ts';
import { saveDraft } from '../../bot/engine/interrupts/saveDraft.ts';
import { isWrongPassword } from '../../bot/engine/interrupts/signing.ts';
import { withdrawWork } from '../../bot/engine/workflows/withdrawWork.ts';
import { AppError } from '../../models/contracts/errors.ts';
import * as contract from '../../models/contracts/interrupts.ts';
import type { InterruptRow } from '../../models/interrupt.ts';
import type { Who } from '../../models/policies/who.ts';
import { bind } from '../middleware/bind.ts';
import { countPassword } from '../middleware/rate.ts';

const zoneOf = (who: Who) => readTimeZone(who.accountId);

/** The inbox: questions, answers, drafts of reviews. */
export function interruptRoutes(router: Router): void {
  bind(
    router,
    contract.listInterrupts,
    async ({ who, params }) => (await listQuestionsOf(who, params.userAgentId)).map(withRowsOnce),
    // Times are shown in the company's zone, which is part of `account`.
    { topics: ['interrupts', 'agents', 'account'] },
  );

  bind(
    router,
    contract.readInterrupt,
    async ({ who, params }) => {
      const question = await findQuestion(who, params.id);
      if (!question) throw new AppError('not_found');
      return withRowsOnce(question);
    },
    { topics: ['interrupts', 'account'] },
  );

  bind(router, contract.listAssignees, async ({ who, params }) => ({
    members: (await listAssignees(who, params.id)).map((one) => ({ userId: one.userId, name: memberName(one) })),
  }));
  const view = async (who: Who, row: InterruptRow) => withRowsOnce(viewInterrupt(row, who, await zoneOf(who)));
  bind(router, contract.assignQuestion, async ({ who, params, body }) =>
    view(who, await assignQuestion(who, params.id, body.userId, 'inbox')),
  );
  bind(router, contract.snoozeQuestion, async ({ who, params, body }) =>
    view(who, await snoozeQuestion(who, params.id, body.pause, 'inbox')),
  );
  bind(router, contract.withdrawQuestion, async ({ who, params }) => view(who, await withdrawWork(who, params.id)));
  bind(router, contract.commentOnQuestion, async ({ who, params, body }) =>
    view(who, await commentOnQuestion(who, params.id, body.text, 'inbox')),
  );

  bind(router, contract.resolveInterrupt, async ({ who, params, body }) => {
    const { surface = 'inbox', ...answer } = body;
    const takeBack = answer.sign ? await countPassword(who) : async () => undefined;
    const row = await answerInterrupt(who, params.id, answer, surface, { canSign: true }).catch(
      async (error: unknown) => {
        if (!isWrongPassword(error)) await takeBack();
        throw error;
      },
    );
    await takeBack();
    return withRowsOnce(viewInterrupt(row, who, await zoneOf(who)));
  });

  bind(router, contract.saveReviewDraft, async ({ who, params, body }) => {
    const row = await saveDraft(who, params.id, body.rows, body.version, body.chosen, {
      via: body.surface ?? 'inbox',
    });
    return withRowsOnce(viewInterrupt(row, who, await zoneOf(who)));
  });
}
