import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Askable } from '../../../engine/queries/answerQuery.ts';
import { answerByPatterns, speaksOfLog } from './answer.ts';
import type { Answer } from './answerShape.ts';
import { answerGuessed, type Given } from './guessedAnswer.ts';
import { type Guess, guessIntent } from './guessIntent.ts';
import { IF_IT_HAPPENED } from './incidents.ts';
import type { Intent } from './intent.ts';
import { hazardsNamedIn } from './resultAnswers.ts';
import { STANDARD_FACTS } from './standardFacts.ts';

/**
 * What a guess has to reach before it decides. Chosen on authors who were left out of the training, so
 * that most of what it decides is right and no answer from rows is changed; docs/evaluation.md has the figures.
 */
export const MARGINS = {
  /** No pattern fits. */
  unknown: { probability: 0.4, margin: 0.15 },
  /** Small talk is answered with courtesy, which a question must never get. */
  smallTalk: { probability: 0.6 },
  /** The message speaks of rows: something else must be likely, and a query unlikely. */
  declined: { probability: 0.6, query: 0.15 },
  /** A kind of hazard, or a general text on the standard, was found by single words. */
  byWords: { probability: 0.6 },
  /** An incident is told of rather than such a kind of hazard; below, what to do if it happened stands behind the kind. */
  incidentByWords: { probability: 0.85 },
  /** A pattern reads a general intent, and the message almost certainly asks for rows. */
  query: { probability: 0.9 },
  /** An incident is answered as such from here on … */
  incident: { probability: 0.4 },
  /** … and from here on the answer says beside what else it says what to do if it happened. */
  perhapsIncident: { probability: 0.15 },
  /** The same beside rows, which were asked for: a hazard may be about harm. */
  incidentBesideRows: { probability: 0.6 },
} as const;

/** Intents of the first stage that a query may be mistaken for. */
const GENERAL: readonly Intent[] = [
  'small-talk',
  'identity',
  'help',
  'status',
  'undo',
  'cancel',
  'files',
  'export',
  'access',
  'goal',
  'other-agent',
];

/** The people that a result names; they say nothing about what a message wants. */
const peopleIn = (result: AnalysisResult | null): string[] => [
  ...new Set((result?.existingHazards ?? []).flatMap(({ owner }) => (owner ? [owner] : []))),
];

/**
 * Answers a question from the latest result, or else from the knowledge base and the standard. Deterministic. A
 * question that is only partly understood is refused rather than answered as a similar one, and nothing is ever called
 * safe or compliant. Patterns decide first. Where none fits, or only a weak one, a classifier says what is wanted; it
 * answers nothing from rows itself, and where it is unsure the answer is “I don’t know”.
 * @param ofAccount rows of the account that the question names
 * @param status what waits and runs in the account; null for a visitor
 * @param followUp the answer where the text goes on from an earlier answer
 */
export function answerQuestion(
  result: AnalysisResult | null,
  text: string,
  ofAccount: Askable | null = null,
  status: string | null = null,
  followUp: Answer | null = null,
): Answer {
  const first = answerByPatterns(result, text, ofAccount, status, { followUp });
  if (first.intent === 'incident' || first.intent === 'language' || !/\p{L}/u.test(text)) return first;
  const guess = guessIntent(text, peopleIn(result));
  if (first.kind === 'fact') return besideRows(first, guess);
  const given = { result, text, ofAccount, status, first };
  const intent = decide(given, guess);
  if (intent === 'incident' || intent === null) return intent ? answerGuessed(intent, guess, given) : mention(first);
  const isRead = intent === 'query' && GENERAL.includes(first.intent);
  return mention(
    isRead ? answerByPatterns(result, text, ofAccount, status, { isQuery: true }) : answerGuessed(intent, guess, given),
  );

  function mention(answer: Answer): Answer {
    return guess.incident >= MARGINS.perhapsIncident.probability ? withIncident(answer) : answer;
  }
}

/** The intent that takes the place of the first stage's; null where that stands. */
function decide({ result, text, ofAccount, first }: Given, guess: Guess): Intent | null {
  const { intent, probability, margin } = guess;
  const isByWords = first.intent === 'knowledge' || BY_WORDS.includes(first.text);
  if (guess.incident >= (isByWords ? MARGINS.incidentByWords : MARGINS.incident).probability) return 'incident';
  const isOfRows = first.isDeclined && (ofAccount !== null || speaksOfLog(text));
  if (isOfRows) return isNoQuery(guess) && isOpenTo(intent, result, text) ? intent : null;
  if (first.kind === 'unknown' || first.isDeclined) {
    const least = intent === 'small-talk' ? MARGINS.smallTalk : MARGINS.unknown;
    return probability >= least.probability && margin >= MARGINS.unknown.margin && isOpenTo(intent, result, text)
      ? intent
      : null;
  }
  const isOther = intent !== first.intent && intent !== 'incident';
  if (isByWords) return isOther && probability >= MARGINS.byWords.probability ? intent : null;
  return GENERAL.includes(first.intent) && guess.of('query') >= MARGINS.query.probability ? 'query' : null;
}

/** General texts that are found by single words, such as the number of a standard. */
const BY_WORDS: readonly string[] = STANDARD_FACTS.filter(({ intent }) => intent !== 'rules').map(({ says }) => says);

const isNoQuery = ({ intent, probability, of }: Guess): boolean =>
  intent !== 'query' && probability >= MARGINS.declined.probability && of('query') <= MARGINS.declined.query;

/** A question that names a hazard is about it, whatever else it may sound like: "who approved HAZ-004". */
const isOpenTo = (intent: Intent, result: AnalysisResult | null, text: string): boolean =>
  OF_A_HAZARD.includes(intent) || result === null || hazardsNamedIn(result, text).length === 0;
const OF_A_HAZARD: readonly Intent[] = ['about-one', 'change', 'rules'];

/** Rows were asked for and are shown; an incident that the message tells of beside them is answered too. */
const besideRows = (answer: Answer, { incident }: Guess): Answer =>
  incident >= MARGINS.incidentBesideRows.probability ? withIncident(answer) : answer;

const withIncident = (answer: Answer): Answer => ({ ...answer, text: `${answer.text}\n\n${IF_IT_HAPPENED}` });
