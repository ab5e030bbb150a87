import { createHash, randomBytes } from 'node:crypto';
import { type Attributes, context, diag, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { AppError } from './contracts/errors.ts';
import { env } from './env.ts';
import { logger } from './logger.ts';

/** The kinds of work that are traced. */
type SpanName = 'turn' | 'run' | 'step' | 'model call' | 'delivery';

const tracer = trace.getTracer('arc');
const hexOf = (bytes: number) => randomBytes(bytes).toString('hex');

/** The trace of the span that is begun at this moment, where work gives one. */
let chosenTrace: string | null = null;

/** A trace of its own for a piece of work: the same in each process, and each time that it is carried on. */
const traceOf = (work: string) => createHash('sha256').update(work).digest('hex').slice(0, 32);

/** Says of a failure what holds no text of a person: a code, or the kind of error. */
const kindOf = (error: unknown) => (error instanceof AppError ? error.code : error instanceof Error ? error.name : '');

/**
 * Traces a piece of work, below the one that it is part of. Without OTEL_EXPORTER_OTLP_ENDPOINT it only does the work.
 * @param of ids, names and counts; never what people wrote. `trace`: an id by which work that is carried on later, or by
 * another process, stands in the same trace
 * @param work may add to the span what is known at the end
 */
export function traced<Value>(
  name: SpanName,
  { trace: id, ...attributes }: Attributes & { trace?: string },
  work: (span: Span) => Promise<Value>,
): Promise<Value> {
  const isPart = trace.getActiveSpan() !== undefined;
  chosenTrace = id !== undefined && !isPart ? traceOf(id) : null;
  const span = tracer.startSpan(name, { attributes });
  chosenTrace = null;
  return context.with(trace.setSpan(context.active(), span), async () => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: kindOf(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** How long the last spans may take when the process stops. */
const FLUSH_MS = 2000;

/**
 * Sends traces by OTLP over HTTP to OTEL_EXPORTER_OTLP_ENDPOINT, where that is set. A collector that does not answer
 * costs no work: its spans are dropped, and the log says so.
 * @returns a function that sends what is left, and stops it
 */
export async function startTracing(): Promise<() => Promise<void>> {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === '') return async () => {};
  const [{ AsyncLocalStorageContextManager }, { OTLPTraceExporter }, sdk, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
    ]);
  const say = (message: string) => logger.warn({ tracing: message.slice(0, 500) }, 'traces are not sent');
  const quiet = () => {};
  diag.setLogger({ error: say, warn: say, info: quiet, debug: quiet, verbose: quiet });
  const exporter = new OTLPTraceExporter({ url: `${env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME, 'arc.role': env.ROLE }),
    idGenerator: { generateTraceId: () => chosenTrace ?? hexOf(16), generateSpanId: () => hexOf(8) },
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS);
    });
    await Promise.race([provider.shutdown().catch(quiet), late]);
    clearTimeout(timer);
    trace.disable();
    context.disable();
    diag.disable();
  };
}
