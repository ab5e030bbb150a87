import { foreign } from './foreignHeadings.ts';
import { HEADER_SYNONYMS, type HeaderMeaning } from './headerSynonyms.ts';
import { isTotalOfParts, likelihoodPart, normaliseHeader, type Phase, splitPhase } from './headerWords.ts';

export type HeaderMatch = { meaning: HeaderMeaning; phase: Phase | null; score: number };

const EXACT = new Map<string, HeaderMeaning>();
for (const [meaning, synonyms] of Object.entries(HEADER_SYNONYMS) as [HeaderMeaning, string[]][])
  for (const synonym of synonyms) EXACT.set(synonym, meaning);
/** Some keep their hazards in a tracker: its words count where the log has none of its own. */
const TRACKER = new Map<string, HeaderMeaning>([
  ['issue key', 'id'],
  ['key', 'id'],
  ['summary', 'name'],
]);

/** Which letters and digits a text has, one bit each. */
function lettersOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) bits |= 1 << (text.charCodeAt(at) & 31);
  return bits;
}

function countBits(bits: number): number {
  let rest = bits;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count += 1;
  }
  return count;
}

type Synonym = { synonym: string; meaning: HeaderMeaning; letters: number };

/** Those that a heading may differ from a little, by their length: only those of about its own are compared with it. */
const LONG = new Map<number, Synonym[]>();
for (const [synonym, meaning] of EXACT) {
  if (synonym.length < 5) continue;
  const alike = LONG.get(synonym.length) ?? [];
  alike.push({ synonym, meaning, letters: lettersOf(synonym) });
  LONG.set(synonym.length, alike);
}
const MAX_EDITS = 2;

/** Edits between two words, swaps of neighbours counted once; gives up beyond the limit. */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let leastBefore = 0;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
      if (cost < least) least = cost;
    }
    // The swap of two neighbours looks back two rows, so both have to be out of reach.
    if (least > limit && leastBefore > limit) return limit + 1;
    leastBefore = least;
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? limit + 1;
}

function lookUp(text: string): { meaning: HeaderMeaning; score: number } | null {
  const exact = EXACT.get(text);
  if (exact) return { meaning: exact, score: 1 };
  const other = foreign(text);
  if (other) return other;
  const weak = TRACKER.get(text);
  if (weak) return { meaning: weak, score: 0.7 };
  if (text.length > LONGEST_HEADER) return null;
  const seen = looked.get(text);
  if (seen !== undefined) return seen;
  const question = QUESTIONS.find(([pattern]) => pattern.test(text));
  const found = question ? { meaning: question[1], score: 0.65 } : text.length < 5 ? null : lookUpNear(text);
  if (looked.size < 5000) looked.set(text, found);
  return found;
}

/** A longer text is a sentence, not a heading. */
const LONGEST_HEADER = 60;
const looked = new Map<string, { meaning: HeaderMeaning; score: number } | null>();

/** Words around what a heading is about: "potential effect(s) of failure", "identified causes". */
const AROUND_FRONT =
  /^(?:potential|possible|plausible|foreseeable|identified|associated|main|key|primary|likely|known|planned|proposed|description of|details of|summary of|list of|the|a|any|all|patient|clinical) /;
const AROUND_BACK =
  / (?:s|es|of failure|of hazard|of the hazard|of the risk|of risk|of mitigation|of mitigations|of controls?|to patient|to patients|to the patient|for patient|for patients|on patient|on patients|if known|details|description|summary|please describe)$/;

/** A heading without the words around it, one at a time; each that is known counts less than a heading of its own. */
function lookUpCore(text: string): { meaning: HeaderMeaning; score: number } | null {
  let core = text;
  for (let turn = 0; turn < 4; turn += 1) {
    const shorter = core.replace(/ s(?= )/g, '').replace(AROUND_BACK, '');
    core = shorter === core ? core.replace(AROUND_FRONT, '') : shorter;
    // A single letter is left where all was around it.
    const meaning = core.length < 3 ? undefined : (EXACT.get(core) ?? EXACT.get(core.replace(/(?<=[a-z]{3})s$/, '')));
    if (meaning && core !== text) return { meaning, score: 0.65 };
  }
  return null;
}

