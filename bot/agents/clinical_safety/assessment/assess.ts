import type { Assessment, PossibleHazard } from '../../../../models/contracts/clinical_safety/assessment.ts';
import type { KnowledgeEntry } from '../knowledge/knowledge.ts';
import { rankKnowledge, ticketTerms } from '../tickets/knowledgeRanking.ts';
import { STEP_KINDS } from './stepKinds.ts';

const MAX_STEPS = 12;
const MAX_HAZARDS = 10;
const MAX_OF_STEP = 3;
const MAX_QUOTE = 240;
/** Below this a text and a kind of hazard share no more than a word. */
const MIN_SCORE = 2.5;
/** Kinds this near to the best of a step are named with it. */
const NEAR = 0.6;
/** A verb begins a step only among the first words of a part. */
const FIRST_WORDS = 5;

const SENTENCE = /[^.!?;\n]+(?:\.(?=\S)[^.!?;\n]+)*[.!?;]?/g;
const JOINT = /,\s*(?:and |then )*|(?<!\s)\s+(?:and then|and|then|before|after which)\s+/gi;

/** The kind of the first verb in a text; undefined where it has none. */
const kindOf = (text: string) =>
  STEP_KINDS.map((kind) => ({ kind, at: text.search(kind.verbs) }))
    .filter(({ at }) => at >= 0)
    .sort((left, right) => left.at - right.at)[0]?.kind;
const beginsStep = (text: string): boolean => {
  const [own = ''] = text.split(JOINT, 1);
  return kindOf(own.split(/\s+/, FIRST_WORDS).join(' ')) !== undefined;
};

/** The parts of a sentence that begin with a verb of their own, verbatim. */
function partsOf(sentence: string): string[] {
  const cuts = [...sentence.matchAll(JOINT)].filter((joint) =>
    beginsStep(sentence.slice(joint.index + joint[0].length)),
  );
  const parts: string[] = [];
  let from = 0;
  for (const joint of cuts) {
    parts.push(sentence.slice(from, joint.index));
    from = joint.index + joint[0].length;
  }
  return [...parts, sentence.slice(from)].map((part) => part.trim()).filter(Boolean);
}

/** The steps of a workflow that a text names, in its order and its words. */
function findSteps(text: string): { quote: string; kind: (typeof STEP_KINDS)[number] }[] {
  const parts = [...text.matchAll(SENTENCE)].flatMap(([sentence]) => partsOf(sentence));
  return parts
    .flatMap((part) => {
      const kind = kindOf(part);
      return kind ? [{ quote: part.slice(0, MAX_QUOTE), kind }] : [];
    })
    .slice(0, MAX_STEPS);
}

const toHazard = (
  { id, title, description, clinicalImpact, causes, controls }: KnowledgeEntry,
  quotes: string[],
): PossibleHazard => ({
  kbId: id,
  name: title,
  description,
  clinicalImpact,
  possibleCauses: causes.slice(0, 4),
  controlsToConsider: [controls.design, controls.test, controls.training, controls.business].filter(Boolean),
  quotes,
});

/** Kinds of hazard near to parts of a text, those of most parts and best scores first. */
function findHazards(parts: readonly string[]): PossibleHazard[] {
  const found = new Map<string, { entry: KnowledgeEntry; score: number; quotes: string[] }>();
  for (const part of parts) {
    const near = rankKnowledge(ticketTerms(part, '')).top.filter(({ score }) => score >= MIN_SCORE);
    const best = near[0]?.score ?? 0;
    for (const { entry, score } of near.filter((one) => one.score >= best * NEAR).slice(0, MAX_OF_STEP)) {
      const known = found.get(entry.id) ?? { entry, score: 0, quotes: [] };
      found.set(entry.id, { entry, score: known.score + score, quotes: [...known.quotes, part.slice(0, MAX_QUOTE)] });
    }
  }
  return [...found.values()]
    .sort((left, right) => right.score - left.score || left.entry.id.localeCompare(right.entry.id))
    .slice(0, MAX_HAZARDS)
    .map(({ entry, quotes }) => toHazard(entry, quotes));
}

