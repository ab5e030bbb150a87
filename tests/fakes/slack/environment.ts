import { SIGNING_SECRET } from './sender.ts';

/** Environment variables that point a server at the fake instead of Slack. */
export const slackEnvironment = (apiUrl: string) => ({
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'shh',
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
  SLACK_API_URL: apiUrl,
});
