import { expect, test } from '@jest/globals';
import { raiseStorm } from '../chaos/storm.ts';

test('killed three times with everything running, nothing acknowledged is lost or done twice', async () => {
  const storm = await raiseStorm(3, Math.random, () => undefined);
  expect(storm.faults).toEqual([]);
  const { messages, answers, slack, teams, ledger, chains } = storm;
  expect(messages.acknowledged).toBeGreaterThan(10);
  expect(messages.once).toBe(messages.acknowledged);
  expect([answers.standing, answers.audited]).toEqual([answers.acknowledged, answers.acknowledged]);
  expect(slack).toMatchObject({ answered: slack.acknowledged, twice: 0 });
  expect(teams).toMatchObject({ answered: teams.acknowledged, twice: 0 });
  expect([ledger.agreeing, chains.whole, storm.leftOver]).toEqual([ledger.accounts, chains.accounts, 0]);
}, 120_000);
