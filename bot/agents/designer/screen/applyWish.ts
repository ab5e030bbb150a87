import { LIMITS } from '../../../../models/contracts/limits.ts';
import { actionOf } from './actionWords.ts';
import { fieldsListed, readKind } from './readObjective.ts';
import {
  type Action,
  type Field,
  listed,
  MAX_ACTIONS,
  MAX_FIELDS,
  MAX_NAME,
  type Screen,
  sentenceCase,
} from './screen.ts';

/** What became of a wish: the screen as it is now, what was changed, and the words that no rule could act on. */
type Applied = { screen: Screen; did: string[]; couldNot: string[] };

type Change = (screen: Screen, match: RegExpExecArray) => { screen: Screen; did: string } | null;

const quoted = (text: string) => `“${text}”`;
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/^(?:the|a|an)\s+/, '')
    .replace(/\s+(?:fields?|buttons?|columns?|sections?|actions?)$/, '')
    .trim();

/** Whether a label is what somebody calls it: the same words, or all of the words of one in the other. */
function isCalled(label: string, name: string): boolean {
  const [one, other] = [plain(label), plain(name)];
  return one === other || ` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `);
}

const things = (words: string) =>
  words
    .split(/\s*,\s*(?:and |or )?|\s+and\s+/i)
    .map((one) => one.trim())
    .filter(Boolean);

const add: Change = (screen, [, words = '']) => {
  const parts = things(words);
  const buttons: Action[] = parts
    .filter((part) => /\bbutton\b/i.test(part))
    .map((part) => actionOf(plain(part)))
    .filter(({ label }) => label.length <= MAX_NAME);
  const has = (label: string) => screen.fields.some((field) => plain(field.label) === plain(label));
  const newFields = fieldsListed(
    parts
      .filter((part) => !/\bbutton\b/i.test(part))
      .map(fieldName)
      .join(', '),
  ).filter(({ label }) => !has(label));
  const newActions = buttons.filter(({ label }) => !screen.actions.some((one) => one.label === label));
  if (newFields.length + newActions.length === 0) return null;
  const fields = newFields.slice(0, roomFor(MAX_FIELDS, screen.fields));
  const actions = newActions.slice(0, roomFor(MAX_ACTIONS, screen.actions));
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
      ...(isFull ? [FULL] : []),
    ].join(' '),
  };
};
const roomFor = (most: number, standing: readonly unknown[]) => Math.max(0, most - standing.length);
const FULL = `A screen holds ${MAX_FIELDS} fields and ${MAX_ACTIONS} buttons at most, so the rest was left out.`;
/** "a field for allergies" is "allergies". */
const fieldName = (part: string) =>
  part
    .replace(/^(?:an?|the|another)?\s*(?:fields?|columns?|inputs?|box(?:es)?)\s+(?:for|called|named)\s+/i, '')
    .replace(/\s+(?:fields?|columns?)$/i, '');

const remove: Change = (screen, [, words = '']) => {
  const names = things(words);
  if (names.some((name) => /\bpatient (?:banner|header|bar)\b/i.test(name)))
    return {
      screen: { ...screen, patient: false },
      did: 'Took the patient banner out, so the patient is not in view any more.',
    };
  const goes = ({ label }: { label: string }) => names.some((name) => isCalled(label, name));
  const gone = [...screen.fields.filter(goes), ...screen.actions.filter(goes)].map(({ label }) => quoted(label));
  if (gone.length === 0) return null;
  return {
    screen: {
      ...screen,
      fields: screen.fields.filter((field) => !goes(field)),
      actions: screen.actions.filter((action) => !goes(action)),
    },
    did: `Removed ${listed(gone)}.`,
  };
};

const rename: Change = (screen, [, from = '', to = '']) => {
  const label = sentenceCase(to.trim().replace(/^["“]|["”]$/g, ''));
  if (label.length > MAX_NAME) return null;
  if (/^(?:it|this|the (?:screen|page|title|heading))$/i.test(from.trim()))
    return { screen: { ...screen, title: label }, did: `The screen is called ${quoted(label)} now.` };
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
    const names = things(words);
    const meant = ({ label }: Field) => names.some((name) => isCalled(label, name));
    const labels = screen.fields.filter(meant).map(({ label }) => quoted(label));
    if (labels.length === 0) return null;
    const fields = screen.fields.map((field) => (meant(field) ? { ...field, required } : field));
    return {
      screen: { ...screen, fields },
      did: `${listed(labels)} ${labels.length === 1 ? 'is' : 'are'} ${required ? 'required' : 'optional'} now.`,
    };
  };

const columns: Change = (screen, [, count = '']) => {
  const wanted = /^(one|1|single)$/i.test(count) ? 1 : 2;
  return { screen: { ...screen, columns: wanted }, did: wanted === 1 ? 'One column now.' : 'Two columns now.' };
};

const move: Change = (screen, [, name = '', place = '']) => {
  const field = screen.fields.find(({ label }) => isCalled(label, name));
  if (!field) return null;
  const others = screen.fields.filter((one) => one !== field);
  const isFirst = /first|top|start|beginning/i.test(place);
  return {
    screen: { ...screen, fields: isFirst ? [field, ...others] : [...others, field] },
    did: `${quoted(field.label)} comes ${isFirst ? 'first' : 'last'} now.`,
  };
};

const changeKind: Change = (screen, [, words = '']) => {
  const kind = readKind(words);
  return kind === screen.kind
    ? null
    : { screen: { ...screen, kind, columns: kind === 'detail' ? 2 : 1 }, did: `It is a ${kind} now.` };
};

const keepPatient: Change = (screen) =>
  screen.patient ? null : { screen: { ...screen, patient: true }, did: 'The patient stays in view now.' };

/** What can be wished for, each in the words that say it. The first that fits and finds what it is about is done. */
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
    words: /^(.+?) (?:should |must )?(?:comes?|goes?|stands?|be) (?:at the )?(first|top|last|bottom|end)\b/i,
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

/** "add allergies and remove pulse" is two wishes; "add allergies and notes" is one. */
const SENTENCES =
  /[.;\n!]+\s*|,?\s+(?:and|then|but)\s+(?=(?:please\s+)?(?:add|include|remove|drop|delete|rename|call|move|put|make|use|turn|hide|take out|leave out)\b)/i;

/** Changes a screen as somebody asks for it in words, by rules alone. */
export function applyWish(screen: Screen, words: string): Applied {
  let now = screen;
  const did: string[] = [];
  const couldNot: string[] = [];
  for (const wish of words
    .slice(0, LIMITS.objective)
    // Long runs of spaces would make the patterns below slow.
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