/** The points that a description should cover, and the question for each that it does not. */
const NEEDED: readonly { said: RegExp; ask: string }[] = [
  {
    said: /\b(?:nurses?|doctors?|clinicians?|GPs?|pharmacists?|midwi(?:fe|ves)|paramedics?|carers?|staff|users?|prescribers?|therapists?|consultants?|patients? (?:use|enter|record|report|see))\b/i,
    ask: 'Who uses it, with which training?',
  },
  {
    said: /\b(?:hospitals?|wards?|surger(?:y|ies)|practices?|clinics?|home|community|ambulance|theatres?|emergency|ED|A&E|primary care|outpatients?)\b/i,
    ask: 'In which care setting is it used, and under what time pressure?',
  },
  {
    said: /\b(?:patients?|children|adults?|babies|women|residents?|clients?)\b/i,
    ask: 'Which patients does it concern? Are there children, pregnant or unconscious patients among them?',
  },
  {
    said: /\b(?:EHR|EPR|record system|PAS|spine|FHIR|HL7|API|interface|feed|device|integrat\w+|database|laboratory|import\w*)\b/i,
    ask: 'Where do its data come from and go to, and what happens when that stops?',
  },
  {
    said: /\b(?:decid\w*|decision|treat\w*|triag\w*|diagnos\w*|prescri\w*|dos(?:e|es|ing)|refer\w*)\b/i,
    ask: 'Which clinical decision follows from what it shows?',
  },
  {
    said: /\b(?:down ?time|fall ?back|paper|offline|business continuity|backup|outage)\b/i,
    ask: 'What do people do while it is unavailable?',
  },
];
const CONCERN =
  /\b(?:incident|happened|reported|complain\w*|near miss|was (?:given|shown|sent)|wrong(?:ly)?|failed|concern\w*|lost)\b/i;
const OF_CONCERN = [
  'Has it reached a patient, and is anybody at risk now?',
  'Since when, in which version, at which sites, and how often?',
  'Which hazard of the log covers it, and did its controls fail?',
];

/**
 * A preliminary list for people: the steps that a text names with the what-if questions of SWIFT, kinds of hazard from
 * the knowledge base, and what to ask next. It has no ratings.
 */
export function assess(text: string): Assessment {
  const steps = findSteps(text);
  const sentences = [...text.matchAll(SENTENCE)].map(([sentence]) => sentence.trim()).filter(Boolean);
  const parts = [...new Set([...steps.map(({ quote }) => quote), ...sentences.filter((one) => !kindOf(one))])];
  return {
    steps: steps.map(({ quote, kind }) => ({
      quote,
      kind: kind.kind,
      prompts: kind.guidewords.map((guideword) => `What if it ${guideword}?`),
    })),
    hazards: findHazards(parts),
    questions: [
      ...(CONCERN.test(text) ? OF_CONCERN : []),
      ...NEEDED.filter(({ said }) => !said.test(text)).map(({ ask }) => ask),
      ...(steps.length < 2
        ? ['Which steps do people take, one after the other? One sentence for each is enough.']
        : []),
    ],
  };
}

const bullets = (lines: readonly string[]): string[] => lines.map((line) => `• ${line}`);

const PRELIMINARY =
  'This is a preliminary prompt list for people, by the guidewords of SWIFT (structured what-if) and Arc’s knowledge base. It rates nothing and is not complete: a multi-disciplinary group with a Clinical Safety Officer identifies hazards and rates them (DCB0129 4.1.2, 4.3.1 and 4.4.1).';

/** An assessment for people, with what each part was found by. */
export function describeAssessment({ steps, hazards, questions }: Assessment): string {
  return [
    PRELIMINARY,
    ...(hazards.length > 0
      ? [
          '**Hazards to consider**',
          ...bullets(
            hazards.map(
              ({ kbId, name, clinicalImpact, quotes }) =>
                `**${name}** (${kbId}): ${clinicalImpact} Found by “${(quotes[0] ?? '').replace(/[.;!?]$/, '')}”.`,
            ),
          ),
        ]
      : ['No kind of hazard in the knowledge base is close to these words. That says nothing about the product.']),
    ...(steps.length > 0
      ? ['**What if, step by step**', ...bullets(steps.map(({ quote, prompts }) => `“${quote}”: ${prompts.join(' ')}`))]
      : ['No step of a workflow was found in these words.']),
    '**To ask next**',
    ...bullets([...questions, 'Who will decide which of these go into the hazard log (3.3.1)?']),
  ].join('\n');
}
