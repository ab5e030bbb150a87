import { type Actor, readActor, tellsAction, withoutLead } from './actors.ts';
import { readSentences, type Sentence, titleOf } from './sentences.ts';

/** A step, in the words of the description. */
export type Step = {
  /** From 1. */
  number: number;
  words: string;
  actor: Actor;
  /** The times that its words name, as they stand. */
  times: string[];
  line: number;
};

/** Something that is written down or kept, with the step that says so; null where it is said apart from the steps. */
type RecordKept = { words: string; step: number | null; where: string | null; howLong: string | null };

/** What the description says to do when something does not go as planned. */
type ExceptionSaid = { words: string; step: number | null };

/** A process as its description says it, every sentence in one place. */
export type Process = {
  title: string | null;
  purpose: string[];
  scope: string[];
  steps: Step[];
  /** Sentences about roles that are no steps. */
  roles: string[];
  records: RecordKept[];
  exceptions: ExceptionSaid[];
  /** What the description also says. */
  other: string[];
};

type Place = 'purpose' | 'scope' | 'roles' | 'records' | 'exceptions' | 'steps' | 'other';

/** The headings of each part. */
const SECTIONS: readonly [Place, RegExp][] = [
  ['purpose', /\b(?:purpose|aim|goal|objective|why)\b/],
  ['scope', /\bscope\b|\bapplies to\b/],
  ['roles', /\broles?\b|\bresponsib/],
  ['records', /\brecords?\b|\bdocumentation\b/],
  ['exceptions', /\bexceptions?\b|\bdeviations?\b|\bwhat if\b|\bproblems?\b|\bwhen things go wrong\b/],
  ['other', /\b(?:definitions?|glossary|references?|background|introduction|abbreviations?)\b/],
  ['steps', /\b(?:steps?|procedure|process|workflow|instructions?|what to do|how)\b/],
];

const PURPOSE =
  /^(?:the |our )?(?:purpose|aim|goal|objective)\b|^this (?:process|procedure|sop|document|text) (?:describes|says|explains|makes sure|ensures|sets out|is (?:for|about|to))\b|^(?:we (?:do|need) this|this is done) (?:so that|to|because)\b/i;
const SCOPE =
  /\b(?:applies|apply) (?:only )?(?:to|for)\b|^(?:this |the )?(?:\w+ )?(?:covers|does not cover|is (?:only )?for|holds for)\b|\b(?:in|out of) scope\b/i;
