import type { App, Field, Kind } from '../apps/app.ts';
import { evenSpaces, readFields, readRules, sentenceCase, splitList } from './readFields.ts';
import { readFormula } from './readFormula.ts';
import { USUAL_COLUMNS, usualFields } from './usualFields.ts';

/** The words of each kind. The kind whose words come first in the objective counts. */
const KIND_WORDS: Record<Kind, RegExp> = {
  kanban: /\b(?:kanban(?: board)?|(?:task|work|job) board|board with columns)\b/i,
  wizard: /\b(?:wizard|step[- ]by[- ]step(?: \w+)?|questionnaire|onboarding flow)\b/i,
  landing: /\b(?:landing page|home ?page|web ?site|website|one[- ]pager)\b/i,
  dashboard: /\b(?:dashboard|chart|graph)\b/i,
  calendar: /\b(?:(?:monthly |month )?calendar|booking plan|date planner)\b/i,
  calculator: /\b(?:calculator|calculate|works? out|converter)\b/i,
  form: /\b(?:(?:check ?list )?form|survey|sign-?up page)\b/i,
  list: /\b(?:list|table|register|inventory|directory|catalogue|log)\b/i,
};

const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|devon|@devon|can you|could you|would you|will you|i need you to|let us|let’s)[,:\s]+)*/i;
const VERB =
  /^(?:(?:please )?(?:build|make|create|write|develop|code|program|prepare|set up|give me|show me|i need|we need|i want|i would like)\s+)?(?:me |us )?(?:an?|the|some|our)?\s*/i;

/** More words than that describe no small app. */
const MAX_OBJECTIVE = 4_000;

/** The objective without polite words. */
const plainOf = (objective: string): string => evenSpaces(objective.slice(0, MAX_OBJECTIVE)).trim().replace(POLITE, '');

/** The kind that an objective names; null where it names none. */
export function readKind(objective: string): Kind | null {
  const plain = plainOf(objective);
  const found = (Object.keys(KIND_WORDS) as Kind[])
    .map((kind) => ({ kind, at: plain.search(KIND_WORDS[kind]) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at);
  return found[0]?.kind ?? null;
}

const NAMED = /\b(?:called|named|titled)\s+[“"']?([^”"'\n]{1,60}?)[”"']?(?=\s+with\b|[.,;:]|$)/i;
const SUBJECT =
  /\b(?:for|of|to)\s+(?:an?\s+|the\s+|our\s+(?=\S+\s+with\b))?(\S[^\n]*?)(?=\s+with\b|\s+where\b|\s+in which\b|[.,;:\n]|$)/i;
const MAX_TITLE = 60;

function titleOf(plain: string, kind: Kind | null): string {
  const named = NAMED.exec(plain)?.[1];
  if (named) return named.trim();
  const at = kind === null ? -1 : plain.search(KIND_WORDS[kind]);
  const after = at === -1 ? plain : plain.slice(at);
  const subject = SUBJECT.exec(after)?.[1] ?? SUBJECT.exec(plain)?.[1];
  const words = (subject ?? plain.replace(VERB, '').split(/\s+with\b|[.,;:\n]/, 1)[0] ?? '').trim();
  const title = [...words].slice(0, MAX_TITLE).join('').trim();
  return /[\p{L}\d]/u.test(title) ? sentenceCase(title) : '';
}

/** What stands behind “with”, “fields:” or “points:”, up to the end of the sentence. */
function partsOf(plain: string): string {
  const [, listed] = /\b(?:fields?|columns?|points?|questions?)\s*:\s*([^\n]+?)(?=\.\s|\.?$|\n)/i.exec(plain) ?? [];
  if (listed) return listed;
  const [, named] =
    /\bwith\s+(?:the\s+)?(?:fields?|columns?|points?|benefits?|questions?)?\s*:?\s*([^\n]+?)(?=\.\s|\.?$|\n)/i.exec(
      plain,
    ) ?? [];
  return named ?? '';
}

const CLINICAL =
  /\b(?:patients?|dos(?:e|es|age|ing)|medic(?:al|ation|ines?)|drugs?|clinical|diagnos\w+|blood pressure|news2|triage|symptoms?|infusion)\b/i;

const FORMULA = /(?:calculator|calculate|works? out|converter)\b[^:\n]*:\s*([^\n]+)/i;
const CALL = /\bcall to action\s*:\s*[“"]?([^”".\n]{1,60})/i;
const MAX_POINTS = 8;
const MAX_COLUMNS = 6;

/** The fields of an app of a kind, and whether they are the usual ones. */
function fieldsOf(kind: Kind, parts: string): { fields: Field[]; isAssumed: boolean } {
  const isNamed = kind !== 'kanban' && kind !== 'landing' && parts !== '';
  const fields = isNamed ? readFields(parts) : [];
  return fields.length > 0
    ? { fields, isAssumed: false }
    : { fields: usualFields(kind), isAssumed: kind !== 'landing' };
}

/** Reads an objective into an app. @param kind the kind that a person chose, where the objective names none */
export function readObjective(
  objective: string,
  kind: Kind | null = readKind(objective),
): { title: string; app: App | null } {
  const plain = plainOf(objective);
  const title = titleOf(plain, kind);
  if (kind === null) return { title, app: null };
  const parts = partsOf(plain);
  const formula = kind === 'calculator' ? readFormula(FORMULA.exec(plain)?.[1] ?? '') : null;
  const { fields, isAssumed } = formula ? { fields: formula.fields, isAssumed: false } : fieldsOf(kind, parts);
  const listed = splitList(parts).map(sentenceCase);
  return {
    title,
    app: {
      kind,
      title: title || sentenceCase(kind),
      fields,
      rules: readRules(plain, fields),
      columns: kind !== 'kanban' ? [] : listed.length > 1 ? listed.slice(0, MAX_COLUMNS) : [...USUAL_COLUMNS],
      points: kind === 'landing' ? listed.slice(0, MAX_POINTS) : [],
      call: kind === 'landing' ? (CALL.exec(plain)?.[1]?.trim() ?? null) : null,
      formula: formula?.formula ?? [],
      colour: 'blue',
      isDemonstration: CLINICAL.test(objective),
      isAssumed,
    },
  };
}