/** Headings that are parts of a sentence, or ask: "Caused by", "What are we doing about it?", "How likely is it?". */
const QUESTIONS: readonly [RegExp, HeaderMeaning][] = [
  [/^(?:caused by|brought about by|arising from|due to|because(?: of)?|how)$/, 'cause'],
  [/^how (?:it|this|that) (?:could|can|might|would|may)\b/, 'cause'],
  [
    /^(?:what (?:could |can |might |would |may )?happens? to|so what for|what (?:does )?it means? for) (?:the |our )?(?:patients?|persons?|people|users?|residents?)$/,
    'clinical_impact',
  ],
  [/^who (?:could|can|might|may) be (?:hurt|harmed)\b/, 'clinical_impact'],
  [/^what (?:protects|prevents|stops|helps|guards)\b/, 'existing_controls'],
  [/^(?:resulting in|leading to|results in|leads to)$/, 'clinical_impact'],
  [/^what we (?:do|did|have done|are doing)\b/, 'control_text'],
  [
    /^(?:what|which) (?:do|did|are|have|will|can|could|should) (?:we|you|they)\b.*\b(?:do|doing|done|place|about)\b/,
    'control_text',
  ],
  [
    /^how (?:do|did|are|will|can|could) (?:we|you|they)\b.*\b(?:control|prevent|mitigate|reduce|manage|stop)/,
    'control_text',
  ],
  [/^(?:why|how) (?:could|can|might|would|does|did) (?:it|this|that)\b.*\b(?:happen|occur|arise)/, 'cause'],
  [/^what (?:could|can|might|would) (?:cause|trigger|lead to)\b/, 'cause'],
  [/^what (?:could|can|might|would|does|may) (?:happen|go wrong)\b(?!.*\bpatient)/, 'name'],
  [/^hazards? (?:and |or )?(?:foreseeable )?(?:sequences? of events|chains? of events)$/, 'name'],
  [/^what (?:could|can|might|would) (?:happen|it mean|be the (?:harm|effect|impact))\b/, 'clinical_impact'],
  [/^how (?:bad|severe|serious|harmful)\b/, 'severity'],
  [/^how (?:likely|often|probable|frequent)\b/, 'likelihood'],
];

/** A heading of one word may have another behind it, where that does not change what it is about. */
const EXTENDED = new Set<HeaderMeaning>([
  'id',
  'name',
  'description',
  'cause',
  'clinical_impact',
  'existing_controls',
  'control_text',
  'severity',
  'likelihood',
  'risk',
  'status',
  'notes',
  'rationale',
  'owner',
]);

function lookUpNear(text: string): { meaning: HeaderMeaning; score: number } | null {
  let best: { meaning: HeaderMeaning; score: number } | null = null;
  const letters = lettersOf(text);
  for (let length = text.length + MAX_EDITS; length >= text.length - MAX_EDITS; length -= 1) {
    const limit = length >= 9 ? MAX_EDITS : 1;
    for (const { synonym, meaning, letters: own } of LONG.get(length) ?? []) {
      // An edit changes at most two of these bits; comparing them costs next to nothing.
      if (countBits(letters ^ own) > 2 * limit) continue;
      const distance = editDistance(text, synonym, limit);
      if (distance > limit) continue;
      const score = 0.9 - distance * 0.1;
      if (!best || score > best.score) best = { meaning, score };
    }
  }
  if (best) return best;
  // "Hazard name+C:D" and "Likelihood (1-5)": a known header with something behind it, the longest first.
  for (let end = text.lastIndexOf(' '); end >= 5; end = text.lastIndexOf(' ', end - 1)) {
    const synonym = text.slice(0, end);
    const meaning = EXACT.get(synonym);
    if (!meaning || text.length > synonym.length + 40) continue;
    const isScale = /^[\d ]+$/.test(text.slice(end));
    if (synonym.includes(' ') || isScale || (EXTENDED.has(meaning) && text.split(' ').length <= 3))
      return { meaning, score: 0.6 };
  }
  return lookUpCore(text);
}

/** Ids of controls that stand elsewhere, as in "Risk Control ID(s)": normalised, "(s)" is a word. */
const CONTROL_IDS = /^(?:risk )?(?:controls?|control measures?|measures?|mitigations?) (?:ids?|refs?)(?: s)?$/;

/** "Cause 2", "Control 1": one of several columns, not one before or after controls. */
const NUMBERED = /^((?:\p{L}+ )?(?:causes?|controls?|mitigations?|measures?|safeguards?)) ?(?:\d{1,2}|i{1,3}|iv)$/u;

/** "Risk (S x L)", "RPN (SxOxD)": how the number comes about says nothing of another column. */
const PRODUCT =
  /(?<=\b(?:risk|rpn|score|rating|level)) (?:s|sev|severity|c|consequence)(?: x |x| )(?:l|lik|likelihood|p|prob|probability|o|occ)(?:(?: x |x| )(?:d|det|detection))?$/;

/** The effect of a control on a rating is not itself a rating. */
const REDUCES = /\b(?:severity|probability|likelihood|risk) reduc(?:tion|ed)\b/;

/** "Additional controls required" are not controls yet. */
function planned(text: string, found: ReturnType<typeof lookUp>): ReturnType<typeof lookUp> {
  const isControl = found?.meaning === 'control_text' || found?.meaning === 'existing_controls';
  return found && isControl && found.score < 1 && PLANNED.test(text) ? { meaning: 'action', score: 0.6 } : found;
}
const PLANNED = /\b(?:required|needed|planned|proposed|recommended|suggested|future|to do|outstanding)\b/;

