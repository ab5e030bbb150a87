import type { AnalysisResult, ExistingHazard } from '../../../../models/contracts/hazards.ts';
import { counted } from '../counted.ts';
import { listed } from './hazardAnswers.ts';
import { leftOver, notUnderstood, questionWords } from './questionWords.ts';

type Test = (hazard: ExistingHazard) => boolean;
type Condition = { says: string; test: Test };
type Reading = { conditions: Condition[]; understood: Set<string> };

const NEGATIONS = new Set([
  'not',
  'no',
  'never',
  "isn't",
  "aren't",
  'without',
  'missing',
  'blank',
  'lack',
  'lacks',
  'lacking',
  'empty',
  "don't",
  "doesn't",
  "haven't",
  "hasn't",
]);

/** What a hazard may have or lack, by the words for it. The first that fits counts, so the narrower stand first. */
const FIELDS: [words: string[], name: string, has: Test][] = [
  [['evidence'], 'evidence for any control', ({ controls }) => controls.some(({ evidence }) => evidence)],
  [['owner', 'owners'], 'an owner', ({ owner }) => Boolean(owner)],
  [['cause', 'causes'], 'a cause', ({ causes }) => causes.length > 0],
  [['impact', 'harm'], 'a clinical impact', ({ clinicalImpact }) => clinicalImpact !== ''],
  [['ticket', 'tickets'], 'a ticket named in its row', ({ ticketKeys }) => ticketKeys.length > 0],
  [['control', 'controls', 'mitigation', 'mitigations'], 'a control', ({ controls }) => controls.length > 0],
  [['status'], 'a status', ({ status }) => Boolean(status)],
];
/** Words that belong to a field: "evidence for their controls", "clinical impact". */
const WITH_FIELD: Record<string, string[]> = {
  evidence: ['control', 'controls'],
  impact: ['clinical', 'potential'],
  control: ['existing', 'recorded'],
  ticket: ['named'],
};

const COMPARISONS: [pattern: string[][], says: string, holds: (risk: number, wanted: number) => boolean][] = [
  [[['at', 'least'], ['>='], ['≥']], 'at least', (risk, wanted) => risk >= wanted],
  [[['at', 'most'], ['<='], ['≤']], 'at most', (risk, wanted) => risk <= wanted],
  [
    [['above'], ['over'], ['more', 'than'], ['greater', 'than'], ['higher', 'than'], ['exceeding'], ['>']],
    'above',
    (risk, wanted) => risk > wanted,
  ],
  [[['below'], ['under'], ['less', 'than'], ['lower', 'than'], ['<']], 'below', (risk, wanted) => risk < wanted],
];
/** Behind the number: "3 or above". */
const TRAILING: [words: string[], says: string, holds: (risk: number, wanted: number) => boolean][] = [
  [['above', 'more', 'higher', 'over', 'greater'], 'at least', (risk, wanted) => risk >= wanted],
  [['below', 'less', 'lower', 'under', 'fewer'], 'at most', (risk, wanted) => risk <= wanted],
];

function placeOf(words: readonly string[], phrase: readonly string[]): number {
  return words.findIndex((_, at) => phrase.every((word, offset) => words[at + offset] === word));
}

/** "residual risk above 2", "an initial risk of 4", "a risk of 3 or more", "not a risk of 2". */
function readRisk(words: readonly string[], negated: boolean): Reading | null {
  const numbers = words.filter((word) => /^\d{1,2}$/.test(word));
  const [number] = numbers;
  if (numbers.length !== 1 || number === undefined || !words.some((word) => RISK_WORDS.has(word))) return null;
  const at = words.indexOf(number);
  const understood = new Set([number, ...RISK_WORDS]);
  const trailing = words[at + 1] === 'or' ? TRAILING.find(([ends]) => ends.includes(words[at + 2] ?? '')) : undefined;
  let says = 'of';
  let holds = (risk: number, wanted: number) => risk === wanted;
  if (trailing) {
    [, says, holds] = trailing;
    for (const word of ['or', words[at + 2] ?? '']) understood.add(word);
  } else
    for (const [phrases, name, compares] of COMPARISONS) {
      const phrase = phrases.find((candidate) => {
        const place = placeOf(words, candidate);
        return place >= 0 && place + candidate.length === at;
      });
      if (!phrase) continue;
      [says, holds] = [name, compares];
      for (const word of phrase) understood.add(word);
      break;
    }
  const initial = words.some((word) => INITIAL.has(word)) || placeOf(words, ['before', 'controls']) >= 0;
  const residual = words.some((word) => RESIDUAL.has(word)) || placeOf(words, ['after', 'controls']) >= 0;
  for (const word of [...INITIAL, ...RESIDUAL]) understood.add(word);
  if (placeOf(words, ['before', 'controls']) >= 0) understood.add('before').add('controls');
  if (placeOf(words, ['after', 'controls']) >= 0) understood.add('after').add('controls');
  const phases: ('initial' | 'residual')[] =
    initial === residual ? ['initial', 'residual'] : initial ? ['initial'] : ['residual'];
  const wanted = Number(number);
  return {
    understood,
    conditions: phases.map((phase) => ({
      says: `${negated ? 'not ' : ''}a recorded ${phase} risk ${says} ${wanted}`,
      test: (hazard) => {
        const { risk } = hazard[phase];
        return risk !== null && holds(risk, wanted) !== negated;
      },
    })),
  };
}
const RISK_WORDS = new Set(['risk', 'risks', 'score', 'scores', 'scored', 'rating', 'rated']);
const INITIAL = new Set(['initial', 'inherent', 'unmitigated']);
const RESIDUAL = new Set(['residual', 'final', 'mitigated']);

