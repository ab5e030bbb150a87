import { clinicalSafetyCard } from '../../../../models/contracts/clinical_safety/card.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { answerGeneral } from '../../../engine/intents/answerGeneral.ts';
import type { GeneralIntent } from '../../../engine/intents/generalIntent.ts';
import { ONLY_ENGLISH } from '../../../engine/intents/languages.ts';
import type { Askable } from '../../../engine/queries/answerQuery.ts';
import { FREE_AS, UNKNOWN } from './answer.ts';
import type { Answer } from './answerShape.ts';
import { answerClause } from './clauses.ts';
import type { Guess } from './guessIntent.ts';
import { describeWhy, WHICH_KINDS } from './hazardAnswers.ts';
import { IF_IT_HAPPENED, INCIDENT_GUIDE } from './incidents.ts';
import type { Intent } from './intent.ts';
import { OWN_TEXTS, WHICH_CLAUSE, WHICH_ITEM, WHICH_WORK } from './plainAnswers.ts';
import { leftOver, notUnderstood } from './questionWords.ts';
import { CHANGE_REFUSED, WHY_REFUSED } from './refusals.ts';
import { hazardsNamedIn } from './resultAnswers.ts';
import { unreadWords } from './rowQuery.ts';
import { VERDICT } from './standardFacts.ts';

/** What an answer to a guessed intent may use; `first` is the answer of the first stage. */
export type Given = {
  result: AnalysisResult | null;
  text: string;
  ofAccount: Askable | null;
  status: string | null;
  first: Answer;
};

/** From this probability on a message tells of an incident, rather than perhaps. */
const TELLS = 0.7;

const general =
  (intent: GeneralIntent) =>
  ({ text, status }: Given): Answer => ({
    intent,
    kind: FREE_AS[intent] ?? 'guide',
    text: answerGeneral(intent, text, clinicalSafetyCard, status, OWN_TEXTS),
  });

const refusal = (intent: Intent, text: string) => (): Answer => ({ intent, kind: 'refusal', text });

/** A query that was not understood is said to be one, with the words that have no meaning. It is never guessed. */
const declineQuery = ({ result, text, ofAccount, first }: Given): Answer =>
  first.isDeclined
    ? first
    : {
        intent: 'query',
        kind: 'refusal',
        isDeclined: true,
        text: notUnderstood(leftOver(unreadWords(result, text, ofAccount))),
      };

function answerWhy({ result, text }: Given): Answer {
  const named = result ? hazardsNamedIn(result, text) : [];
  return named.length > 0
    ? { intent: 'why', kind: 'fact', text: named.map(describeWhy).join('\n\n') }
    : { intent: 'why', kind: 'refusal', text: WHY_REFUSED };
}

const NAMES_STANDARD = /0160|0129|dcb|\bmdr\b|745|annex|\bart(?:icle)?\b/i;

/** A clause that is asked for without its standard is looked up in DCB0129, whose name the answer gives. */
function lookUpClause({ text, first }: Given): Answer {
  if (first.intent === 'clause') return first;
  const said = answerClause(text) ?? (NAMES_STANDARD.test(text) ? null : answerClause(`DCB0129 ${text}`));
  return said
    ? { intent: 'clause', kind: 'standard', text: said }
    : { intent: 'clause', kind: 'guide', text: WHICH_CLAUSE };
}

const ANSWERS: Record<Intent, (given: Given, guess: Guess) => Answer> = {
  query: declineQuery,
  unknown: ({ first }) => (first.isDeclined ? first : UNKNOWN),
  // Kinds of hazard are found by their words or not at all: otherwise the answer says how to ask for them, and a model
  // may find more.
  knowledge: ({ first }) =>
    first.kind === 'knowledge' ? first : { intent: 'knowledge', kind: 'guide', isDeclined: true, text: WHICH_KINDS },
  'about-one': ({ first }) => ({
    intent: 'about-one',
    kind: 'refusal',
    isDeclined: true,
    text: first.isDeclined ? first.text : WHICH_ITEM,
  }),
  why: answerWhy,
  change: refusal('change', CHANGE_REFUSED),
  clause: lookUpClause,
  rules: refusal('rules', VERDICT.says),
  language: refusal('language', ONLY_ENGLISH),
  work: () => ({ intent: 'work', kind: 'guide', text: WHICH_WORK }),
  incident: (_, { incident }) => ({
    intent: 'incident',
    kind: 'guide',
    text: incident >= TELLS ? INCIDENT_GUIDE : IF_IT_HAPPENED,
  }),
  'small-talk': general('small-talk'),
  identity: general('identity'),
  help: general('help'),
  status: general('status'),
  undo: general('undo'),
  cancel: general('cancel'),
  files: general('files'),
  export: general('export'),
  access: general('access'),
  goal: general('goal'),
  'other-agent': general('other-agent'),
};

/** The answer to an intent that was guessed. No figure and no row comes from a guess. */
export const answerGuessed = (intent: Intent, guess: Guess, given: Given): Answer => ANSWERS[intent](given, guess);
