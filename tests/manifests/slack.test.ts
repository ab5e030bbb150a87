import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { describeAgents, slackManifest, suggestedPrompts } from '../../manifests/slack.ts';
import type { SCOPES } from '../../manifests/slackScopes.ts';

const https = z.url().startsWith('https://');
/** Slack's own limits for the parts of a manifest that we use. */
const shape = z.strictObject({
  display_information: z.strictObject({
    name: z.string().max(35),
    description: z.string().max(140),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/),
    long_description: z.string().min(175).max(4000),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.literal(true),
      messages_tab_enabled: z.literal(true),
      messages_tab_read_only_enabled: z.literal(false),
    }),
    agent_view: z.strictObject({
      agent_description: z.string().max(300),
      suggested_prompts: z.array(z.strictObject({ title: z.string().max(75), message: z.string() })).max(4),
    }),
    bot_user: z.strictObject({ display_name: z.string().max(80), always_online: z.boolean() }),
    shortcuts: z.array(
      z.strictObject({
        name: z.string().max(24),
        type: z.enum(['message', 'global']),
        callback_id: z.string().max(255),
        description: z.string().max(150),
      }),
    ),
    slash_commands: z.array(
      z.strictObject({
        command: z.string().max(32),
        url: https,
        description: z.string().max(2000),
        usage_hint: z.string().max(1000),
        should_escape: z.boolean(),
      }),
    ),
  }),
  oauth_config: z.strictObject({
    redirect_urls: z.array(https).min(1),
    scopes: z.strictObject({ bot: z.array(z.string()).min(1) }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ request_url: https, bot_events: z.array(z.string()).min(1) }),
    interactivity: z.strictObject({ is_enabled: z.literal(true), request_url: https }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
});

/** The scope that Slack requires for each bot event; other events need none. */
const REQUIRED_SCOPES: Record<string, keyof typeof SCOPES> = {
  app_mention: 'app_mentions:read',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
};

describe('the Slack manifest', () => {
  const manifest = slackManifest('https://arc.example.org');

  test('is complete and within Slack’s limits', () => {
    expect(() => shape.parse(manifest)).not.toThrow();
  });

  test('describes any number of agents in at most 300 characters, with as much of each as there is room for', () => {
    const agents = (count: number, description: string) =>
      Array.from({ length: count }, () => ({ displayName: 'Gwen', role: 'Gardener of offices', description }));
    const next = '. Say what you need, and the right one answers.';
    expect(describeAgents(agents(3, 'x'.repeat(99)))).toBe(Array(3).fill('x'.repeat(99)).join(' '));
    expect(describeAgents(agents(2, 'x'.repeat(150)))).toBe(
      `Your hired agents: Gwen (Gardener of offices), Gwen (Gardener of offices)${next}`,
    );
    expect(describeAgents(agents(20, 'x'.repeat(99)))).toBe(
      `Your hired agents: ${Array(20).fill('Gwen').join(', ')}${next}`,
    );
    expect(describeAgents(agents(60, 'x'.repeat(99)))).toBe(`Your hired agents${next}`);
  });

  test('equals manifests/slack.json, which is made for an example address', () => {
    expect(JSON.parse(readFileSync('manifests/slack.json', 'utf8'))).toEqual(manifest);
  });

  test('has a scope for every event and a listener for every id', () => {
    for (const event of manifest.settings.event_subscriptions.bot_events) {
      const scope = REQUIRED_SCOPES[event];
      if (scope) expect(manifest.oauth_config.scopes.bot).toContain(scope);
    }
    const listeners = ['events', 'commands']
      .map((name) => readFileSync(`bot/channels/slack/listeners/${name}.ts`, 'utf8'))
      .join('\n');
    const events = manifest.settings.event_subscriptions.bot_events.map((event) =>
      event.replace(/^message\..*/, 'message'),
    );
    const ids = [
      ...events,
      ...manifest.features.shortcuts.map((it) => it.callback_id),
      ...manifest.features.slash_commands.map((it) => it.command),
    ];
    for (const id of ids) expect(listeners).toMatch(new RegExp(`(['"])${id}\\1`));
  });

  test('uses the customer’s own address everywhere', () => {
    const text = JSON.stringify(slackManifest('https://safety.customer.example'));
    expect(text).not.toContain('arc.example.org');
    expect(text.match(/https:\/\/safety\.customer\.example/g)).toHaveLength(4);
  });
});

describe('npm run manifest -- slack', () => {
  const run = (...options: string[]) =>
    spawnSync(process.execPath, ['.cache/server/manifest.js', 'slack', ...options], { encoding: 'utf8' });

  test('writes the manifest for a customer’s address, with Socket Mode on request', () => {
    const url = 'https://safety.customer.example';
    expect(JSON.parse(run('--url', `${url}/`).stdout)).toEqual(slackManifest(url));
    const socket = JSON.parse(run('--url', url, '--socket-mode').stdout);
    expect(socket).toEqual(slackManifest(url, true));
    expect(socket.settings.socket_mode_enabled).toBe(true);
  });

  test.each([['http://safety.customer.example'], ['']])(
    'refuses the address “%s”, which Slack could not call',
    (url) => {
      const { status, stdout, stderr } = run('--url', url);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain('Usage');
    },
  );
});

test('at most four prompts are suggested, the last one a question for all agents, however many agents work', () => {
  const agent = (title: string) => ({
    suggestions: [1, 2].map((number) => ({ title: `${title} ${number}`, message: title })),
  });
  const titles = (agents: Parameters<typeof suggestedPrompts>[0]) => suggestedPrompts(agents).map(({ title }) => title);
  expect(titles([agent('a'), {}, agent('b'), agent('c')])).toEqual(['a 1', 'a 2', 'b 1', 'What can you do?']);
  expect(titles([])).toEqual(['What can you do?']);
});
