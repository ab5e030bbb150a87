// What a process is started with whose test files say `@environment slack`: a Slack of their own, shared by them.
import { slackEnvironment } from '../fakes/slack/environment.ts';
import { startSlack } from '../fakes/slack/server.ts';
import { afterEveryFile, atEnd } from '../runner/atEnd.mjs';
import { mustBe } from '../runner/environment.mjs';

mustBe('slack');
export const slack = await startSlack();
Object.assign(process.env, slackEnvironment(slack.apiUrl));
afterEveryFile(() => slack.recover());
atEnd(() => slack.stop());
