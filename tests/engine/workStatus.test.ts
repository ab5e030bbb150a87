import { describe, expect, test } from '@jest/globals';
import { agents } from '../../bot/agents/index.ts';
import { collaborators, contribute } from '../../bot/engine/agents/collaborate.ts';
import { notYetWorkflow } from '../../bot/engine/agents/inPreparation.ts';
import { registerAgents, registeredAgent } from '../../bot/engine/agents/registry.ts';
import { describeCatalogue } from '../../bot/engine/turns/channelCommands.ts';
import { AGENTS, isWorking, WORKING_AGENTS } from '../../models/contracts/catalogue.ts';
import type { ConnectorCard } from '../../models/contracts/connectorCard.ts';
import { CONNECTORS } from '../../models/contracts/connectors.ts';
import { TOOLS, toolStatus } from '../../models/contracts/tools.ts';

registerAgents(agents);

describe('“in preparation”', () => {
  test('is every agent whose first workflow only says so', () => {
    const own = AGENTS.filter(({ id }) => registeredAgent(id).workflows[0] !== notYetWorkflow).map(({ id }) => id);
    expect(AGENTS.filter(({ id }) => isWorking(id)).map(({ id }) => id)).toEqual(own);
  });

  test('is shown in the channels’ list of agents and in answers to a visitor’s goal', () => {
    const lines = describeCatalogue().split('\n').slice(1);
    const atWork = lines.filter((line) => !line.endsWith('(in preparation)'));
    expect(atWork).toEqual(WORKING_AGENTS.map(({ displayName, role }) => `• ${displayName}, ${role}`));
    expect(atWork).toContain('• Clara, Clinical safety officer');
    for (const id of collaborators()) {
      const { output } = contribute(id, 'Screen for sepsis in the emergency department');
      expect(output.includes('**In preparation**')).toBe(!isWorking(id));
    }
  });

  test('is every tool that nothing in the product uses', () => {
    const working = TOOLS.filter(({ id }) => toolStatus(id) === 'working').map(({ id }) => id);
    const connectors: readonly ConnectorCard[] = CONNECTORS;
    const used = [...WORKING_AGENTS, ...connectors.filter(({ status }) => status === 'working')];
    expect(new Set(working)).toEqual(new Set(used.flatMap(({ tools = [] }) => tools.map(({ id }) => id))));
    expect(working).toEqual(expect.arrayContaining(['riskmanagement', 'clinicalsafety', 'hazardanalysis']));
    expect(toolStatus('arc-chat')).toBeNull();
  });
});
