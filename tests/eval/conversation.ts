import { kindOf, LABEL_FILES, label } from '../agents/clinical_safety/conversation/labels.ts';
import { readWorlds } from '../agents/clinical_safety/conversation/worlds.ts';
import { type OpenRows, type Score, scoreQuestion } from './scoreConversation.ts';

type Outcome = Score['outcome'];
type Counts = Record<Outcome, number>;

const countOf = (scores: readonly Score[]): Counts => ({
  right: scores.filter(({ outcome }) => outcome === 'right').length,
  declined: scores.filter(({ outcome }) => outcome === 'declined').length,
  wrong: scores.filter(({ outcome }) => outcome === 'wrong').length,
});
const inWords = ({ right, declined, wrong }: Counts) => `${right} right, ${declined} declined, ${wrong} wrong`;

/** Kinds of question where a wrong answer is never allowed. */
const NEVER_WRONG = ['negation', 'threshold', 'count'];
/** Share of messages whose intent has to be right, in the set that was labelled with intents in mind. */
const MIN_INTENT = 0.95;
/** The sets whose labels state rows of the made-up account; the first one names their kind alone. */
const WITH_ROWS = ['seen', 'unseen', 'thirdTune', 'thirdHeld'];

/**
 * Measures the built-in engine on the labelled questions, by set. No set's questions are printed, so that nobody
 * tunes on those that are held out.
 */
export async function measureConversation(openRows: OpenRows): Promise<{ lines: string[]; below: string[] }> {
  const worlds = await readWorlds();
  const lines: string[] = [];
  const below: string[] = [];
  for (const [set, file] of Object.entries(LABEL_FILES)) {
    const scores: Score[] = [];
    for (const one of label.array().parse(file))
      scores.push(await scoreQuestion(worlds, one, WITH_ROWS.includes(set) ? openRows : undefined));
    const queries = scores.filter(({ label: { intent } }) => intent === 'query');
    const others = scores.filter(({ label: { intent } }) => intent !== 'query');
    lines.push(`${set}: ${queries.length} queries: ${inWords(countOf(queries))}`);
    lines.push(`${set}: ${others.length} other messages: ${inWords(countOf(others))}`);
    const share = scores.filter(({ isIntentRight }) => isIntentRight).length / scores.length;
    lines.push(`${set}: intent right in ${share.toFixed(2)} of ${scores.length}`);
    if (share < MIN_INTENT && WITH_ROWS.includes(set)) below.push(`${set}: intent right in less than ${MIN_INTENT}`);
    const named = scores.filter(({ label: { intent }, outcome }) => intent === 'small-talk' && outcome === 'wrong');
    if (named.length > 0) below.push(`${set}: ${named.length} hazards or figures to small talk; none is allowed`);
    for (const kind of NEVER_WRONG) {
      const counts = countOf(queries.filter(({ label: one }) => kindOf(one) === kind));
      lines.push(`${set}: ${kind}: ${inWords(counts)}`);
      if (counts.wrong > 0) below.push(`${set}: ${counts.wrong} wrong on ${kind}; none is allowed`);
    }
  }
  return { lines, below };
}
