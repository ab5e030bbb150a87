import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as a collector gets it. */
export type SentSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number; message?: string };
  attributes: Record<string, string | number | boolean>;
};

type SentValue = { stringValue?: string; intValue?: number; boolValue?: boolean };
type SentAttribute = { key: string; value: SentValue };
type Body = {
  resourceSpans: {
    resource: { attributes: SentAttribute[] };
    scopeSpans: { spans: (Omit<SentSpan, 'attributes'> & { attributes: SentAttribute[] })[] }[];
  }[];
};

const readValue = ({ stringValue, intValue, boolValue }: SentValue) => stringValue ?? intValue ?? boolValue ?? '';
const valuesOf = (attributes: SentAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));

/**
 * A collector of traces by OTLP over HTTP. It answers 404 for any other path, and 401 without its token.
 * @returns `texts`, the bodies as they came
 */
export async function startTraceCollector(token: string) {
  const spans: SentSpan[] = [];
  const texts: string[] = [];
  const resources: ReturnType<typeof valuesOf>[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.url !== '/v1/traces' || request.method !== 'POST') return response.writeHead(404).end();
      if (request.headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end();
      const bytes = Buffer.concat(parts);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
      texts.push(text);
      for (const { resource, scopeSpans } of (JSON.parse(text) as Body).resourceSpans) {
        resources.push(valuesOf(resource.attributes));
        for (const span of scopeSpans.flatMap((one) => one.spans))
          spans.push({ ...span, attributes: valuesOf(span.attributes) });
      }
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    resources,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
