/** @environment slack */
import { expect, test } from '@jest/globals';
import { actionsIn, join, openSlackTeams } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { postWith } = actionsIn(slackTeams);

/** @shows GET /api/arc-chat/history */
test('under reference-only a message links to its conversation, which only people who spoke in it can read', async () => {
  const team = await slackTeams.connect('reference-only');
  const { workspace, owner } = team;
  const colleague = await join(slackTeams, team, 'U2', ['member']);
  const stranger = await slackTeams.factories.signUpReady(slackTeams.server);
  await slackTeams.sender.message(workspace, 'U1', 'D1', 'Try it with a sample');
  await postWith(workspace, /sample/);
  await slackTeams.sender.message(workspace, 'U1', 'D1', 'Analyse my hazard log');
  const { text } = await postWith(workspace, /Analysis complete/);
  const id = String(/\/arc-chat\?conversation=([0-9a-f]{24})/.exec(text)?.[1]);
  const path = `/api/arc-chat/history?conversation=${id}`;
  const { body } = await owner.browser.get(path).expect(200);
  expect(body.channel).toBe('slack');
  expect(JSON.stringify(body.messages)).toContain('Coverage');
  await colleague.browser.get(path).expect(404);
  await stranger.browser.get(path).expect(404);
  await owner.browser.get(`/api/arc-chat/history?conversation=${'0'.repeat(24)}`).expect(404);
  await owner.browser.get('/api/arc-chat/history?conversation=x').expect(400);
  expect((await owner.browser.get('/api/arc-chat/history').expect(200)).body.channel).toBe('arc');

  await slackTeams.sender.message(workspace, 'U2', 'D2', 'help');
  await postWith(workspace, /hazard/);
  await colleague.browser.get(path).expect(404);
});
