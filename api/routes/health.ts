import type { Router } from 'express';
import { hasRoom } from '../../models/dataDirectory.ts';
import { pingStore } from '../../models/store/connect.ts';
import { requireOperator } from '../middleware/operator.ts';

/** Monitoring: liveness, readiness and metrics. */
export function healthRoutes(router: Router): void {
  router.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const status = !(await pingStore()) ? 'store unavailable' : hasRoom() ? 'ready' : 'disk full';
    response
      .set('Cache-Control', 'no-store')
      .status(status === 'ready' ? 200 : 503)
      .json({ status });
  });
  router.get('/metrics', requireOperator, async (_request, response) => {
    const { collectMetrics } = await import('../metrics.ts');
    const { type, text } = await collectMetrics();
    response.type(type).send(text);
  });
}
