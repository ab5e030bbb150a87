import type { Contribution } from '../../engine/agents/agent.ts';

const bullets = (lines: readonly string[]) => lines.map((line) => `• ${line}`).join('\n');

const SIGNS: readonly { words: RegExp; says: string }[] = [
  {
    words: /diagnos|detect|screen|triage|symptom/i,
    says: 'Diagnosis or triage is named: information for such decisions starts at class IIa under Rule 11.',
  },
  {
    words: /monitor|vital|alarm|wearable|glucose|heart/i,
    says: 'Monitoring is named: of vital parameters with immediate danger it is class IIb under Rule 11.',
  },
  {
    words: /dos(e|age|ing)|prescri|treat|therapy|medic(ine|ation)/i,
    says: 'Treatment or medicines are named: driving them makes a purpose under Article 2(1) likely.',
  },
  {
    words: /predict|risk score|prognos|\bAI\b|machine learning/i,
    says: 'Prediction is named: prognosis is a purpose under Article 2(1).',
  },
  {
    words: /complian|technical file|MDR|CE mark|certif/i,
    says: 'The technical file is named: Annex II and III list what it holds.',
  },
];

/** Names the questions of qualification and of Rule 11 (MDR 2017/745, Annex VIII) that a goal raises. */
export function contribute(goal: string): Contribution {
  const signs = SIGNS.filter(({ words }) => words.test(goal)).map(({ says }) => says);
  return {
    thinking: 'Went through the qualification and Rule 11 questions of MDR 2017/745 with the words of the goal.',
    output: [
      '**Is it a medical device?** That follows from the intended purpose, and a regulatory lead has to confirm it.',
      bullets(
        signs.length > 0 ? signs : ['The goal does not say yet what the software does for an individual patient.'],
      ),
      '**Answer these first**:',
      bullets([
        'Who uses it, on whom, in which condition, and what decision follows from it?',
        'Does it do more than store, communicate or search? (MDCG 2019-11)',
        'What is the worst that a wrong output could lead to? That drives the class under Rule 11.',
      ]),
    ].join('\n'),
  };
}
