import { LIMITS } from '../../../../models/contracts/limits.ts';
import { actionOf } from './actionWords.ts';
import { fieldsListed, readKind } from './readObjective.ts';
import {
  type Action,
  type Field,
  listed,
  MAX_ACTIONS,
  MAX_FIELDS,
  MAX_NAME_LENGTH,
  type Screen,
  sentenceCase,
} from './screen.ts';

/**
 * The result of applying wishes: the changed screen, descriptions of the changes, and the wishes that no rule matched.
 */
type Applied = { screen: Screen; did: string[]; couldNot: string[] };

type Change = (screen: Screen, match: RegExpExecArray) => { screen: Screen; did: string } | null;

const quoted = (text: string) => `“${text}”`;
const normaliseName = (text: string) =>
  text
    .toLowerCase()
    .replace(/^(?:the|a|an)\s+/, '')
    .replace(/(?<!\s)\s+(?:fields?|buttons?|columns?|sections?|actions?)$/, '')
    .trim();

/** Whether a name means a label: they are equal, or one contains the other. */
function isCalled(label: string, name: string): boolean {
  const [one, other] = [normaliseName(label), normaliseName(name)];
  return one === other || ` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `);
}

const splitNames = (words: string) =>
  words
    .split(/(?:(?<!\s)\s+)?,\s*(?:and |or )?|(?<!\s)\s+and\s+/i)
    .map((one) => one.trim())
    .filter(Boolean);

const add: Change = (screen, [, words = '']) => {
  const parts = splitNames(words);
  const buttons: Action[] = parts
    .filter((part) => /\bbutton\b/i.test(part))
    .map((part) => actionOf(normaliseName(part)))
    .filter(({ label }) => label.length <= MAX_NAME_LENGTH);
  const has = (label: string) => screen.fields.some((field) => normaliseName(field.label) === normaliseName(label));
  const newFields = fieldsListed(
    parts
      .filter((part) => !/\bbutton\b/i.test(part))
      .map(fieldName)
      .join(', '),
  ).filter(({ label }) => !has(label));
  const newActions = buttons.filter(({ label }) => !screen.actions.some((one) => one.label === label));
  if (newFields.length + newActions.length === 0) return null;
  const fields = newFields.slice(0, countRoom(MAX_FIELDS, screen.fields));
  const actions = newActions.slice(0, countRoom(MAX_ACTIONS, screen.actions));
  const added = [...fields, ...actions];
  const isFull = added.length < newFields.length + newActions.length;
  return {
    screen: {
      ...screen,
      fields: [...screen.fields, ...fields],
      actions: [...screen.actions, ...actions],
      assumed: false,
    },
    did: [
      ...(added.length > 0 ? [`Added ${listed(added.map(({ label }) => quoted(label)))}.`] : []),
      ...(isFull ? [FULL_TEXT] : []),
    ].join(' '),
  };
};
const countRoom = (max: number, existing: readonly unknown[]) => Math.max(0, max - existing.length);
const FULL_TEXT = `A screen holds ${MAX_FIELDS} fields and ${MAX_ACTIONS} buttons at most, so the rest was left out.`;
/** The name in a phrase: "allergies" in "a field for allergies". */
const fieldName = (part: string) =>
  part
    .replace(/^(?:an?|the|another)?\s*(?:fields?|columns?|inputs?|box(?:es)?)\s+(?:for|called|named)\s+/i, '')
    .replace(/(?<!\s)\s+(?:fields?|columns?)$/i, '');

const remove: Change = (screen, [, words = '']) => {
  const names = splitNames(words);
  if (names.some((name) => /\bpatient (?:banner|header|bar)\b/i.test(name)))
    return {
      screen: { ...screen, patient: false },
      did: 'Removed the patient banner, so the patient is no longer in view.',
    };
  const isRemoved = ({ label }: { label: string }) => names.some((name) => isCalled(label, name));
  const removed = [...screen.fields.filter(isRemoved), ...screen.actions.filter(isRemoved)].map(({ label }) =>
    quoted(label),
  );
  if (removed.length === 0) return null;
  return {
    screen: {
      ...screen,
      fields: screen.fields.filter((field) => !isRemoved(field)),
      actions: screen.actions.filter((action) => !isRemoved(action)),
    },
    did: `Removed ${listed(removed)}.`,
  };
};

const rename: Change = (screen, [, from = '', to = '']) => {
  const label = sentenceCase(to.trim().replace(/^["“]|["”]$/g, ''));
  if (label.length > MAX_NAME_LENGTH) return null;
  if (/^(?:it|this|the (?:screen|page|title|heading))$/i.test(from.trim()))
    return { screen: { ...screen, title: label }, did: `The screen is now called ${quoted(label)}.` };
  const old = [...screen.fields, ...screen.actions].find((one) => isCalled(one.label, from));
  if (!old) return null;
  const renamed = <T extends { label: string }>(one: T): T => (one.label === old.label ? { ...one, label } : one);
  return {
    screen: { ...screen, fields: screen.fields.map(renamed), actions: screen.actions.map(renamed) },
    did: `Renamed ${quoted(old.label)} to ${quoted(label)}.`,
  };
};

