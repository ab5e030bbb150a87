import type { Contribution } from '../../engine/agents/agent.ts';
import { KNOWLEDGE } from './knowledge/knowledge.ts';
import { rankKnowledge, ticketTerms } from './tickets/knowledgeRanking.ts';

/** Below this a goal and a hazard share no more than a word. */
const MIN_SCORE = 2.5;

const bullets = (lines: readonly string[]) => lines.map((line) => `• ${line}`).join('\n');

/** Names the hazards of the knowledge base that match a goal. */
export function contribute(goal: string): Contribution {
  const found = rankKnowledge(ticketTerms(goal, '')).top.filter(({ score }) => score >= MIN_SCORE);
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
}
