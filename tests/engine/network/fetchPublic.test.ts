import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';

// A deployment on the internet: its own host is no place to call.
process.env.BASE_URL = 'https://arc.example.org';
const { fetchPublic } = await import('../../../bot/engine/network/fetchPublic.ts');

test('a name that leads to this host, or an address inside, is refused before anything is sent', async () => {
  let connections = 0;
  const inside = createServer().on('connection', (socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  const { port } = inside.address() as AddressInfo;
  for (const url of [
    `https://localhost:${port}/mcp`,
    `https://127.0.0.1:${port}/mcp`,
    `http://127.0.0.1:${port}/mcp`,
    'https://192.168.0.1/mcp',
  ])
    await expect(fetchPublic(url, { method: 'POST', body: '{}' }, { maxBytes: 1000 })).rejects.toMatchObject({
      name: 'RefusedAddress',
    });
  await new Promise<void>((resolve) => inside.close(() => resolve()));
  expect(connections).toBe(0);
});
