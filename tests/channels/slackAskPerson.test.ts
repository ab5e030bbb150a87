/** @environment slack */
import { afterAll, describe, expect, test } from '@jest/globals';
import { actionsIn, type Consent, openSlackTeams, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { eventually } = actionsIn(slackTeams);

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
});
