import type { Contribution } from '../../engine/agents/agent.ts';
import { KNOWLEDGE } from './knowledge/knowledge.ts';
import { rankKnowledge, ticketTerms } from './tickets/knowledgeRanking.ts';

/** Below this a goal and a hazard share no more than a word. */
const MIN_SCORE = 2.5;

const bullets = (lines: readonly string[]) => lines.map((line) => `• ${line}`).join('\n');

/** A goal about standards as such, whatever the product does. */
const ABOUT_COMPLIANCE =
  /\b(?:complian\w*|comply|regulat\w*|standards?|certif\w*|DCB ?0?1(?:29|60)|clinical safety)\b/gi;

/** What the standard asks for first; the clauses of DCB0129 4.2. */
const COMPLIANCE: readonly string[] = [
  '**A Clinical Safety Officer**: a registered clinician, named by top management (clauses 2.2.1 and 2.3.1)',
  '**A Clinical Risk Management Plan** with the criteria for acceptable risk, and a file that holds the evidence (3.1 and 3.2)',
  '**A hazard log**, kept up to date and approved by the officer in each version (3.3)',
  '**A clinical safety case**, with a report for each phase that the plan names (3.4 and 3.5)',
];

/** How a request begins: its words name no hazard. */
const REQUEST = /\b(?:please|(?:can|could) you|help(?: (?:me|us))?(?: with)?|we need|i need)\b/gi;

const NO_HAZARD =
  '**No hazard stands out from these words.** Say what the product does for whom, and what it shows, calculates or sends.';

/** Names the hazards of the knowledge base that match a goal, and what the standard asks for where it is about compliance. */
export function contribute(goal: string): Contribution {
  const words = goal.replace(REQUEST, ' ');
  const product = words.replace(ABOUT_COMPLIANCE, ' ');
  const found = rankKnowledge(ticketTerms(product, '')).top.filter(({ score }) => score >= MIN_SCORE);
  const isAboutCompliance = product !== words;
  return {
    thinking: `Compared the goal with the ${KNOWLEDGE.length} kinds of health IT hazard that Arc knows.`,
    output: [
      ...(isAboutCompliance
        ? ['**What DCB0129 asks a manufacturer of health software for first**:', bullets(COMPLIANCE)]
        : []),
      ...(found.length > 0
        ? [
            '**Hazards to look at first**, for your Clinical Safety Officer to judge:',
            bullets(found.map(({ entry }) => `**${entry.title}**: ${entry.description}`)),
          ]
        : isAboutCompliance
          ? []
          : [NO_HAZARD]),
      '**Next**: write the intended use in one paragraph, walk each step with “what if it is late, wrong, missing, or for the wrong patient”, and keep what you find in a hazard log (DCB0129 4.2, clause 3.3).',
    ].join('\n'),
  };
}
