import { answerQuestion } from '../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { queryLine } from '../../bot/agents/clinical_safety/answers/rowQuery.ts';
import { readIntent } from '../../bot/agents/clinical_safety/intents.ts';
import type { Askable } from '../../bot/engine/queries/answerQuery.ts';
import type { AnalysisResult, ExistingHazard, Finding } from '../../models/contracts/clinical_safety/hazards.ts';
import type { Label } from '../agents/clinical_safety/conversation/labels.ts';

/** Most rows that an answer lists. */
const LISTED = 12;

/**
 * How a question was answered. `declined`: the answer says that it can't, or asks; nothing wrong was said. `wrong`: a
 * figure, a row or a hazard that the label does not have.
 */
export type Score = {
  label: Label;
  outcome: 'right' | 'declined' | 'wrong';
  /** The intent that the message was read as. */
  said: string;
  isIntentRight: boolean;
  text: string;
};

const FIGURES = ['fact'];

/** The bulleted lines of an answer, without the bullet. */
const linesOf = (text: string) => [...text.matchAll(/^• (.+)$/gm)].map(([, line = '']) => line);

/** The number that the answer begins with; null where it begins with none. */
const countIn = (text: string) => {
  const number = /^(?:The log has |Coverage )?(\d+) /.exec(text)?.[1];
  return number === undefined ? null : Number(number);
};

/** The fields that an answer may say hazards have no value of, by its word for them. */
const BLANK: Record<string, (hazard: ExistingHazard) => boolean> = {
  owner: ({ owner }) => owner === null,
  status: ({ status }) => status === null,
  type: ({ type }) => type === null,
  risk: ({ initial, residual }) => initial.risk === null || residual.risk === null,
  severity: ({ initial, residual }) => initial.severity === null || residual.severity === null,
  likelihood: ({ initial, residual }) => initial.likelihood === null || residual.likelihood === null,
};
/** The same for findings. */
const BLANK_IN_FINDING: Record<string, (finding: Finding) => boolean> = {
  hazard: ({ hazardId }) => hazardId === null,
  clause: ({ clause }) => clause === null,
};

/** The ids of the rows that lack a value of a field that a remark names. */
function withoutValue<Row extends { id: string }>(
  rows: readonly Row[],
  fields: Record<string, (row: Row) => boolean>,
  remark: string,
): string[] {
  const tests = Object.entries(fields).flatMap(([field, isBlank]) => (remark.includes(field) ? [isBlank] : []));
  return rows.filter((row) => tests.some((isBlank) => isBlank(row))).map(({ id }) => id);
}

/** The rows that an answer says it left out because they have no value: how many, and which they can be. */
function blanksIn({ existingHazards, findings }: AnalysisResult, text: string) {
  const [, number = '0', rows = '', remark = ''] =
    /^(\d+) more (\S+) (?:has|have) (.+), and (?:is|are) not counted here\.$/m.exec(text) ?? [];
  const ids = rows.startsWith('finding')
    ? withoutValue(findings, BLANK_IN_FINDING, remark)
    : withoutValue(existingHazards, BLANK, remark);
  return { number: Number(number), ids };
}

/** The words by which an answer can name each of the rows. */
function namesOf({ findings, newHazards }: AnalysisResult, entity: string | undefined, ids: readonly string[]) {
  if (entity === 'hazards' || entity === 'tickets') return ids.map((id) => [`${id}: `]);
  if (entity === 'findings') return findings.filter(({ id }) => ids.includes(id)).map(({ title }) => [title]);
  return newHazards
    .filter(({ proposedId }) => ids.includes(proposedId))
    .map(({ proposedId, values, possibleHazardIds = [] }) => [
      proposedId,
      values.name,
      ...possibleHazardIds.map((id) => ` of ${id}: `),
    ]);
}

/** Whether each line names a row of its own. */
function areNamed(lines: readonly string[], rows: readonly string[][]): boolean {
  const left = [...rows];
  return lines.every((line) => {
    const at = left.findIndex((names) => names.some((name) => line.includes(name)));
    return at >= 0 && left.splice(at, 1).length === 1;
  });
}

function areGroups(groups: Record<string, number>, text: string): boolean {
  const lines = linesOf(text);
  const isOf = (line: string, value: string, number: number) =>
    value === ''
      ? line.startsWith('no ') && line.endsWith(`: ${number}`)
      : line === `${value}: ${number}` || line.endsWith(` ${value}: ${number}`);
  const wanted = Object.entries(groups);
  const isListed = (value: string, number: number) => lines.some((line) => isOf(line, value, number));
  const strange = lines.filter((line) => !line.startsWith('no ') && !wanted.some((group) => isOf(line, ...group)));
  const unlisted = wanted.filter(([value, number]) => value !== '' && !isListed(value, number)).length;
  const more = Number(/^… and (\d+) more\.$/m.exec(text)?.[1] ?? 0);
  return strange.length === 0 && (unlisted === 0 || (lines.length === LISTED && unlisted <= more));
}

