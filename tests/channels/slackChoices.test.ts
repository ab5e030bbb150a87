/** @environment slack */
import { describe, expect, test } from '@jest/globals';
import type { HazardAnalysis } from '../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { openLog } from '../factories/openLog.ts';
import { actionsIn, interruptIdOf, openSlackTeams, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { eventually, modalOf, postWith, questionsOf } = actionsIn(slackTeams);

/** Uploads a log on the web and starts its analysis there. */
async function analyseOnWeb({ owner }: Team, fileName: string, text = openLog()) {
  const { browser, agent } = owner;
  await browser
    .post('/api/arc-chat/upload-hazard-log')
    .attach('hazardLogFile', Buffer.from(text), fileName)
    .field('sessionId', 'chat_1')
    .expect(200);
  await browser.post(`/api/clinical-safety-agent/${agent.id}/analyze-hazard-log`).send({ message: 'Go' }).expect(200);
}
const completed = ({ owner }: Team, logFileName: string) =>
  slackTeams.factories.eventually(async () => {
    const { body } = await owner.browser.get(`/api/hazard-analysis/latest/${owner.user.id}`).expect(200);
    const analysis = body as HazardAnalysis | null;
    return analysis?.logFileName === logFileName && analysis.status === 'complete' ? analysis : null;
  }, `the analysis of ${logFileName}`);
const homeOf = async ({ workspace }: Team) => {
  await slackTeams.sender.event(workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
  return eventually(() => {
    const home = JSON.stringify(workspace.homes.get('U1') ?? {});
    return home.includes('answer:choose') && home;
  }, 'the question at home');
};
type Input = { type: string; block_id?: string; element?: { type: string; options?: { text: { text: string } }[] } };

describe('how to read a log, asked on the web', () => {
  test('is answered in Slack, and used for the next version without asking', async () => {
    const team = await slackTeams.connect();
    await analyseOnWeb(team, 'Ward log v1.csv');
    const asked = await slackTeams.factories.eventually(async () => (await questionsOf(team))[0], 'the question');
    const home = await homeOf(team);
    expect(home).toContain('The risk would be 4; 2 is recorded');
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:choose', String(asked.id), 'home');
    const modal = await modalOf(team);
    const input = (modal.view.blocks as Input[]).find(({ type }) => type === 'input');
    expect(input?.block_id).toBe('choice1');
    expect(input?.element?.options?.map(({ text }) => text.text)).toEqual([
      'The NHS table (DCB0129 4.2)',
      'Severity times likelihood',
      'None of these: compare no risk',
      'I don’t know',
    ]);
    const { errors } = await slackTeams.sender.submit(team.workspace, 'U1', modal, {
      choice1: { option: { selected_option: { value: 'option2' } } },
    });
    expect(errors).toBeUndefined();
    const first = await completed(team, 'Ward log v1.csv');
    expect(first.analysisMetadata?.log.matrix).toMatchObject({ source: 'numeric', basis: 'chosen' });
    expect((await questionsOf(team))[0]?.resolution).toMatchObject({ via: 'slack-home', outcome: 'answered' });

    await analyseOnWeb(team, 'Ward log v2.csv', openLog(['H4,Late dose,a,b,3,3,9']));
    const second = await completed(team, 'Ward log v2.csv');
    expect(second.analysisMetadata?.log.matrix).toMatchObject({ source: 'numeric', basis: 'chosen' });
    expect(second.readAs).toMatchObject({ by: 'Ada Okafor', points: [{ answer: 'Severity times likelihood' }] });
    expect(await questionsOf(team)).toHaveLength(1);
  });

  test('shows no word of the file without consent, and can be answered by the places of the options', async () => {
    const team = await slackTeams.connect('reference-only');
    const columns = 'Ref,Number,Hazard,Cause,Effect\nR1,Sev7,Wrong dose,a,b\nR2,Sev8,Late dose,a,b\n';
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'help');
    await postWith(team.workspace, /hazard/i);
    await analyseOnWeb(team, 'Ward log v1.csv', columns);
    await slackTeams.factories.eventually(async () => (await questionsOf(team))[0], 'the question');
    const home = await homeOf(team);
    expect(home).not.toMatch(/Ward log|Sev7|R1|“Ref”|Wrong dose/);
    const [asked] = await questionsOf(team);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:choose', String(asked?.id), 'home');
    const modal = await modalOf(team);
    const drawn = JSON.stringify(modal.view);
    expect(drawn).not.toMatch(/Ward log|Sev7|ref#1|“Ref”|Wrong dose/);
    expect(drawn).toMatch(/Which column is the hazard’s id\?.*Column A.*Column B.*I don’t know/s);
    await slackTeams.sender.submit(team.workspace, 'U1', modal, {
      choice1: { option: { selected_option: { value: 'option2' } } },
    });
    const { existingHazards } = await completed(team, 'Ward log v1.csv');
    expect(existingHazards.map(({ id }) => id)).toEqual(['Sev7', 'Sev8']);
  });

  test('asked in Slack, is answered there in words', async () => {
    const team = await slackTeams.connect();
    await analyseOnWeb(team, 'Ward log v1.csv');
    const [other] = await slackTeams.factories.eventually(async () => {
      const asked = await questionsOf(team);
      return asked.length > 0 && asked;
    }, 'the question');
    await team.owner.browser
      .patch(`/api/interrupts/${other?.id}/resolve`)
      .send({ userResponse: { choices: { choice1: 'option1' } } })
      .expect(200);
    const first = await completed(team, 'Ward log v1.csv');
    await team.owner.browser
      .patch(`/api/reading-profiles/${first.readAs?.profileId}`)
      .send({ version: 1, isForgotten: true })
      .expect(200);
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'Analyse my hazard log');
    const message = await postWith(team.workspace, /can be read in more than one way/);
    expect(interruptIdOf(message)).not.toBe(String(other?.id));
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'severity times likelihood');
    const second = await slackTeams.factories.eventually(async () => {
      const { body } = await team.owner.browser.get(`/api/hazard-analysis/latest/${team.owner.user.id}`).expect(200);
      return body?.id !== first.id && body?.status === 'complete' ? (body as HazardAnalysis) : null;
    }, 'the second analysis');
    expect(second.analysisMetadata?.log.matrix.source).toBe('numeric');
  });
});
