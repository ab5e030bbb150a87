import { describe, expect, test } from '@jest/globals';
import { namesAgent, readAsking } from '../../../bot/engine/intents/readAsking.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { requireRow } from '../../../models/store/requireRow.ts';

describe('a request to ask another agent', () => {
  test.each<[string, AgentId, string]>([
    [
      'ask the researcher what the contract says about liability',
      'researcher',
      'what the contract says about liability?',
    ],
    ['Ask Rhea about leavers.', 'researcher', 'about leavers?'],
    ['Please can you ask @Mina to write copy from Brief.md', 'marketer', 'write copy from Brief.md'],
    ['@Clara, get our outreach agent to draft outreach from Leads.csv', 'outreach', 'draft outreach from Leads.csv'],
    ['Clara: have Opal write an SOP from this:\nOpen the door.', 'ops', 'write an SOP from this:\nOpen the door.'],
    ['tell the clinical safety agent: analyse my hazard log', 'clinical_safety', 'analyse my hazard log'],
    ['Ask Rhea what’s known about “doses”', 'researcher', 'what’s known about “doses”?'],
  ])('“%s” is for %s', (text, agentId, question) => {
    expect(readAsking(text)).toMatchObject({ agent: { id: agentId }, question });
  });

  test('keeps whom the message is to', () => {
    expect(readAsking('@Clara, please ask Rhea about leavers')?.before).toBe('@Clara, please ');
  });

  test.each([
    'Ask the clinical safety officer whether this is safe',
    'Do not ask Rhea about it',
    'Summarise this:\nask Rhea to write a brief',
    'The ticket says: ask the researcher what the contract says',
    'What did you ask Rhea?',
    'ask Rhea',
    'ask somebody about Rhea',
    '',
  ])('is not in “%s”', (text) => {
    expect(readAsking(text)).toBeNull();
  });
});

test('an agent is named by a message in its first line alone, by its whole name', () => {
  const rhea = requireRow(findAgent('researcher') ?? null);
  expect(namesAgent('Which hazards fit? Use Rhea for the contract.', rhea)).toBe(true);
  expect(namesAgent('What does the researcher find?', rhea)).toBe(true);
  expect(namesAgent('Which hazards fit?\nAsk Rhea for more.', rhea)).toBe(false);
  expect(namesAgent('Which hazards fit Rheas?', rhea)).toBe(false);
});