/** A status or an owner of the log's own words, named in full. */
function readValue(result: AnalysisResult, words: readonly string[], negated: boolean): Reading | null {
  for (const field of ['status', 'owner'] as const) {
    const values = new Set(result.existingHazards.flatMap((hazard) => hazard[field]?.trim() || []));
    if (field === 'status') for (const usual of ['Open', 'Closed', 'Transferred']) values.add(usual);
    const named = [...values]
      .map((value) => ({ value, phrase: questionWords(value) }))
      .filter(({ phrase }) => phrase.length > 0 && placeOf(words, phrase) >= 0)
      .sort((a, b) => b.phrase.length - a.phrase.length);
    const [first, second] = named;
    if (
      !first ||
      (second &&
        second.value.toLowerCase() !== first.value.toLowerCase() &&
        second.phrase.length === first.phrase.length)
    )
      continue;
    const wanted = first.value.toLowerCase();
    const word = [...values].find((value) => value.toLowerCase() === wanted) ?? first.value;
    return {
      understood: new Set([...first.phrase, field, 'status', 'statuses', 'owned', 'owner', 'still', 'marked']),
      conditions: [
        {
          says: `the ${field} ${negated ? 'not ' : ''}“${word}”`,
          test: (hazard) => ((hazard[field]?.trim().toLowerCase() ?? '') === wanted) !== negated,
        },
      ],
    };
  }
  return null;
}

function readField(words: readonly string[], negated: boolean): Reading | null {
  const found = FIELDS.find(([names]) => names.some((name) => words.includes(name)));
  if (!found) return null;
  const [names, name, has] = found;
  return {
    understood: new Set([...names, ...(WITH_FIELD[names[0] ?? ''] ?? [])]),
    conditions: [{ says: `${negated ? 'not ' : ''}${name}`, test: (hazard) => has(hazard) !== negated }],
  };
}

const ASKS =
  /^(?:which|what|list|show|how many|are there|is there|do any|does any|any|count|find|give|tell|do we|have we)\b/i;
const hazardLine = ({ id, name }: ExistingHazard) => `${id}: ${name}`;

/**
 * Answers which hazards of the log meet a condition: a status, an owner, a risk, or something they have or lack. The
 * count comes first, with what was asked. What is understood in part is refused; null where no hazards are asked for.
 */
export function answerHazardQuery(result: AnalysisResult, text: string): { text: string; refused: boolean } | null {
  const words = questionWords(text);
  const aboutHazards = words.includes('hazards') || words.includes('hazard');
  const asksRisk = words.some((word) => RISK_WORDS.has(word));
  const namesPhase = words.some((word) => INITIAL.has(word) || RESIDUAL.has(word));
  if (!aboutHazards && !(asksRisk && (namesPhase || ASKS.test(text.trim())))) return null;
  const negations = words.filter((word) => NEGATIONS.has(word));
  const negated = negations.length > 0;
  const reading = readRisk(words, negated) ?? readValue(result, words, negated) ?? readField(words, negated);
  if (!reading) return null;
  const left = leftOver(words, new Set([...reading.understood, ...NEGATIONS]));
  if (left.length > 0 || negations.length > 1) return { text: notUnderstood(left), refused: true };
  const all = result.existingHazards;
  const answers = reading.conditions.map(({ says, test }) => {
    const found = all.filter(test);
    const figure = `${counted(found.length, 'hazard')} of ${all.length} ${found.length === 1 ? 'has' : 'have'} ${says.startsWith('not ') ? says.replace(/^not (?:an? )?/, 'no ') : says}`;
    return found.length === 0 ? `${figure}.` : `${figure}:\n${listed(found.map(hazardLine))}`;
  });
  return { text: answers.join('\n'), refused: false };
}
