import { createServer } from 'node:http';

type Reply = (prompt: string) => { status?: number; text: string };

/**
 * A self-hosted model server over real HTTP with the chat-completions call. It refuses a wrong key or a malformed body,
 * and answers with what the test provides.
 */
export async function startLanguageModel(reply: Reply, apiKey = 'model-key') {
  const asked: { system: string; prompt: string; temperature: number | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${apiKey}`) return send(401, { error: { message: 'bad key' } });
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      return send(404, { error: { message: 'no such call' } });
    let raw = '';
    for await (const chunk of request) raw += chunk;
    const body = JSON.parse(raw) as {
      messages?: { role: string; content: string }[];
      temperature?: number;
      model?: string;
    };
    if (!body.model || !body.messages?.length)
      return send(400, { error: { message: 'model and messages are required' } });
    const of = (role: string) => body.messages?.find((message) => message.role === role)?.content ?? '';
    asked.push({ system: of('system'), prompt: of('user'), temperature: body.temperature });
    const { status = 200, text } = reply(of('user'));
    if (status !== 200) return send(status, { error: { message: text } });
    return send(200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    apiKey,
    asked,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
