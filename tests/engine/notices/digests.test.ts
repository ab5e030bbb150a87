/** @environment mail */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mailDigests } from '../../../bot/engine/notices/digests.ts';
import { smtp } from '../../environments/mail.ts';
import { makeMailedCompany, subjectsTo } from '../../factories/mailed.ts';
import { type Server, startServer } from '../../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const at = (time: string) => new Date(`2027-01-${time}:00Z`);
const ONE = '1 question waits for you in Quillmere';
const TWO = '2 questions wait for you in Quillmere';

test('hourly, what is new is mailed with all that waits, once, at the beginning of the next hour', async () => {
  const company = await makeMailedCompany();
  const { email } = await company.member(['owner']);
  const stranger = await company.member(['member']);
  const run = async (time: string) => {
    await Promise.all([mailDigests(at(time)), mailDigests(at(time))]);
    await company.sent();
    return subjectsTo(email);
  };
  const first = await company.question({ createdAt: at('04T10:20') });
  expect(await run('04T10:59')).toEqual([]);
  expect(await run('04T11:00')).toEqual([ONE]);
  expect(await run('04T11:40')).toEqual([ONE]);
  expect(await run('04T13:05')).toEqual([ONE]);
  // Asked in the very moment of a digest: it is in the next one.
  await company.question({ createdAt: at('04T14:00') });
  expect(await run('04T14:00')).toEqual([ONE]);
  expect(await run('04T15:00')).toEqual([ONE, TWO]);
  const { text } = smtp.mails.findLast(({ to }) => to === email) ?? {};
  expect(text).toContain(`- Clara: Approval (question ${first._id}), since 4 Jan, 10:20\n- Clara: Approval (question `);
  // Answered before its hour is over.
  await company.settle(await company.question({ createdAt: at('04T15:10') }));
  expect(await run('04T16:00')).toEqual([ONE, TWO]);
  expect(subjectsTo(stranger.email)).toEqual([]);
});

test('daily, all that waits is mailed at nine on the company’s clock', async () => {
  const company = await makeMailedCompany({ timeZone: 'America/New_York' });
  const { email } = await company.member(['approver'], 'daily');
  const run = async (time: string) => {
    await mailDigests(at(time));
    await company.sent();
    return subjectsTo(email).length;
  };
  const row = await company.question({ createdAt: at('04T12:00') });
  expect(await run('04T13:59')).toBe(0);
  expect(await run('04T14:00')).toBe(1);
  expect(await run('05T13:59')).toBe(1);
  expect(await run('05T14:30')).toBe(2);
  await company.settle(row);
  expect(await run('06T14:00')).toBe(2);
});

test('a night in which the clocks change brings no second daily digest', async () => {
  const company = await makeMailedCompany({ timeZone: 'Europe/London' });
  const { email } = await company.member(['owner'], 'daily');
  await company.question({ createdAt: at('04T12:00') });
  for (const time of ['2027-03-27T09:00', '2027-03-28T00:30', '2027-03-28T01:30', '2027-03-28T07:59']) {
    await mailDigests(new Date(`${time}:00Z`));
    await company.sent();
    expect(subjectsTo(email)).toHaveLength(1);
  }
  await mailDigests(new Date('2027-03-28T08:00:00Z'));
  await company.sent();
  expect(subjectsTo(email)).toHaveLength(2);
});

describe('quiet hours', () => {
  const quietHours = { from: '08:00', to: '10:30' };

  test('hold a digest until they end, and keep nothing back', async () => {
    const company = await makeMailedCompany({ quietHours });
    const [hourly, daily] = [await company.member(['owner'], 'hourly'), await company.member(['owner'], 'daily')];
    await company.question({ createdAt: at('04T07:50') });
    const run = async (time: string) => {
      await mailDigests(at(time));
      await company.sent();
      return [hourly, daily].map(({ email }) => subjectsTo(email).length);
    };
    expect(await run('04T08:00')).toEqual([0, 0]);
    expect(await run('04T10:29')).toEqual([0, 0]);
    expect(await run('04T10:30')).toEqual([1, 1]);
  });
});
