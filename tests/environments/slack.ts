// Starts the fake Slack that all test files with `@environment slack` in a process share.
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { startSlack } from '../fakes/slack/server.ts';
import { afterEveryFile, atEnd } from '../runner/atEnd.mjs';
import { requireEnvironment } from '../runner/environment.mjs';

requireEnvironment('slack');
export const slack = await startSlack();
Object.assign(process.env, slackEnvironment(slack.apiUrl));
afterEveryFile(() => slack.recover());
atEnd(() => slack.stop());
