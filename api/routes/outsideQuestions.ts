import type { Router } from 'express';
import { viewForPrograms } from '../../bot/engine/delivery/viewForPrograms.ts';
import { askPerson } from '../../bot/engine/outside/askPerson.ts';
import { listForPrograms, requireVisible, withdrawOwn } from '../../bot/engine/outside/readQuestions.ts';
import { waitForAnswer } from '../../bot/engine/outside/waitForAnswer.ts';
import * as contract from '../../models/contracts/outsideQuestions.ts';
import { bindToken } from '../middleware/tokenAccess.ts';

/** Questions that programs ask with an access token. */
export function outsideQuestionRoutes(router: Router): void {
  bindToken(router, contract.askQuestion, async ({ holder, body, gone }) =>
    viewForPrograms(await waitForAnswer(holder, await askPerson(holder, body), body.wait, gone)),
  );

  bindToken(router, contract.listQuestions, async ({ holder, query }) => ({
    questions: (await listForPrograms(holder, query)).map((row) => viewForPrograms(row)),
  }));

  bindToken(router, contract.readQuestion, async ({ holder, params, query, gone }) =>
    viewForPrograms(await waitForAnswer(holder, await requireVisible(holder, params.id), query.wait, gone)),
  );

  bindToken(router, contract.withdrawQuestion, async ({ holder, params }) =>
    viewForPrograms(await withdrawOwn(holder, params.id)),
  );
}
