/** @environment slack */
import { expect, test } from '@jest/globals';
import { actionsIn, openSlackTeams, posted } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { postWith } = actionsIn(slackTeams);

test.each([
  ['full', /member of \d+ has the role owner|members of \d+ have the role owner/, true],
  ['reference-only', /The answer is in Arc/, false],
] as const)(
  'under %s consent the line on what was asked for is sent where it may be',
  async (consent, reply, isSent) => {
    const team = await slackTeams.connect(consent);
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'Which members are owners?');
    await postWith(team.workspace, reply);
    expect(JSON.stringify(posted(team.workspace)).includes('Asked for: members that have the role owner.')).toBe(
      isSent,
    );
  },
);
