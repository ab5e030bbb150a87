import { test } from '@jest/globals';
import { expectNamesLeave } from './fileNames.ts';
import { actionsIn, type Consent, openSlackTeams } from './slackTeams.ts';

const slackTeams = openSlackTeams();

test.each(['reference-only', 'redacted', 'full'] as Consent[])(
  'under %s the name of a log leaves, or not',
  async (mode) => {
    const { workspace } = await slackTeams.connect(mode);
    const { sender, slack } = slackTeams;
    const { postWith } = actionsIn(slackTeams);
    await expectNamesLeave(
      {
        async drop(name, bytes) {
          const id = `F${workspace.files.size}`;
          workspace.files.set(id, { id, name, bytes: Buffer.from(bytes) });
          await sender.message(workspace, 'U1', 'D1', '', { subtype: 'file_share', files: [{ id, name }] });
        },
        say: async (text) => void (await sender.message(workspace, 'U1', 'D1', text)),
        replied: (words) => postWith(workspace, words),
        out: () => JSON.stringify(slack.calls.filter(({ team }) => team === workspace.team)),
      },
      mode === 'full',
    );
  },
);
