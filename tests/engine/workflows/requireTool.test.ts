import { expect, test } from '@jest/globals';
import { requireTool } from '../../../bot/engine/workflows/requireTool.ts';

const clara = (...tools: [id: string, enabled: boolean][]) => ({
  agentId: 'clinical_safety' as const,
  tools: tools.map(([id, enabled]) => ({ id, enabled })),
});
const OFF =
  'Hazard analysis is switched off for Clara. Nothing was started. Switch it on among the agent’s tools, then ask again.';

test.each([
  ['a tool that is on', clara(['hazardanalysis', true]), 'hazardanalysis', null],
  ['a tool that is off', clara(['hazardanalysis', false], ['clinicalsafety', true]), 'hazardanalysis', OFF],
  ['a tool that it never had', clara(), 'hazardanalysis', OFF],
  ['no tool', clara(), null, null],
])('work with %s', (_what, agent, tool, refusal) => {
  const begin = () => requireTool(agent, tool);
  if (refusal === null) expect(begin).not.toThrow();
  else expect(begin).toThrow(expect.objectContaining({ code: 'tool_off', message: refusal, status: 422 }));
});
