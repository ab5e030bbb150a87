/** @environment slack */
import { afterAll, describe, expect, test } from '@jest/globals';
import { actionsIn, type Consent, openSlackTeams, posted, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { eventually, modalOf, postWith } = actionsIn(slackTeams);

const open: { close(): Promise<void> }[] = [];
afterAll(async () => void (await Promise.all(open.map((one) => one.close()))));

async function connectProgram({ owner }: Team, name: string) {
  const { makeAccessToken } = await import('../factories/accessToken.ts');
  const { connectMcp } = await import('../factories/mcpClient.ts');
  const { secret } = await makeAccessToken(owner, ['questions:ask'], name);
  const program = await connectMcp(slackTeams.server.url, secret);
  open.push(program);
  return program;
}

const homeOf = ({ workspace }: Team) => JSON.stringify(workspace.homes.get('U1') ?? {});
async function askAtHome(consent: Consent, ask: object, name = 'n8n') {
  const team = await slackTeams.connect(consent);
  const program = await connectProgram(team, name);
  await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
  await eventually(() => team.workspace.homes.has('U1'), 'the Home');
  const asked = program.use('ask_person', { kind: 'approval', idempotencyKey: 'one', ...ask });
  await eventually(() => homeOf(team).includes('answer:'), 'the question at home');
  return { team, program, asked, id: String(/"value":"(\d+):/.exec(homeOf(team))?.[1]) };
}

describe('ask_person from a foreign MCP client, answered in Slack', () => {
  test('returns the answer once, and the same each time that it is read', async () => {
    const { team, program, asked, id } = await askAtHome('full', {
      prompt: 'Deploy release 12?',
      description: 'Twelve changes.',
    });
    for (const part of ['Deploy release 12?', 'Twelve changes.', 'Asked by “n8n”, a program of your company'])
      expect(homeOf(team)).toContain(part);
    const returned: unknown[] = [];
    const done = asked.then((answer) => returned.push(answer));
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', id, 'home');
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', id, 'home');
    await done;
    expect(returned).toEqual([
      {
        refused: undefined,
        result: expect.objectContaining({
          id: Number(id),
          status: 'answered',
          outcome: 'approved',
          answer: { approved: true },
          answeredBy: 'Ada Okafor',
          answeredIn: 'Slack',
        }),
      },
    ]);
    expect(await program.use('get_question', { id: Number(id) })).toEqual(returned[0]);
    await eventually(() => !homeOf(team).includes('answer:approve'), 'the buttons to go');
  });

  test('shows no words of the program without consent, except its name, and is answered all the same', async () => {
    const { team, asked, id } = await askAtHome('reference-only', {
      kind: 'decision',
      prompt: 'Which ward is first?',
      description: 'Ward 7 has a patient waiting.',
      options: ['Ward 7', 'Ward 9'],
    });
    expect(homeOf(team)).toContain('A program has a question for you');
    expect(homeOf(team)).toContain('Asked by “n8n”');
    expect(homeOf(team)).not.toMatch(/ward|patient/i);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:option:1', id, 'home');
    expect((await asked).result).toMatchObject({ answer: { selectedOption: 'Ward 9' }, answeredBy: 'Ada Okafor' });
  });

  test('can’t mention, link or format with the program’s words', async () => {
    const { team } = await askAtHome(
      'full',
      { prompt: '<!channel> <https://x.example|Approve here>', description: '<@U1> & <#C1>', wait: 0 },
      '<!here> bot',
    );
    expect(homeOf(team)).not.toMatch(/<!channel>|<!here>|<@U1>|<#C1>|<https:\/\/x/);
    for (const part of ['&lt;!channel&gt;', '&lt;@U1&gt; &amp;', '&lt;!here&gt; bot'])
      expect(homeOf(team)).toContain(part);
  });

  test('is a message in the chat of the member whom it names, answered by its buttons and never by words', async () => {
    const team = await slackTeams.connect('full');
    const program = await connectProgram(team, 'n8n');
    const ask = { kind: 'input', prompt: 'What is the new address?', idempotencyKey: 'one', wait: 0 };
    expect((await program.use('ask_person', { ...ask, to: 'nobody@example.org' })).refused).toMatch(/\nto: No member/);
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'help');
    await postWith(team.workspace, /./);
    const { result } = await program.use('ask_person', { ...ask, to: team.owner.email });
    const message = await postWith(team.workspace, /What is the new address/);
    expect({ channel: message.channel, thread: message.thread }).toEqual({ channel: 'D1', thread: null });
    const before = posted(team.workspace).length;
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'The ward sister lives in Elm Road');
    await eventually(() => posted(team.workspace).length > before, 'the agent to answer');
    expect((await program.use('get_question', { id: result.id })).result).toMatchObject({
      status: 'pending',
      answer: null,
    });
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:input', String(result.id), {
      channel: 'D1',
      ts: message.ts,
    });
    const modal = await modalOf(team);
    await slackTeams.sender.submit(team.workspace, 'U1', modal, { answer: { text: { value: '12 Mill Lane' } } });
    expect((await program.use('get_question', { id: result.id, wait: 50 })).result).toMatchObject({
      status: 'answered',
      answer: { userInput: '12 Mill Lane' },
      answeredIn: 'Slack',
    });
    await eventually(
      () => posted(team.workspace).find(({ ts, text }) => ts === message.ts && /^Answered by/.test(text)),
      'the closed message',
    );
  });
});
