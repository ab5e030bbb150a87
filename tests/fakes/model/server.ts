import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Asked, type Behaviour, chunksOf } from './behaviour.ts';
import { DIALECTS, type DialectName } from './dialects.ts';

type Body = {
  model?: string;
  temperature?: number;
  system?: unknown;
  messages?: { role: string; content?: unknown; tool_calls?: unknown }[];
  input?: { role?: string; type?: string; content?: unknown; output?: unknown; arguments?: unknown; name?: string }[];
  tools?: { name?: string; function?: { name: string } }[];
  stream?: boolean;
};

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content ?? ''));

function askedOf(path: string, body: Body, number: number): Asked {
  const all = [
    ...(body.messages ?? []).map(({ role, content, tool_calls }) => ({
      role,
      content: `${textOf(content)}${tool_calls ? JSON.stringify(tool_calls) : ''}`,
    })),
    ...(body.input ?? []).map(({ role, type, content, output, arguments: args, name }) => ({
      role: role ?? type ?? '',
      content:
        content !== undefined ? textOf(content) : output !== undefined ? textOf(output) : `${name} ${textOf(args)}`,
    })),
  ];
  const isSystem = ({ role }: { role: string }) => role === 'system' || role === 'developer';
  return {
    ...{ path, number, body },
    model: body.model ?? '',
    system: body.system ? textOf(body.system) : (all.find(isSystem)?.content ?? ''),
    messages: all.filter((one) => !isSystem(one)),
    tools: (body.tools ?? []).map(({ name, function: given }) => given?.name ?? name ?? ''),
    temperature: body.temperature,
  };
}

async function answer(
  response: ServerResponse,
  events: ReturnType<(typeof DIALECTS)['chat']['events']>,
  it: Behaviour,
) {
  let texts = 0;
  const many = chunksOf(it.text ?? '').length;
  await it.until;
  for (const [at, chunk] of events.entries()) {
    if (it.pause) await wait(it.pause);
    if (at > 0 && texts < many) await it.before?.(texts);
    if (it.cutAfter !== undefined && texts >= Math.min(it.cutAfter, many)) return void response.destroy();
    if (at > 0) texts += 1;
    if (texts === 1) it.onText?.();
    for (const { event, data } of chunk)
      response.write(`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  }
}

/**
 * A model's server over real HTTP, which speaks a provider's own protocol as a stream of events and behaves as the test
 * says. It refuses a wrong key, an unknown path and a malformed body.
 */
export async function startModelServer(
  behave: (asked: Asked) => Behaviour | Promise<Behaviour>,
  { dialect = 'chat', apiKey = 'model-key' }: { dialect?: DialectName; apiKey?: string } = {},
) {
  const { path, keyOf, events, end = '' } = DIALECTS[dialect];
  const asked: Asked[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const refuse = (status: number, message: string, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ type: 'error', error: { type: 'error', message, code: null, param: null } }));
    if (keyOf(request.headers) !== apiKey) return refuse(401, 'bad key');
    if (request.method !== 'POST' || request.url?.split('?')[0] !== path) return refuse(404, 'no such call');
    let raw = '';
    for await (const chunk of request) raw += chunk;
    const body = JSON.parse(raw) as Body;
    if (!body.model || !(body.messages ?? body.input)?.length || !body.stream)
      return refuse(400, 'model, messages and stream are required');
    const one = askedOf(path, body, asked.length + 1);
    asked.push(one);
    const it = await behave(one);
    if (it.status && it.status !== 200) return refuse(it.status, it.text ?? 'refused', it.headers);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    if (it.junk) return response.end(it.junk);
    await answer(response, events(it, body.model, one.number), it);
    if (!response.destroyed) response.end(end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const origin = `http://127.0.0.1:${port}`;
  const url = `${origin}${path.replace(/\/(?:chat\/completions|responses|messages)$/, '')}`;
  return {
    origin,
    /** The base address, as `MODEL_BASE_URL` wants it. */
    url,
    apiKey,
    /** The environment of a server that asks this one, as a self-hosted model that speaks chat completions. */
    environment: {
      ...{ MODEL_PROVIDER: 'openai-compatible', MODEL_NAME: 'small-model', MODEL_REGION: 'uk' },
      ...{ MODEL_BASE_URL: url, OPENAI_API_KEY: apiKey },
    },
    asked,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
