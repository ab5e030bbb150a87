import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A program's own server that gets webhooks. It answers with the given statuses in turn, then with 200. */
export async function startReceiver(statuses: number[] = [], headers: Record<string, string> = {}) {
  const got: { headers: IncomingHttpHeaders; body: string; path: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(parts).toString('utf8'), path: request.url ?? '' });
      response.writeHead(statuses.shift() ?? 200, headers).end('thanks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/arc`,
    got,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