/** Whether the card of one hazard says which tickets it covers, and these are the right ones. */
const saysCovered = ({ expect: { entity, ids, count } }: Label, text: string) => {
  const [, number, keys = ''] = /^Covers (\d+) tickets?: (.+)\.$/m.exec(text) ?? [];
  return entity === 'tickets' && Number(number) === count && ids?.every((id) => keys.split(', ').includes(id)) === true;
};

function isRight(world: AnalysisResult, label: Label, text: string): boolean {
  const { entity, ids, count, order, groups, leftOut } = label.expect;
  if (saysCovered(label, text)) return true;
  const stated = countIn(text);
  const blanks = blanksIn(world, text);
  // An answer may count the rows without a value apart, if every row that it leaves out is one of them.
  // Where the label names no rows, only their number can be held to this.
  const certain = ids ? ids.filter((id) => !blanks.ids.includes(id)).length : Math.max((count ?? 0) - blanks.number, 0);
  const isBesideBlanks =
    stated !== null && count !== undefined && stated >= certain && stated <= count && stated + blanks.number >= count;
  if (count !== undefined && stated !== count && !isBesideBlanks) return false;
  if (ids && count !== undefined) {
    const lines = linesOf(text);
    if (lines.length !== Math.min(stated ?? 0, LISTED)) return false;
    if (order && lines.some((line, at) => !line.startsWith(`${ids[at]}: `))) return false;
    if (!areNamed(lines, namesOf(world, entity, ids))) return false;
  }
  if (groups && !areGroups(groups, text)) return false;
  return (
    leftOut?.every((words) =>
      words.split(' ').every((word) => text.split('I left out')[1]?.toLowerCase().includes(word.toLowerCase())),
    ) ?? true
  );
}

/** Whether an answer to an incident tells the person to act on it, for the patient and with the safety officer. */
const saysToAct = (text: string) => text.includes('Clinical Safety Officer') && text.includes('patient');

/** What a message is read as: work that it starts, or the intent of its answer. */
function readAs(text: string, answered: string): string {
  const asked = readIntent(text);
  if (asked === 'question') return answered;
  return { help: 'help', 'new-hazards': 'export' }[asked as string] ?? 'work';
}

/** Opens the rows of the made-up account that a question's line names. */
export type OpenRows = (line: string) => Promise<Askable | null>;

/** Intents of which the engine makes no difference that a person would notice. */
const SAME: Record<string, readonly string[]> = {
  // A message that was not understood as a whole is declined either way.
  unknown: ['query', 'knowledge'],
  // The controls of one hazard are rows, and about one.
  'about-one': ['query'],
};

/**
 * Answers a labelled question with the built-in engine alone, and scores the answer.
 * @param openRows rows of the made-up account that the question names
 */
export async function scoreQuestion(
  worlds: Record<Label['world'], AnalysisResult>,
  label: Label,
  openRows: OpenRows = async () => null,
): Promise<Score> {
  const world = worlds[label.world];
  const ofAccount = await openRows(queryLine(label.text).line);
  const { kind, text, intent } = answerQuestion(world, label.text, ofAccount);
  const { orAsk, namesNone, ids, count, groups, says = [] } = label.expect;
  const isFigure = FIGURES.includes(kind);
  const names = world.existingHazards.filter(({ id }) => /[a-z]/i.test(id) && text.includes(id));
  const saysAll = says.every((words) => text.includes(words));
  const outcome = (): Score['outcome'] => {
    if (label.intent === 'incident' && !saysToAct(text))
      return kind === 'unknown' || kind === 'refusal' ? 'declined' : 'wrong';
    if (namesNone) return names.length > 0 || isFigure ? 'wrong' : saysAll ? 'right' : 'declined';
    // A word that names two fields may also be answered for both.
    if (orAsk) return isFigure && !(text.includes('initial') && text.includes('residual')) ? 'wrong' : 'right';
    if (label.intent === 'query') {
      if (!isFigure) return 'declined';
      const isAsked = ids || count !== undefined || groups || says.length > 0;
      return isAsked && isRight(world, label, text) && saysAll ? 'right' : 'wrong';
    }
    if (label.intent === 'about-one' || label.intent === 'why')
      return isFigure ? (ids?.every((id) => text.includes(id)) ? 'right' : 'wrong') : 'declined';
    return isFigure ? 'wrong' : 'right';
  };
  const said = readAs(label.text, intent);
  const isIntentRight = said === label.intent || (SAME[label.intent]?.includes(said) ?? false);
  return { label, outcome: outcome(), said, isIntentRight, text };
}
