import type { Router } from 'express';
import { collaborators, contribute } from '../../bot/engine/agents/collaborate.ts';
import { collaborate } from '../../models/contracts/collaborate.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';

const MESSAGE = 'Collaboration complete. These are starting points from built-in knowledge; nothing was stored.';

/** The landing page's collaboration: built-in engine only, nothing is stored. */
export function collaborateRoutes(router: Router): void {
  bind(router, collaborate, async ({ body, request, response }) => {
    if (request.accepts(['application/json', 'text/event-stream']) !== 'text/event-stream') {
      const agentOutputs = collaborators().map((id) => contribute(id, body.goal));
      return { success: true as const, agentOutputs, message: MESSAGE };
    }
    response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    const sendEvent = (event: string, data: unknown) =>
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    for (const id of collaborators()) {
      sendEvent('output', contribute(id, body.goal));
      await new Promise((next) => setImmediate(next));
    }
    sendEvent('done', { success: true, message: MESSAGE });
    response.end();
    return ANSWERED;
  });
}
