import type {
  AnalysisResult,
  CanonicalColumn,
  ExistingHazard,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import { counted } from '../counted.ts';
import { namesNobody } from '../reading/readHazards.ts';
import { listed } from './hazardAnswers.ts';
import { notInTheLog, plainLine } from './questionWords.ts';

type Test = (hazard: ExistingHazard) => boolean;
/** `unknown`: hazards without a value in the log. They are not in the figure, and their number is stated. */
type Figure = { says: string; found: ExistingHazard[]; unknown?: { count: number; says: string } };
type Reading = { figures: Figure[]; note?: string } | { refused: string };

const CONTROL_COLUMNS: CanonicalColumn[] = [
  'existing_controls',
  'control_text',
  'control_design',
  'control_test',
  'control_training',
  'control_business',
  'action',
];

type Field = {
  /** The full phrases that name the field in a question. */
  names: string[];
  has: Test;
  says: [with_: string, without: string];
  /** The columns of the field: without any of them the log has no answer. Null where any cell may hold the field. */
  columns: CanonicalColumn[] | null;
};

const FIELDS: Field[] = [
  {
    names: [
      'evidence',
      'evidence for controls',
      'evidence for control',
      'evidence for any control',
      'evidence for any controls',
      'evidence for their controls',
      'evidence for its controls',
    ],
    has: ({ controls }) => controls.some(({ evidence }) => evidence),
    says: ['evidence for at least one control', 'no evidence for any control'],
    columns: ['evidence'],
  },
  {
    names: ['owner', 'owners'],
    has: ({ owner }) => Boolean(owner) && !namesNobody(owner ?? ''),
    says: ['an owner', 'no owner'],
    columns: ['owner'],
  },
  {
    names: ['cause', 'causes'],
    has: ({ causes }) => causes.length > 0,
    says: ['a cause', 'no cause'],
    columns: ['cause'],
  },
  {
    names: ['impact', 'clinical impact', 'potential clinical impact'],
    has: ({ clinicalImpact }) => clinicalImpact !== '',
    says: ['a clinical impact', 'no clinical impact'],
    columns: ['clinical_impact'],
  },
  {
    names: ['ticket', 'tickets', 'ticket named', 'tickets named'],
    has: ({ ticketKeys }) => ticketKeys.length > 0,
    says: ['a ticket named in the row', 'no ticket named in the row'],
    columns: null,
  },
  {
    names: ['control', 'controls', 'mitigation', 'mitigations', 'recorded controls'],
    has: ({ controls }) => controls.length > 0,
    says: ['a control', 'no control'],
    columns: CONTROL_COLUMNS,
  },
  { names: ['status'], has: ({ status }) => Boolean(status), says: ['a status', 'no status'], columns: ['status'] },
];

const HEAD =
  /^(?:(?:which|what|how many|(?:list|show|find|count|give|tell)(?: me)?(?: which| what| how many)?|are there|is there|do we have|have we|do|does|are|is)(?= |$))? ?(?:of )?(?:any |all )?/;
const THERE_ARE = /^(?:are there|there are|do we have|have we|we have|exist)(?: |$)/;
const RELATION =
  /^(?:(?:that|which|are|is|have|has|having|with|been|do|does|still) )*(?:(not|no|without|lack|lacks|lacking|missing|blank|empty|aren't|isn't|don't|doesn't|haven't|hasn't) )?(?:(?:have|any|been|still|be) )*/;
/** Words that negate a value or a risk; the other words of RELATION say that a field is blank. */
const NEGATES_VALUE = new Set(['not', "aren't", "isn't", "don't", "doesn't", "haven't", "hasn't"]);
const IS_BLANK = / (?:(?:is|are) )?(?:missing|blank|empty)$/;

type Comparison = [words: string[], says: string, holds: (risk: number, wanted: number) => boolean];
const EQUAL: Comparison = [['=', 'exactly'], 'of', (risk, wanted) => risk === wanted];
const AT_LEAST: Comparison = [['at least', '>=', '≥'], 'at least', (risk, wanted) => risk >= wanted];
const AT_MOST: Comparison = [['at most', '<=', '≤', 'up to'], 'at most', (risk, wanted) => risk <= wanted];
const COMPARISONS: Comparison[] = [
  EQUAL,
  AT_LEAST,
  AT_MOST,
  [
    ['above', 'over', 'more than', 'greater than', 'higher than', 'exceeding', '>'],
    'above',
    (risk, wanted) => risk > wanted,
  ],
  [['below', 'under', 'less than', 'lower than', '<'], 'below', (risk, wanted) => risk < wanted],
];
const AND_UP = new Set(['above', 'more', 'higher', 'over', 'greater', 'up']);
const RISK =
  /^(?:recorded )?(?:(initial|inherent|unmitigated|residual|final|mitigated) )?risks?(?: (?:score|rating|level))?(?: (?:of|is|equal to))*(?: (at least|>=|≥|at most|<=|≤|up to|exactly|above|over|more than|greater than|higher than|exceeding|>|below|under|less than|lower than|<|=))? (\d{1,2})(?: or (above|more|higher|over|greater|up|below|less|lower|under|fewer))?(?: (before|after) controls)?$/;

/** "residual risk above 2", "initial risk of 4", "risk of 3 or more", "not a risk of 2". */
function readRisk({ existingHazards: all }: AnalysisResult, rest: string, negated: boolean): Reading | null {
  const match = RISK.exec(rest);
  if (!match) return null;
  const [, phase, before, number, behind, side] = match;
  if (before && behind) return null;
  const [, says, holds] = behind
    ? AND_UP.has(behind)
      ? AT_LEAST
      : AT_MOST
    : (COMPARISONS.find(([words]) => words.includes(before ?? '=')) ?? EQUAL);
  const named = phase ? (/^(?:initial|inherent|unmitigated)$/.test(phase) ? 'initial' : 'residual') : null;
  const placed = side ? (side === 'before' ? 'initial' : 'residual') : null;
  if (named && placed && named !== placed) return null;
  const only = named ?? placed;
  const phases: ('initial' | 'residual')[] = only ? [only] : ['initial', 'residual'];
  const wanted = Number(number);
  const figures = phases.map((each): Figure => {
    const rated = all.filter((hazard) => hazard[each].risk !== null);
    return {
      says: `${negated ? 'no' : 'a'} recorded ${each} risk ${says} ${wanted}`,
      found: rated.filter((hazard) => holds(hazard[each].risk ?? 0, wanted) !== negated),
      unknown: { count: all.length - rated.length, says: `no recorded ${each} risk` },
    };
  });
  const silent = figures.find(({ unknown }) => unknown?.count === all.length);
  return silent
    ? { refused: `none of its hazards has a recorded ${only ?? 'initial or residual'} risk.` }
    : { figures };
}

const VALUE_PREFIXES = {
  status: ['', 'status ', 'status of ', 'status is ', 'in status ', 'marked ', 'marked as ', 'in '],
  owner: ['owned by ', 'owner ', 'owner of ', 'owner is ', 'assigned to ', 'belong to ', 'belonging to '],
};
const USUAL_STATUSES = ['Open', 'Closed', 'Transferred'];
/** Statuses such as "Not closed" and "Re-opened", which contain a usual status but don't mean it. */
const NEGATED_STATUS = /\b(?:not|non|un|re)\W?\s*(?:open|clos)/i;
const STEM = /open|clos/i;

const holdsWords = (line: string, words: string) => ` ${line} `.includes(` ${words} `);

/** A condition on a status or owner, named by the log's exact value. */
function readValue({ existingHazards: all }: AnalysisResult, rest: string, negated: boolean): Reading | null {
  for (const field of ['status', 'owner'] as const) {
    const uses = new Map<string, { shown: string; line: string; count: number }>();
    for (const hazard of all) {
      const shown = hazard[field]?.trim();
      if (!shown) continue;
      const use = uses.get(shown.toLowerCase()) ?? { shown, line: plainLine(shown), count: 0 };
      use.count += 1;
      uses.set(shown.toLowerCase(), use);
    }
    const own = [...uses.values()];
    const usual =
      field === 'status' ? USUAL_STATUSES.map((shown) => ({ shown, line: plainLine(shown), count: 0 })) : [];
    const asked = (line: string) =>
      line !== '' && VALUE_PREFIXES[field].some((prefix) => rest === prefix + line || rest === `${line} ${field}`);
    const named = own.filter(({ line }) => asked(line));
    const wanted = named[0] ?? usual.find(({ line }) => asked(line));
    if (!wanted) continue;
    if (own.length === 0) return { refused: `none of its hazards has a ${field}.` };
    const words = own.map(({ shown, count }) => `“${shown}” (${count})`);
    const valuesText = `its values for ${field} are ${words.slice(0, 8).join(', ')}${words.length > 8 ? ' …' : ''}.`;
    const stem = STEM.exec(wanted.line)?.[0] ?? null;
    const isUnclear = ({ shown, line }: (typeof own)[number]) =>
      holdsWords(line, wanted.line) || (stem !== null && (line.includes(stem) || NEGATED_STATUS.test(shown)));
    const ambiguous = own.filter((use) => use !== wanted && isUnclear(use));
    // "Closed" beside "Closed – accepted", or a status that the log does not use: the person has to say which they
    // mean.
    if (ambiguous.length > 0 || (negated && named.length === 0))
      return { refused: `${valuesText} Ask with one of these exactly.` };
    const value = ({ [field]: given }: ExistingHazard) => given?.trim().toLowerCase() ?? '';
    const known = all.filter((hazard) => value(hazard) !== '');
    return {
      figures: [
        {
          says: negated
            ? `${field === 'owner' ? 'an owner' : 'a status'} other than “${wanted.shown}”`
            : `the ${field} “${wanted.shown}”`,
          found: known.filter((hazard) => (value(hazard) === wanted.shown.toLowerCase()) !== negated),
          unknown: { count: all.length - known.length, says: `no ${field}` },
        },
      ],
      ...(named.length === 0 ? { note: `No row has exactly this value: ${valuesText}` } : {}),
    };
  }
  return null;
}

function readField({ existingHazards: all, analysisMetadata }: AnalysisResult, rest: string, negated: boolean) {
  const bare = rest.replace(IS_BLANK, '');
  if (bare !== rest && negated) return null;
  const lacks = negated || bare !== rest;
  const field = FIELDS.find(({ names }) => names.includes(bare));
  if (!field) return null;
  const { has, says, columns } = field;
  const found = all.filter((hazard) => has(hazard) !== lacks);
  const there = analysisMetadata.log.columns.some(({ canonical }) => columns?.includes(canonical));
  if (columns && !there && !all.some(has))
    return { refused: `I found no column for ${bare} in “${analysisMetadata.log.sheet}”.` };
  const noOwners = field.names.includes('owner')
    ? all.flatMap(({ owner }) => (owner && !has({ owner } as ExistingHazard) ? [owner.trim()] : []))
    : [];
  return {
    figures: [{ says: says[lacks ? 1 : 0], found }],
    ...(noOwners.length > 0 ? { note: `I read ${quoted(noOwners)} as no owner.` } : {}),
  };
}

/** Values of the log with their counts, at most eight. */
function quoted(words: string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const shown = [...counts].map(([word, count]) => `“${word}” (${count})`);
  return `${shown.slice(0, 8).join(', ')}${shown.length > 8 ? ' …' : ''}`;
}

const hazardLine = ({ id, name }: ExistingHazard) => `${id}: ${name}`;

/** Parses the whole question; null if any word is not understood. */
function parseQuestion(result: AnalysisResult, line: string): Reading | null {
  const after = line.replace(HEAD, '');
  const [noun] = /(?:^| )hazards?(?= |$)/.exec(after) ?? [];
  if (noun === undefined) {
    // "residual risk above 2?" is short for the hazards that have it. Without the phase it could mean something else.
    const phased = /^(?:initial|inherent|unmitigated|residual|final|mitigated) risk/.test(line);
    return phased ? readRisk(result, line, false) : null;
  }
  const at = after.indexOf(noun);
  const ahead = after.slice(0, at);
  const behind = after
    .slice(at + noun.length)
    .trimStart()
    .replace(THERE_ARE, '');
  if (ahead) return behind === '' ? readValue(result, ahead.replace(/^still /, ''), false) : null;
  const relation = RELATION.exec(behind);
  const negation = relation?.[1];
  const rest = behind.slice(relation?.[0].length ?? 0);
  if (negation === undefined || NEGATES_VALUE.has(negation)) {
    const value = readValue(result, rest, negation !== undefined);
    if (value) return value;
  }
  if (negation === undefined || negation === 'no' || negation === 'without' || NEGATES_VALUE.has(negation)) {
    const risk = readRisk(result, rest, negation !== undefined);
    if (risk) return risk;
  }
  return readField(result, rest, negation !== undefined);
}

/**
 * Answers which hazards of the log meet one condition: a status, an owner, a risk, or a field that they have or lack.
 * The count and the condition come first, the number of hazards without a value last. Null where the question is not
 * fully understood.
 */
export function answerHazardQuery(result: AnalysisResult, text: string): { text: string; refused: boolean } | null {
  const reading = parseQuestion(result, plainLine(text));
  if (!reading) return null;
  if ('refused' in reading) return { text: notInTheLog(reading.refused), refused: true };
  const all = result.existingHazards.length;
  const lines = reading.figures.map(({ says, found, unknown }) => {
    const figure = `${counted(found.length, 'hazard')} of ${all} ${found.length === 1 ? 'has' : 'have'} ${says}`;
    const silent = unknown?.count
      ? `\n${counted(unknown.count, 'more hazard')} ${unknown.count === 1 ? 'has' : 'have'} ${unknown.says}, and ${unknown.count === 1 ? 'is' : 'are'} not counted here.`
      : '';
    return found.length === 0 ? `${figure}.${silent}` : `${figure}:\n${listed(found.map(hazardLine))}${silent}`;
  });
  const note = 'note' in reading && reading.note ? [reading.note] : [];
  return { text: [...lines, ...note].join('\n'), refused: false };
}
