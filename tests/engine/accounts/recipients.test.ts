import { expect, test } from '@jest/globals';
import { readRecipients } from '../../../bot/engine/accounts/recipients.ts';
import { parseEnvironment } from '../../../models/env.ts';

const AZURE = { MODEL_PROVIDER: 'azure', MODEL_REGION: 'uk', AZURE_OPENAI_API_KEY: 'k', AZURE_OPENAI_DEPLOYMENT: 'd' };
const OUTSIDE = { MODEL_REGION: 'outside-uk-accepted', MODEL_NAME: 'm', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };
const OWN = 'https://models.example.org/v1';

test.each([
  [{}, ['hosting 127.0.0.1']],
  [{ HOST: '0.0.0.0' }, ['hosting 127.0.0.1']],
  [{ HOST: 'arc.internal' }, ['hosting arc.internal']],
  [{ BASE_URL: 'https://arc.example.org:8443/x' }, ['hosting arc.example.org']],
  [AZURE, ['hosting 127.0.0.1', 'model Microsoft Azure OpenAI']],
  [{ ...AZURE, MODEL_BASE_URL: OWN }, ['hosting 127.0.0.1', 'model Microsoft Azure OpenAI']],
  [{ ...OUTSIDE, MODEL_PROVIDER: 'openai' }, ['hosting 127.0.0.1', 'model OpenAI']],
  [{ ...OUTSIDE, MODEL_PROVIDER: 'anthropic' }, ['hosting 127.0.0.1', 'model Anthropic']],
  [
    { ...OUTSIDE, MODEL_PROVIDER: 'openai-compatible', MODEL_BASE_URL: OWN },
    ['hosting 127.0.0.1', 'model models.example.org'],
  ],
  [{ SLACK_CLIENT_ID: 'a', SLACK_CLIENT_SECRET: 'b', SLACK_SIGNING_SECRET: 'c' }, ['hosting 127.0.0.1', 'slack Slack']],
  [
    { MICROSOFT_APP_ID: 'a', MICROSOFT_APP_PASSWORD: 'b', MICROSOFT_APP_TENANT_ID: 'c' },
    ['hosting 127.0.0.1', 'teams Microsoft Teams'],
  ],
  [{ SMTP_URL: 'smtps://user:secret@mail.example.org' }, ['hosting 127.0.0.1', 'mail mail.example.org']],
  [{ GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b' }, ['hosting 127.0.0.1', 'connector Google Drive']],
  [{ MCP_REGION: 'uk' }, ['hosting 127.0.0.1', 'tool-servers-uk MCP servers']],
  [{ MCP_REGION: 'outside-uk-accepted' }, ['hosting 127.0.0.1', 'tool-servers MCP servers']],
  // An invalid address names no recipient.
  [{ SMTP_URL: 'smtp://[' }, ['hosting 127.0.0.1', 'mail ']],
])('with %j data is sent to %j', (variables, recipients) => {
  expect(readRecipients(parseEnvironment(variables)).map(({ kind, name }) => `${kind} ${name}`)).toEqual(recipients);
});
