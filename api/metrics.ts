import { collectDefaultMetrics, register } from 'prom-client';

collectDefaultMetrics();

/** The process's figures for Prometheus; collected from the first time they are asked for. */
export async function collectMetrics(): Promise<{ type: string; text: string }> {
  return { type: register.contentType, text: await register.metrics() };
}
