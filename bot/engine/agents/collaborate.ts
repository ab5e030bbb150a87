import { type AgentId, findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentOutput } from '../../../models/contracts/collaborate.ts';
import { KNOWLEDGE } from '../hazards/knowledge.ts';
import { rankKnowledge, ticketTerms } from '../hazards/tickets/knowledgeRanking.ts';

/** Below this a goal and a hazard share a word and no more. */
const LEAST_SCORE = 2.5;

type Contribution = { thinking: string; output: string };

const bullets = (lines: readonly string[]) => lines.map((line) => `• ${line}`).join('\n');

/** What each priority agent can say to a goal from the knowledge base and the rules alone. */
const CONTRIBUTIONS: Partial<Record<AgentId, (goal: string) => Contribution>> = {
  clinical_safety(goal) {
    const found = rankKnowledge(ticketTerms(goal, '')).top.filter(({ score }) => score >= LEAST_SCORE);
    return {
      thinking: `Compared the goal with the ${KNOWLEDGE.length} kinds of health IT hazard that Arc knows.`,
      output: [
        found.length > 0
          ? '**Hazards to look at first**, for your Clinical Safety Officer to judge:'
          : '**No hazard stands out from these words.** Say what the product does for whom, and what it shows, calculates or sends.',
        bullets(found.map(({ entry }) => `**${entry.title}**: ${entry.description}`)),
        '**Next**: write the intended use in one paragraph, walk each step with “what if it is late, wrong, missing, or for the wrong patient”, and keep what you find in a hazard log (DCB0129 4.2, clause 3.3).',
      ]
        .filter(Boolean)
        .join('\n'),
    };
  },
  mdr(goal) {
    const signs = MDR_SIGNS.filter(({ words }) => words.test(goal)).map(({ says }) => says);
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
  },
};

const MDR_SIGNS: readonly { words: RegExp; says: string }[] = [
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
    says: 'The technical file is named: Annex II and III list what it holds. Arc’s check of a technical file is in preparation.',
  },
];

/** The agents that take part, in the order of the catalogue. */
export const COLLABORATORS = Object.keys(CONTRIBUTIONS)
  .map((id) => id as AgentId)
  .sort();

/** One agent's part. */
export function contribute(agentId: AgentId, goal: string): AgentOutput {
  const agent = findAgent(agentId);
  const { thinking, output } = CONTRIBUTIONS[agentId]?.(goal) ?? { thinking: '', output: '' };
  const notYet =
    agent?.status === 'in-preparation'
      ? `\n**In preparation**: ${agent.displayName}’s own work on your documents.`
      : '';
  return {
    agentId,
    agentName: agent?.displayName ?? agentId,
    role: agent?.role ?? '',
    thinking,
    output: output + notYet,
    timestamp: new Date().toISOString(),
  };
}
