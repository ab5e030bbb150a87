/** @environment slack */
import { test } from '@jest/globals';
import { expectNamesNeedConsent, expectRefusalsNeedConsent, type FileNameDriver } from './fileNames.ts';
import { expectMergeWaits } from './mergeAfterReview.ts';
import { actionsIn, type Consent, openSlackTeams } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const MODES: Consent[] = ['reference-only', 'redacted', 'full'];

async function connect(mode: Consent): Promise<FileNameDriver> {
  const { workspace } = await slackTeams.connect(mode);
  const { sender, slack } = slackTeams;
  const { postWith } = actionsIn(slackTeams);
  return {
    async drop(name, bytes) {
      const id = `F${workspace.files.size}`;
      workspace.files.set(id, { id, name, bytes: Buffer.from(bytes) });
      await sender.message(workspace, 'U1', 'D1', '', { subtype: 'file_share', files: [{ id, name }] });
    },
    say: async (text) => void (await sender.message(workspace, 'U1', 'D1', text)),
    replied: (words) => postWith(workspace, words),
    out: () => JSON.stringify(slack.calls.filter(({ team }) => team === workspace.team)),
  };
}

test.each(MODES)('the name of a log is sent or withheld under %s', async (mode) => {
  await expectNamesNeedConsent(await connect(mode), mode === 'full');
});

test.each(MODES)('the name of a sheet is sent or withheld under %s, when work ends with a refusal', async (mode) => {
  await expectRefusalsNeedConsent(await connect(mode), mode === 'full');
});

test('a merge right after the answer to a review waits until that is recorded', async () => {
  await expectMergeWaits(await connect('full'));
});
