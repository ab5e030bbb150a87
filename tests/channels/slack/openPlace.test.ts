/** @environment slack */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openPlace } from '../../../bot/channels/slack/openPlace.ts';
import { slack } from '../../environments/slack.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace } from '../../factories/slackPlace.ts';

let server: Server;
let made: Awaited<ReturnType<typeof connectWorkspace>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  made = await connectWorkspace(slack);
});

describe('a question asked with a command', () => {
  const WORDS = 'Which <hazards> & risks?';
  const open = async (change: Partial<Parameters<typeof openPlace>[1]> = {}) =>
    openPlace(await made.find(), { user: 'U1', channel: 'C1', thread: null, words: WORDS, ...change });

  test('is posted in the channel, with its answer in a thread', async () => {
    const { key } = made;
    expect(await open()).toEqual({ place: { key, channel: 'C1', thread: made.posted()[0]?.ts }, elsewhere: false });
    expect(made.posted()[0]?.text).toBe('<@U1> asked: Which &lt;hazards&gt; &amp; risks?');
    expect(await open({ channel: 'D1' })).toMatchObject({ place: { channel: 'D1', thread: made.posted()[1]?.ts } });
    expect(made.posted()[1]?.text).toBe('You asked: Which &lt;hazards&gt; &amp; risks?');
    expect(await open({ thread: '1.1' })).toEqual({ place: { key, channel: 'C1', thread: '1.1' }, elsewhere: false });
    expect(made.posted()[2]?.thread).toBe('1.1');
    await open({ words: 'a'.repeat(2000) });
    expect(made.posted()[3]?.text.length).toBeLessThanOrEqual('<@U1> asked: '.length + 1000);
    expect(made.posted()[3]?.text.length).toBeGreaterThan(950);
  });

  test.each(['channel_not_found', 'is_archived', 'not_in_channel', 'restricted_action'])(
    'continues in the person’s direct chat if Slack says %s',
    async (refusal) => {
      const { key, workspace } = made;
      workspace.users.set('U1', { id: 'U1', email: null, name: 'Ada' });
      slack.refuse('chat.postMessage', refusal);
      const opened = await open({ thread: '1.1' });
      const [post] = made.posted();
      expect(opened).toEqual({ place: { key, channel: 'DU1', thread: post?.ts }, elsewhere: true });
      expect(post).toMatchObject({ channel: 'DU1', thread: null });
      expect(post?.text).toContain('I’m not a member of that channel, so I’ll answer here.');
    },
  );

  test('is answered even if it could not be posted', async () => {
    slack.refuse('chat.postMessage', 'fatal_error');
    const { key } = made;
    expect(await open()).toEqual({ place: { key, channel: 'C1', thread: null }, elsewhere: false });
    slack.refuse('chat.postMessage', 'fatal_error');
    expect(await open({ thread: '1.1' })).toMatchObject({ place: { thread: '1.1' }, elsewhere: false });
    slack.fail('chat.postMessage', 500, 1);
    expect(await open()).toMatchObject({ place: { channel: 'C1' }, elsewhere: false });
    expect(made.posted()).toEqual([]);
  });
});
