import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Recipient } from '../../models/contracts/auth.ts';
import { footerText, recipientTexts, transferText } from '../../web/parts/whereDataGoes.ts';

const privacy = readFileSync('web/pages/legal/PrivacyPolicyPage.tsx', 'utf8').replace(/\s+/g, ' ');
const terms = readFileSync('web/pages/legal/TermsPage.tsx', 'utf8').replace(/\s+/g, ' ');

describe('the legal texts about where data goes', () => {
  const hosting: Recipient = { kind: 'hosting', name: 'arc.example.org' };
  const slack: Recipient = { kind: 'slack', name: 'Slack' };
  const mail: Recipient = { kind: 'mail', name: 'smtp.example.org' };
  const model: Recipient = { kind: 'model', name: 'OpenAI' };
  const tools: Recipient = { kind: 'tool-servers', name: 'MCP servers' };
  const drive: Recipient = { kind: 'connector', name: 'Google Drive' };
  const toolsInUk: Recipient = { kind: 'tool-servers-uk', name: 'MCP servers' };
  const STAYS = /never leaves the UK/;

  test('say that everything stays, without outside services', () => {
    for (const modelRegion of ['none', 'uk'] as const) {
      const facts = { modelRegion, recipients: [hosting] };
      expect(footerText(facts)).toMatch(STAYS);
      expect(transferText(facts)).toContain('to no service outside the United Kingdom');
    }
  });

  test('name MCP servers of which owners declare that they are in the UK, and say that data stays there', () => {
    const facts = { modelRegion: 'uk', recipients: [hosting, toolsInUk] } as const;
    expect(footerText(facts)).toMatch(STAYS);
    expect(transferText(facts)).toContain('to no service outside the United Kingdom');
    expect(recipientTexts(facts.recipients)[1]).toContain('declares that each is in the UK');
  });

  test.each([
    ['none', [hosting, slack], ['Slack']],
    ['none', [hosting, tools], ['MCP servers that your company allows']],
    ['uk', [hosting, slack, mail], ['Slack', 'smtp.example.org']],
    ['none', [hosting, mail], ['smtp.example.org']],
    ['none', [hosting, drive], ['Google Drive']],
    ['outside-uk-accepted', [hosting, model, slack], ['Slack']],
  ] as const)('do not say that data stays, with %s and more recipients', (modelRegion, recipients, names) => {
    const facts = { modelRegion, recipients };
    expect(footerText(facts)).not.toMatch(STAYS);
    expect(footerText(facts)).toContain('never used to train');
    for (const name of names) {
      expect(footerText(facts)).toContain(name);
      expect(transferText(facts)).toContain(name);
    }
    expect(recipientTexts(recipients)).toHaveLength(recipients.length);
  });

  test('do not claim a place of data independently of the configuration', () => {
    for (const text of [privacy, terms]) expect(text).not.toMatch(/stays in the United Kingdom|never leaves/);
  });
});
