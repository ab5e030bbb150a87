import { collectDefaultMetrics, register } from 'prom-client';

collectDefaultMetrics();

/** Metrics of the process in Prometheus format; collection starts when this file is first loaded. */
export async function collectMetrics(): Promise<{ type: string; text: string }> {
  return { type: register.contentType, text: await register.metrics() };
}
