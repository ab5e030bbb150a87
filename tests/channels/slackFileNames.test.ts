/** @environment slack */
import { test } from '@jest/globals';
import { expectNamesLeave, expectRefusalsLeave, type FileNameDriver } from './fileNames.ts';
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

test.each(MODES)('under %s the name of a log leaves, or not', async (mode) => {
  await expectNamesLeave(await connect(mode), mode === 'full');
});

test.each(MODES)('under %s the name of a sheet leaves, or not, when work ends with a refusal', async (mode) => {
  await expectRefusalsLeave(await connect(mode), mode === 'full');
});
