import { beforeAll, expect, test } from '@jest/globals';
import { answerQuestion } from '../../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';

const LOG = `# Log

| ID | Hazard | Cause | Effect | Severity | Likelihood | Risk Level | Control Measures | Residual Risk |
|---|---|---|---|---|---|---|---|---|
| H1 | Wrong drug | Search | Harm | Catastrophic | Possible | HIGH | Second look | MEDIUM |
| H2 | Wrong dose | Free text | Overdose | Major | Possible | MEDIUM | Range check | LOW |
| H3 | Dose twice | Two entries | Overdose | Major | Unlikely | MEDIUM | One entry | LOW |
| H4 | No list | Outage | Late dose | Moderate | Rare | LOW | Paper | |

| | Minor | Moderate | Major | Catastrophic |
|---|---|---|---|---|
| Likely | LOW | MEDIUM | HIGH | CRITICAL |
| Possible | LOW | MEDIUM | HIGH | HIGH |
| Unlikely | LOW | LOW | MEDIUM | HIGH |
| Rare | LOW | LOW | LOW | MEDIUM |
`;

let result: AnalysisResult;
beforeAll(async () => {
  result = await analyseLog({
    log: { fileName: 'log.md', bytes: new TextEncoder().encode(LOG), digest: 'a' },
    tickets: null,
  } as never);
});

test.each<[string, string[]]>([
  ['Which hazards have an initial risk of high?', ['H1']],
  ['hazards with an initial risk above low', ['H1', 'H2', 'H3']],
  ['hazards with an initial risk of at least medium', ['H1', 'H2', 'H3']],
  ['hazards with a residual risk of low', ['H2', 'H3']],
  ['Which hazards have no recorded residual risk?', ['H4']],
  ['Which hazards have no recorded initial risk?', []],
])('“%s” of a log that rates in words', (question, ids) => {
  const answer = answerQuestion(result, question);
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  expect([...text.matchAll(/• (H\d): /g)].map(([, id]) => id).sort()).toEqual(ids);
  if (ids.length === 0) expect(text).toMatch(/\b(?:no|none|all)\b/i);
});

test('a hazard is told with its risk in words, and with what the matrix gives where that differs', () => {
  expect(JSON.stringify(answerQuestion(result, 'H2'))).toContain(
    'Major, Possible, risk MEDIUM. The matrix gives HIGH.',
  );
  expect(JSON.stringify(answerQuestion(result, 'H1'))).toContain('Catastrophic, Possible, risk HIGH.');
});

test('the matrix is told in its words', () => {
  expect(JSON.stringify(answerQuestion(result, 'show me the risk matrix'))).toContain(
    'Possible: Minor LOW, Moderate MEDIUM, Major HIGH, Catastrophic HIGH',
  );
});
