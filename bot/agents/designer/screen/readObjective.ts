import { LIMITS } from '../../../../models/contracts/limits.ts';
import { actionOf, actionsIn } from './actionWords.ts';
import { fieldsIn, fieldsOf } from './fieldWords.ts';
import { AUDIENCE, readTitle } from './readTitle.ts';
import {
  type Action,
  type Field,
  MAX_ACTIONS,
  MAX_FIELDS,
  MAX_NAME_LENGTH,
  type Screen,
  type ScreenKind,
} from './screen.ts';

/** Nouns that name a kind: "a referral form". The first one in the text counts. */
const KINDS_BY_NOUN: readonly { kind: ScreenKind; words: RegExp }[] = [
  { kind: 'sign-in', words: /\b(sign|log)[- ]?in\b|\blogin\b|\btwo[- ]factor\b/i },
  { kind: 'settings', words: /\b(settings|preferences)\b/i },
  { kind: 'dashboard', words: /\b(dashboards?|overview|at a glance|control room|KPIs?|metrics)\b/i },
  {
    kind: 'chat',
    words: /\b(chat|messaging|conversations?|messages? (to|with|between))\b|\bmessage (a|the|their|my)\b/i,
  },
  { kind: 'list', words: /\b(work ?lists?|waiting lists?|lists?|tables?|queues?|inbox|search results|directory)\b/i },
  { kind: 'form', words: /\b(forms?|questionnaires?|assessments?|checklists?)\b/i },
  { kind: 'detail', words: /\b(details?|profile|patient record|record view|summary|timeline)\b/i },
];

/** Verbs that suggest a kind, where no noun names one. */
const KINDS_BY_VERB: readonly { kind: ScreenKind; words: RegExp }[] = [
  { kind: 'review', words: /\b(review|approv|triag|sign(s|ing)? ?off|reject|verif|vet)/i },
  {
    kind: 'form',
    words:
      /\b(record|enter|register|book|create|add|capture|request|fill|submit|order|prescrib|report|collect|log|refer)(s|e|es|ing)?\b/i,
  },
  { kind: 'list', words: /\b(browse|search|find|filter|track|manage|which patients|all (the |our |my )?\w+s)\b/i },
  { kind: 'detail', words: /\b(see|view|show|read|check|look)(s|ing)?\b/i },
];

/** Subjects of rows, each with its plural. */
const SUBJECTS: readonly [words: RegExp, plural: string][] = [
  [/\bappointments?\b/i, 'appointments'],
  [/\breferrals?\b/i, 'referrals'],
  [/\b(blood |test |lab |pathology )?results?\b/i, 'results'],
  [/\bprescriptions?\b/i, 'prescriptions'],
  [/\b(medicines?|medications?)\b/i, 'medicines'],
  [/\bobservations?\b/i, 'observations'],
  [/\bletters?\b/i, 'letters'],
  [/\bincidents?\b/i, 'incidents'],
  [/\bbeds?\b/i, 'beds'],
  [/\btasks?\b/i, 'tasks'],
  [/\borders?\b/i, 'orders'],
  [/\btickets?\b/i, 'tickets'],
  [/\balerts?\b/i, 'alerts'],
  [/\bdocuments?\b/i, 'documents'],
  [/\bpatients?\b/i, 'patients'],
  [/\busers?\b/i, 'users'],
];

/** Words of care: such a screen works on a patient's record. */
const CARE =
  /\b(patients?|service users?|clients?|NHS numbers?|wards?|beds?|clinics?|observations?|vital signs|blood|pulse|heart rate|temperature|oxygen|dos(e|es|age)|medic(ine|ines|ation|ations)|prescri\w+|allerg\w+|symptoms?|diagnos\w+|referrals?|triag\w+|discharg\w+|admi(t|ssion)s?|appointments?|test results?|wounds?|pain|care plans?)\b/i;