/** "Controls / evidence": the controls, with what shows each. */
function isControlWithEvidence(header: string): boolean {
  const [first = '', second = '', ...more] = header.split('/');
  const meaning = more.length === 0 && second ? lookUp(normaliseHeader(first))?.meaning : undefined;
  return (
    (meaning === 'control_text' || meaning === 'existing_controls') &&
    lookUp(normaliseHeader(second))?.meaning === 'evidence'
  );
}

/** "Risico / gevaar", "Hazard / scenario": a name where one of the words is one, else what both stand for. */
function eitherOf(header: string, group: Phase | null): HeaderMatch | null {
  if (!header.includes('/')) return null;
  const meanings = new Set(header.split('/').map((part) => lookUp(normaliseHeader(part))?.meaning));
  if (meanings.has(undefined)) return null;
  const [only] = meanings;
  const meaning = meanings.has('name') ? 'name' : meanings.size === 1 ? only : undefined;
  return meaning ? { meaning, phase: group, score: 0.65 } : null;
}

/** "原因 (Cause)": words in another script, with their translation behind them. */
const IN_TWO_SCRIPTS = /^[^\p{Script=Latin}()]{1,60}[（(]([\p{Script=Latin} /-]{2,60})[)）]\s*$/u;
const EXPLAINED = /\s+\([^()]{4,80}\)\s*$/;
const RATINGS = new Set<HeaderMeaning>(['severity', 'likelihood', 'risk']);

/** Words that people cut short in a heading, and a hyphen where a line was too short for one. */
const SPELLED_OUT: readonly [RegExp, string][] = [
  [/\blikel\b\.?/gi, 'likelihood'],
  [/\bposs\b\.?/gi, 'possible'],
  [/\bhaz\b\.?/gi, 'hazard'],
  [/\bpts\b\.?/gi, 'patients'],
  [/\bpt\b\.?/gi, 'patient'],
  [/\bconseq\b\.?/gi, 'consequence'],
  [/\bmitig\b\.?/gi, 'mitigation'],
  [/(?<=\p{Ll}{3})-\s?(?=\p{Ll}{3})/gu, ''],
];

/** What a control acts on, behind its name: each such column is one of controls. */
const CONTROL_OF =
  /^controls? (?:people|persons?|staff|users?|process(?:es)?|procedur(?:es?|al)|systems?|technical|technology|it|software|clinical|operational|organi[sz]ation(?:al)?|deployment|manufacturer|supplier|physical|environment(?:al)?)$/;

/** The meaning of a header; null for an unknown one. A heading that is cut short counts less than a whole one. */
export function matchHeader(header: string, group: Phase | null): HeaderMatch | null {
  const match = matchWhole(header, group);
  if (match || header.length > 120) return match;
  const spelled = SPELLED_OUT.reduce((text, [short, word]) => text.replace(short, word), header);
  const meant = spelled === header ? null : matchWhole(spelled, group);
  return meant && { ...meant, score: Math.min(meant.score, 0.8) };
}

function matchWhole(header: string, group: Phase | null): HeaderMatch | null {
  if (header.length > 120) return null;
  const text = normaliseHeader(header).replace(PRODUCT, '');
  if (!text || REDUCES.test(text) || likelihoodPart(header)) return null;
  const numbered = NUMBERED.exec(text)?.[1];
  const many = numbered === undefined ? undefined : EXACT.get(numbered);
  if (many) return { meaning: many, phase: group, score: 1 };
  if (CONTROL_OF.test(text)) return { meaning: 'control_text', phase: group, score: 0.8 };
  if (isControlWithEvidence(header)) return { meaning: 'control_text', phase: group, score: 0.8 };
  if (CONTROL_IDS.test(text)) return { meaning: 'control_id', phase: group, score: 1 };
  // A column of the total's own name goes before the calculation (findTable).
  if (isTotalOfParts(header)) return { meaning: 'likelihood', phase: group ?? splitPhase(text).phase, score: 0.5 };
  const whole = planned(text, lookUp(text));
  if (whole?.score === 1) return { ...whole, phase: group };
  if (text === 'residual') return { meaning: 'risk', phase: 'residual', score: 0.7 };
  const { phase, rest } = splitPhase(text);
  const parted = phase ? lookUp(rest) : null;
  if (parted) return { ...parted, phase };
  // "Res. class" is nearly "risk class", and says after controls.
  if (whole) return { ...whole, phase: group ?? (RATINGS.has(whole.meaning) ? phase : null) };
  const either = eitherOf(header, group);
  const translated = IN_TWO_SCRIPTS.exec(header)?.[1];
  if (translated && !either) return matchWhole(translated, group);
  if (either || !EXPLAINED.test(header)) return either;
  // "Description (If … then …)": what is in brackets explains the heading.
  const match = matchWhole(header.replace(EXPLAINED, ''), group);
  return match && { ...match, score: Math.min(match.score, 0.65) };
}