const EXCEPTION =
  /^(?:if|unless|in case|should|where)\b|^when\b[^,]*\b(?:fails?|not|no|missing|unavailable|down|late|broken|wrong|full|above|below|out of|cannot|can['’]t|alarm)\b|\b(?:except|otherwise|unless)\b/i;
const RECORD =
  /\b(?:records?|recorded|recording|logs?|logged|documents? (?:it|this|the)|documented|registers?|registered|files? (?:it|the)|filed|archives?|archived|signs?|signed|stores? (?:it|the)|kept|keeps? (?:it|the|a)|notes|noted|writes? (?:it |the [\p{L}]+ )?down|enters?|entered)\b/iu;
const RECORD_WHERE =
  /\b(?:in|on|into|with) (?:the|a|an|our|its) ((?:[\p{L}\d'’-]+ ){0,3}(?:log|logbook|register|book|form|file|folder|system|database|sheet|spreadsheet|record|list|chart|archive|tool|app|tracker|ticket))\b/iu;
const HOW_LONG =
  /\bfor (?:at least )?(?:\d+|one|two|three|four|five|six|seven|eight|ten) (?:days?|weeks?|months?|years?)\b/i;
/** A sentence that only says how long something is kept is no step. */
const KEPT = /\b(?:is|are|be) (?:kept|stored|archived|retained)\b/i;
const TIME =
  /\b(?:within|no later than|not later than|at least|at most|every|each|once an?|twice an?|before|by|at|after|until|for|on) (?:(?:the|an?|each|every|next|end of|of|about|least) ){0,3}(?:\d{1,2}[:.]\d{2}(?: ?[ap]m)?|\d+(?:\.\d+)? ?(?:seconds?|minutes?|mins?|hours?|hrs?|working days?|days?|weeks?|months?|years?|[ap]m)\b|(?:(?:one|two|three|four|five|ten) )?(?:minutes?|hours?|days?|weeks?|months?|quarters?|years?|shifts?|morning|evening|noon|midnight)\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)/giu;

const DAILY = /\b(?:daily|weekly|monthly|quarterly|yearly|annually|hourly|immediately|at once|straight away)\b/gi;

const timesIn = (words: string): string[] =>
  [...(words.match(TIME) ?? []), ...(words.match(DAILY) ?? [])].map((it) => it.trim());

const placeOfSection = (section: string): Place | null =>
  SECTIONS.find(([, named]) => named.test(section))?.[0] ?? null;

/** Where a sentence belongs. What is under a heading of steps, or an item of a list that tells of an action, is a step. */
function placeOf({ text, section, isItem }: Sentence, isListed: boolean): Place {
  const named = placeOfSection(section);
  if (KEPT.test(text) && HOW_LONG.test(text) && (named === null || named === 'steps')) return 'records';
  if (named === 'steps') return isItem || tellsAction(text) ? 'steps' : 'other';
  if (named) return named;
  if (PURPOSE.test(text)) return 'purpose';
  if (SCOPE.test(text) && !isItem) return 'scope';
  return isListed || tellsAction(text) ? 'steps' : 'other';
}

/** Items of lists of which at least half tell of an action: then the others do too, in words that no rule knows. */
function stepLists(sentences: readonly Sentence[]): Set<number> {
  const listed = new Set<number>();
  let run: number[] = [];
  const close = (): void => {
    const actions = run.filter((at) => tellsAction(sentences[at]?.text ?? '')).length;
    if (run.length > 0 && actions * 2 >= run.length) for (const at of run) listed.add(at);
    run = [];
  };
  for (const [at, { isItem }] of sentences.entries()) {
    if (isItem) run.push(at);
    else close();
  }
  close();
  return listed;
}

function recordOf(words: string, step: number | null): RecordKept {
  return {
    words,
    step,
    where: RECORD_WHERE.exec(words)?.[1] ?? null,
    howLong: HOW_LONG.exec(words)?.[0] ?? null,
  };
}

const isException = (text: string): boolean => EXCEPTION.test(text) || EXCEPTION.test(withoutLead(text));

/** Reads a process from its description, by rules and word for word. */
export function readProcess(description: string): Process {
  const sentences = readSentences(description);
  const listed = stepLists(sentences);
  const placed = sentences.map((sentence, at) => ({ sentence, place: placeOf(sentence, listed.has(at)) }));
  const of = (place: Place): string[] => placed.filter((it) => it.place === place).map(({ sentence }) => sentence.text);
  const steps = placed
    .filter(({ place }) => place === 'steps')
    .map(
      ({ sentence: { text, line } }, at): Step => ({
        number: at + 1,
        words: text,
        actor: readActor(text),
        times: timesIn(text),
        line,
      }),
    );
  return {
    title: titleOf(description),
    purpose: of('purpose'),
    scope: of('scope'),
    steps,
    roles: of('roles'),
    records: [
      ...steps.filter(({ words }) => RECORD.test(words)).map(({ words, number }) => recordOf(words, number)),
      ...of('records').map((words) => recordOf(words, null)),
    ],
    exceptions: [
      ...steps.filter(({ words }) => isException(words)).map(({ words, number }) => ({ words, step: number })),
      ...of('exceptions').map((words) => ({ words, step: null })),
    ],
    other: of('other'),
  };
}

/** The roles of the steps, each with the numbers of its steps, in order of appearance. */
export function rolesOf({ steps }: Pick<Process, 'steps'>): { role: string; steps: number[] }[] {
  const roles = new Map<string, { role: string; steps: number[] }>();
  for (const { actor, number } of steps) {
    if (!('role' in actor)) continue;
    const key = actor.role.toLowerCase();
    const one = roles.get(key) ?? { role: actor.role.charAt(0).toUpperCase() + actor.role.slice(1), steps: [] };
    one.steps.push(number);
    roles.set(key, one);
  }
  return [...roles.values()];
}
