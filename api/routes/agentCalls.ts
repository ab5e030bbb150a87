import type { Router } from 'express';
import { FileAnswer, JsonText } from '../../bot/engine/agents/call.ts';
import { registeredAgents } from '../../bot/engine/agents/registry.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';

/** The calls of every agent's own. */
export function agentCallRoutes(router: Router): void {
  for (const { contract, handle, topics } of registeredAgents().flatMap(({ calls = [] }) => calls)) {
    bind(
      router,
      contract,
      async ({ who, params, query, body, response }) => {
        const answer = await handle({ who, params, query, body });
        if (answer instanceof JsonText) response.type('application/json').send(answer.bytes);
        else if (answer instanceof FileAnswer)
          response.attachment(answer.fileName).type(answer.contentType).send(Buffer.from(answer.bytes));
        else return answer;
        return ANSWERED;
      },
      topics ? { topics } : {},
    );
  }
}
