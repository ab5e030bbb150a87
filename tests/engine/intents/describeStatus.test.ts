import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { grantCredits } from '../../../bot/engine/credits/credits.ts';
import { describeStatus } from '../../../bot/engine/intents/answerGeneral.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { type Server, startServer } from '../../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('the credits that are left are grouped by thousands', async () => {
  const accountId = randomInt(1_000_000, 2 ** 40);
  await runInAccount(accountId, async () => {
    await grantCredits(accountId, 2_049_910, 'grant', 'test');
    expect(await describeStatus(accountId)).toContain('2,049,910 credits left.');
  });
});