/** The start and the end of a list of what is on the screen. */
const LISTS =
  /\b(?:with|show(?:s|ing)?|includ(?:es|ing)|contain(?:s|ing)|fields?(?: for)?:?|columns?(?: for)?:?|collect(?:s|ing)?|captur(?:es|ing)|records?|recording|enters?|entering|asks? for|displays?|see|view)\s+(?!with\b)|:\s+/gi;
const LIST_ENDS =
  /[.;!?\n]|\b(?:so that|in order to|who|which|where|when|before|after|and (?:then|can|must|should|let)|then|to (?:be|the|a)|for (?:a|an|the|each|every)|on (?:a|the)|from|by)\b|\b(?:buttons?|actions?)\b.*$/i;
const ARTICLES =
  /^(?:and |or |also |both |the |a |an |their |its |his |her |my |our |your |each |every |all |any |some |current |patient(?:'s|’s)? )+/i;
/** Words that are not fields: the screen itself, or people. */
const NO_FIELD =
  /^(it|them|this|that|everything|details?|fields?|columns?|filters?|search|screens?|pages?|forms?|lists?|tables?|patients?|charts?|graphs?|data|information|a week|today)$/i;
/** Words that name the screen's subject when listed alone, and a field when listed with others. */
const NO_FIELD_ALONE =
  /^(results?|records?|observations?|vital signs|appointments?|referrals?|medicines?|messages?|incidents?|tasks?)$/i;
/** A list of buttons. */
const BUTTONS = /\b(?:buttons?(?: (?:to|for|labelled|called)|:)|actions?(?: to|:))\s+([^.;\n]+)/gi;
const MAX_WORDS = 5;
/** Each list is read to its end, so many nested lists would take long. */
const MAX_LISTS = 60;
/** More items than a list of fields has; each is compared with every known field. */
const MAX_PARTS = 200;

/** The items of a list such as "A, B and C". */
const partsOf = (list: string) =>
  list
    .split(/(?:(?<!\s)\s+)?,\s*(?:and |or )?|(?<!\s)\s+(?:and|&|plus)\s+/i, MAX_PARTS)
    .map((part) =>
      part
        .replace(ARTICLES, '')
        .replace(/(?<!\s)\s+(?:of|for) (?:our|the|a|an|each|every|all)\b.*$/i, '')
        .replace(/(?<![\s:"“”])[\s:"“”]+$/, '')
        .trim(),
    )
    .filter((part) => part !== '' && part.length <= MAX_NAME_LENGTH && part.split(/\s+/).length <= MAX_WORDS);

/** Whether an item is an action, e.g. "a save button" or "print the letter", rather than a field. */
const isAction = (part: string) =>
  /\bbuttons?\b/i.test(part) || (actionsIn(part).length > 0 && !/\bnumbers?\b/i.test(part));

/** The fields in a list such as "A, B and C". */
export function fieldsListed(list: string): Field[] {
  return partsOf(list)
    .filter((part, _index, all) => !(all.length === 1 && NO_FIELD_ALONE.test(part)))
    .filter((part) => !NO_FIELD.test(part) && !isAction(part) && /\p{L}/u.test(part))
    .flatMap(fieldsOf);
}

function uniqueFields(fields: readonly Field[]): Field[] {
  const seen = new Set<string>();
  return fields
    .filter(({ label }) => !seen.has(label.toLowerCase()) && seen.add(label.toLowerCase()))
    .slice(0, MAX_FIELDS);
}

function readFields(said: string): { listed: Field[]; named: Field[] } {
  const words = said.replace(BUTTONS, ' ');
  const lists = [...words.matchAll(LISTS)]
    .slice(0, MAX_LISTS)
    .map(({ index, 0: opening }) => words.slice(index + opening.length).split(LIST_ENDS)[0] ?? '');
  // Of nested lists the innermost counts: "record referrals with reason, urgency".
  const whole = lists.filter(
    (text, index) => !lists.slice(index + 1).some((later) => later !== '' && text.includes(later)),
  );
  return { listed: uniqueFields(whole.flatMap(fieldsListed)), named: uniqueFields(fieldsIn(words)) };
}

/** The usual fields of a subject, where the text names at most one field. */
const FIELDS_BY_SUBJECT: Record<string, readonly string[]> = {
  appointments: ['date', 'time', 'clinic', 'clinician', 'reason'],
  referrals: ['reason for referral', 'urgency', 'specialty', 'clinician'],
  results: ['test', 'result', 'reference range', 'date taken'],
  prescriptions: ['medicine', 'dose', 'route', 'frequency', 'allergies'],
  medicines: ['medicine', 'dose', 'route', 'frequency', 'time given', 'allergies'],
  observations: ['blood pressure', 'pulse', 'temperature', 'respiratory rate', 'oxygen saturation'],
  incidents: ['date', 'location', 'what happened', 'severity'],
  beds: ['ward', 'bed', 'status'],
  letters: ['letter type', 'date', 'clinician', 'status'],
  tasks: ['task', 'assigned to', 'due date', 'status'],
  orders: ['test', 'urgency', 'clinician', 'reason'],
  tickets: ['ticket', 'status', 'priority', 'assigned to'],
  alerts: ['alert', 'urgency', 'time', 'status'],
  documents: ['document title', 'date', 'status'],
  users: ['name', 'email', 'role', 'status'],
};

/** The usual fields of a kind, where the text names none. */
const USUAL_FIELDS: Record<ScreenKind, readonly string[]> = {
  form: ['date', 'reason', 'notes'],
  list: ['status', 'urgency', 'date'],
  detail: ['status', 'date', 'clinician', 'notes'],
  dashboard: ['status', 'waiting time', 'urgency'],
  chat: [],
  'sign-in': ['email', 'password'],
  settings: ['language', 'text size', 'notifications', 'reminders'],
  review: ['status', 'urgency', 'reason', 'notes'],
};

const USUAL_ACTIONS: Record<ScreenKind, readonly string[]> = {
  form: ['Save'],
  list: [],
  detail: ['Edit'],
  dashboard: [],
  chat: ['Send'],
  'sign-in': ['Sign in'],
  settings: ['Save changes'],
  review: ['Approve', 'Reject'],
};

/** The kind of screen by its noun, or else by its verb, or else a form. */
export function readKind(words: string): ScreenKind {
  const named = KINDS_BY_NOUN.map(({ kind, words: pattern }) => ({ kind, at: words.search(pattern) })).filter(
    ({ at }) => at >= 0,
  );
  const first = named.sort((one, other) => one.at - other.at)[0]?.kind;
  if (first && !(first === 'detail' && /\breview|approv|triag/i.test(words))) return first;
  const done = KINDS_BY_VERB.find(({ words: pattern }) => pattern.test(words))?.kind ?? 'form';
  // To see "tickets" needs a list; to see "a ticket" needs its details.
  return done === 'detail' && SUBJECTS.some(([, plural]) => words.toLowerCase().includes(plural)) ? 'list' : done;
}

function readActions(words: string, kind: ScreenKind): Action[] {
  const buttons = [...words.matchAll(BUTTONS)].flatMap(([, list = '']) => partsOf(list).map(actionOf));
  // The screen's own purpose is served by its fields and main button, so it gets no further button for it.
  const said = actionsIn(words.replace(BUTTONS, ' '));
  const usual = USUAL_ACTIONS[kind].map((label) =>
    label === 'Save changes' ? { ...actionOf(''), label } : actionOf(label),
  );
  const isMain = kind === 'chat' || kind === 'sign-in' || kind === 'settings';
  const ends = [...said, ...buttons].some(({ label }) =>
    /^(Save|Submit|Book|Prescribe|Refer|Send|Administer|Admit)$/.test(label),
  );
  const first =
    kind === 'form' && ends
      ? []
      : isMain || kind === 'form' || kind === 'review' || said.length + buttons.length === 0
        ? usual
        : [];
  const seen = new Set<string>();
  const all = [...first, ...said, ...buttons]
    .filter(({ label }) => !seen.has(label) && seen.add(label))
    .slice(0, MAX_ACTIONS);
  // One action is primary; a dangerous one never is.
  const lead = kind === 'list' || kind === 'dashboard' ? -1 : all.findIndex(({ tone }) => tone !== 'danger');
  return all.map((action, index) => (index === lead ? { ...action, tone: 'primary' as const } : action));
}

/** The subject that the text names first. */
function readSubject(words: string): string {
  const found = SUBJECTS.map(([pattern, plural]) => ({ plural, at: words.search(pattern) })).filter(
    ({ at }) => at >= 0,
  );
  return found.sort((one, other) => one.at - other.at)[0]?.plural ?? 'records';
}

/** On a dashboard, a field of unknown type becomes a number. */
const toFigure = (field: Field): Field =>
  field.type === 'text' && field.sample === 'Example' ? { ...field, type: 'number', sample: '8' } : field;

/** Chooses the fields that the text names; if it names at most one, the usual fields are added. */
function chooseFields(words: string, kind: ScreenKind, subject: string): Pick<Screen, 'fields' | 'assumed'> {
  if (kind === 'chat') return { fields: [], assumed: false };
  const { listed, named } = readFields(words);
  const own = listed.length > 0 ? listed : named;
  if (kind === 'sign-in') {
    const needed = own.some(({ label }) => label === 'Username') ? ['username', 'password'] : USUAL_FIELDS['sign-in'];
    return { fields: uniqueFields([...needed.flatMap(fieldsOf), ...own]), assumed: false };
  }
  const usual = kind === 'settings' ? USUAL_FIELDS.settings : (FIELDS_BY_SUBJECT[subject] ?? USUAL_FIELDS[kind]);
  const isIncomplete = own.length === 0 || (listed.length === 0 && own.length === 1);
  if (isIncomplete) return { fields: uniqueFields([...own, ...usual.flatMap(fieldsOf)]), assumed: true };
  // A form for medicines always needs the medicine.
  const needsMedicine = kind === 'form' && /^(medicines|prescriptions)$/.test(subject);
  const hasMedicine = own.some(({ label }) => /medicine/i.test(label));
  if (kind === 'dashboard') return { fields: own.map(toFigure), assumed: false };
  return {
    fields: uniqueFields([...(needsMedicine && !hasMedicine ? fieldsOf('medicine') : []), ...own]),
    assumed: false,
  };
}

/** The plural of an audience, e.g. "parents" for "parent". */
const pluralise = (people: string): string =>
  /(?:s|staff)$/.test(people)
    ? people
    : people
        .replace(/midwife$/, 'midwive')
        .replace(/y$/, 'ie')
        .concat('s');

/** Who uses the screen, in the plural. Patients only where they act on it; otherwise it is about them. */
function readAudience(words: string): string | null {
  const [, people] = AUDIENCE.exec(words) ?? [];
  if (!people) return null;
  if (
    /^(patient|patients|customer)$/i.test(people) &&
    !/\b(?:for|where|lets?) (?:our |a |the )?(?:patient|customer)s? (?:to|can|who)\b/i.test(words)
  )
    return null;
  return pluralise(people.toLowerCase().replace(/\bgp/, 'GP'));
}

/** Reads a screen from the text that asks for it, by rules. Deterministic. */
export function readObjective(objective: string): Screen {
  // A platform's message can be longer than the API allows.
  const words = objective.slice(0, LIMITS.objective).replace(/\s+/g, ' ').trim();
  const kind = readKind(words);
  const subject = readSubject(words);
  const title = readTitle(words, kind, subject);
  const { fields, assumed } = chooseFields(words, kind, subject);
  const audience = readAudience(words);
  return {
    kind,
    title,
    audience,
    subject,
    // Patients only see their own record, so their screens need no banner.
    patient: kind !== 'sign-in' && kind !== 'settings' && audience !== 'patients' && CARE.test(words),
    fields,
    actions: readActions(words, kind),
    columns: kind === 'detail' || kind === 'dashboard' ? 2 : 1,
    assumed,
  };
}
