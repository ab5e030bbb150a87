import { expect, test } from '@jest/globals';
import { contribute } from '../../../bot/agents/clinical_safety/contribute.ts';
import { KNOWLEDGE } from '../../../bot/agents/clinical_safety/knowledge/knowledge.ts';

// “A map of the hospital” scores INT-02 5.4, MED-01 2.9, ALG-02 2.9, INT-04 2.501 and RES-05 2.1.
test.each([
  ['A map of the hospital', ['INT-02', 'MED-01', 'ALG-02', 'INT-04']],
  ['printing', ['DSP-08']],
  ['patient', []],
  ['A shop', []],
])('for “%s” the agent names the hazards that score 2.5 or more: %j', (goal, ids) => {
  const { output, thinking } = contribute(goal);
  const named = ids.map((id) => {
    const entry = KNOWLEDGE.find((one) => one.id === id);
    return `• **${entry?.title}**: ${entry?.description}`;
  });
  expect(output.split('\n')).toEqual([
    expect.stringMatching(named.length > 0 ? /^\*\*Hazards to look at first/ : /^\*\*No hazard stands out/),
    ...named,
    expect.stringMatching(/^\*\*Next\*\*: write the intended use/),
  ]);
  expect(thinking).toBe(`Compared the goal with the ${KNOWLEDGE.length} kinds of health IT hazard that Arc knows.`);
});

test('a goal about compliance gets what DCB0129 asks for first, by clause, and the hazards of its product', () => {
  const { output } = contribute('Help me with compliance');
  expect(output.split('\n')).toEqual([
    '**What DCB0129 asks a manufacturer of health software for first**:',
    expect.stringMatching(/^• \*\*A Clinical Safety Officer\*\*: .* \(clauses 2\.2\.1 and 2\.3\.1\)$/),
    expect.stringMatching(/^• \*\*A Clinical Risk Management Plan\*\* .* \(3\.1 and 3\.2\)$/),
    expect.stringMatching(/^• \*\*A hazard log\*\*.* \(3\.3\)$/),
    expect.stringMatching(/^• \*\*A clinical safety case\*\*.* \(3\.4 and 3\.5\)$/),
    expect.stringMatching(/^\*\*Next\*\*: write the intended use/),
  ]);
  // What the product does is named as well.
  expect(contribute('Compliance of printing').output).toMatch(
    /^\*\*What DCB0129 asks[\s\S]*\n\*\*Hazards to look at first/,
  );
});