const require =
  (required: boolean): Change =>
  (screen, [, words = '']) => {
    const names = splitNames(words);
    const isMeant = ({ label }: Field) => names.some((name) => isCalled(label, name));
    const labels = screen.fields.filter(isMeant).map(({ label }) => quoted(label));
    if (labels.length === 0) return null;
    const fields = screen.fields.map((field) => (isMeant(field) ? { ...field, required } : field));
    return {
      screen: { ...screen, fields },
      did: `${listed(labels)} ${labels.length === 1 ? 'is' : 'are'} now ${required ? 'required' : 'optional'}.`,
    };
  };

const columns: Change = (screen, [, count = '']) => {
  const wanted = /^(one|1|single)$/i.test(count) ? 1 : 2;
  return {
    screen: { ...screen, columns: wanted },
    did: wanted === 1 ? 'It now has one column.' : 'It now has two columns.',
  };
};

const move: Change = (screen, [, name = '', place = '']) => {
  const field = screen.fields.find(({ label }) => isCalled(label, name));
  if (!field) return null;
  const others = screen.fields.filter((one) => one !== field);
  const isFirst = /first|top|start|beginning/i.test(place);
  return {
    screen: { ...screen, fields: isFirst ? [field, ...others] : [...others, field] },
    did: `${quoted(field.label)} now comes ${isFirst ? 'first' : 'last'}.`,
  };
};

const changeKind: Change = (screen, [, words = '']) => {
  const kind = readKind(words);
  return kind === screen.kind
    ? null
    : { screen: { ...screen, kind, columns: kind === 'detail' ? 2 : 1 }, did: `It is now a ${kind}.` };
};

const keepPatient: Change = (screen) =>
  screen.patient ? null : { screen: { ...screen, patient: true }, did: 'The patient now stays in view.' };

/** The wishes that can be applied, by pattern. The first that matches and changes something wins. */
const WISHES: readonly { words: RegExp; change: Change }[] = [
  {
    words: /\b(?:show|add|keep|with) (?:the |a )?(?:patient (?:banner|header|bar)|who the patient is)/i,
    change: keepPatient,
  },
  { words: /\b(one|two|1|2|single)[- ]columns?\b/i, change: columns },
  { words: /\b(?:rename|call|change) (.+?) (?:to|as|into) (.+)$/i, change: rename },
  { words: /\bcall (it|the screen|the page) (.+)$/i, change: rename },
  { words: /^(.+?) (?:should|must) be (?:called|named) (.+)$/i, change: rename },
  {
    words: /\b(?:move|put) (.+?) (?:to the |at the |as the |)(first|top|start|beginning|last|bottom|end)\b/i,
    change: move,
  },
  {
    words: /^(.+?) (?:should |must )?(?:comes?|isRemoved?|stands?|be) (?:at the )?(first|top|last|bottom|end)\b/i,
    change: move,
  },
  { words: /\bmake (.+?) (?:required|mandatory)\b/i, change: require(true) },
  { words: /^(.+?) (?:is|are|should be|must be) (?:required|mandatory)\b/i, change: require(true) },
  { words: /\bmake (.+?) optional\b/i, change: require(false) },
  { words: /^(.+?) (?:is|are|should be) optional\b/i, change: require(false) },
  {
    words:
      /\b(?:make it|turn it into|use|as|should be) an? ((?:\w+ )?(?:form|list|table|dashboard|detail|chat|settings|review)\b.*)$/i,
    change: changeKind,
  },
  { words: /\b(?:remove|drop|delete|take out|leave out|without|no need for|hide) (.+)$/i, change: remove },
  { words: /\bno (.+)$/i, change: remove },
  { words: /\b(?:add|include|also show|show also|show|put in|needs?|missing:?|lacks?|with) (.+)$/i, change: add },
  { words: /^(.+?) (?:is|are) missing$/i, change: add },
];

/** Separates wishes: "add allergies and remove pulse" is two, "add allergies and notes" is one. */
const SENTENCES =
  /[.;\n!]+\s*|,?\s+(?:and|then|but)\s+(?=(?:please\s+)?(?:add|include|remove|drop|delete|rename|call|move|put|make|use|turn|hide|take out|leave out)\b)/i;

/** Changes a screen as a text asks, by rules and without a language model. */
export function applyWish(screen: Screen, words: string): Applied {
  let now = screen;
  const did: string[] = [];
  const couldNot: string[] = [];
  for (const wish of words
    .slice(0, LIMITS.objective)
    // Long runs of spaces would slow the patterns down.
    .replace(/[^\S\n]+/g, ' ')
    .split(SENTENCES)
    .map((one) => one.trim())
    .filter(Boolean)) {
    let changed: ReturnType<Change> = null;
    for (const { words: pattern, change } of WISHES) {
      const match = pattern.exec(wish);
      changed = match && change(now, match);
      if (changed) break;
    }
    if (changed) {
      now = changed.screen;
      did.push(changed.did);
    } else couldNot.push(wish);
  }
  return { screen: now, did, couldNot };
}
