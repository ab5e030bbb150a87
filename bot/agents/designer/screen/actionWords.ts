import type { Action } from './screen.ts';

type KnownAction = { words: RegExp; label: string; danger?: boolean; confirms?: string };

/**
 * Actions on a screen, by the verbs that name them. An action that can't be undone has a text for its confirmation, to
 * which the screen adds the patient.
 */
const KNOWN: readonly KnownAction[] = [
  { words: /\bsave as (a )?draft\b/i, label: 'Save as draft' },
  { words: /\bsav(e|es|ing)\b/i, label: 'Save' },
  { words: /\bsubmit(s|ting)?\b/i, label: 'Submit', confirms: 'It is sent and can’t be changed afterwards.' },
  { words: /\bapprov(e|es|ing|al)\b/i, label: 'Approve', confirms: 'The approval is recorded with your name.' },
  {
    words: /\b(reject|declin)(e|es|s|ing)?\b/i,
    label: 'Reject',
    danger: true,
    confirms: 'The rejection is recorded with your name.',
  },
  {
    words: /\b(sign(s|ing)? ?off|countersign)\b/i,
    label: 'Sign off',
    confirms: 'Your signature can’t be taken back here.',
  },
  { words: /\bprescrib(e|es|ing)\b/i, label: 'Prescribe', confirms: 'The prescription is sent to the pharmacy.' },
  { words: /\badminister(s|ing)?\b/i, label: 'Administer', confirms: 'The dose is recorded as given.' },
  {
    words: /\b(stop|discontinu)(e|es|s|ping|ing)? (a |the )?(medicines?|medications?|treatments?|drugs?)\b/i,
    label: 'Stop the medicine',
    danger: true,
    confirms: 'The medicine is stopped from now on.',
  },
  { words: /\bdischarg(e|ing)\b/i, label: 'Discharge', danger: true, confirms: 'The stay ends and the bed is freed.' },
  { words: /\badmit(s|ting)?\b/i, label: 'Admit', confirms: 'A stay begins now.' },
  { words: /\b(delet|remov)(e|es|ing)\b/i, label: 'Delete', danger: true, confirms: 'It can’t be brought back.' },
  { words: /\barchiv(e|es|ing)\b/i, label: 'Archive', danger: true, confirms: 'It leaves the list for everybody.' },
  {
    words: /\bmerg(e|es|ing)\b/i,
    label: 'Merge',
    danger: true,
    confirms: 'Two records become one and can’t be parted here.',
  },
  {
    words: /\bcancel(s|ling)? (an? |the |their )?(appointments?|bookings?|orders?|referrals?)\b/i,
    label: 'Cancel it',
    danger: true,
    confirms: 'Whoever expects it is told that it is cancelled.',
  },
  {
    words: /\bsend(s|ing)? (an? |the )?reminders?\b/i,
    label: 'Send a reminder',
    confirms: 'A message goes out now and can’t be called back.',
  },
  { words: /\b(acknowledg(e|es|ing))\b/i, label: 'Acknowledge' },
  { words: /\bescalat(e|es|ing)\b/i, label: 'Escalate', confirms: 'The team on call is told at once.' },
  { words: /\brefer(s|ring)\b|\brefer (a |the |them|patients?)/i, label: 'Refer', confirms: 'The referral is sent.' },
  { words: /\b(re-?schedul(e|es|ing))\b/i, label: 'Reschedule' },
  { words: /\bbook(s|ing)?\b/i, label: 'Book' },
  { words: /\bassign(s|ing)?\b/i, label: 'Assign' },
  { words: /\bprint(s|ing)?\b/i, label: 'Print' },
  { words: /\b(export|download)(s|ing)?\b/i, label: 'Export' },
  { words: /\bupload(s|ing)?\b/i, label: 'Upload' },
  { words: /\bedit(s|ing)?\b/i, label: 'Edit' },
  { words: /\badd (a |an |new )/i, label: 'Add' },
  { words: /\bcall(s|ing)? (the )?(patient|back)\b/i, label: 'Call' },
  { words: /\b(reset|forg[eo]t(ten)?)\b.*\bpassword\b/i, label: 'Reset password' },
];

const toAction = ({ label, danger, confirms }: KnownAction): Action => ({
  label,
  tone: danger ? 'danger' : 'plain',
  confirms: confirms ?? null,
});

/** The actions that a text names, each once, in the order of the text. */
export function actionsIn(text: string): Action[] {
  const found = KNOWN.flatMap((one) => {
    const at = text.search(one.words);
    return at < 0 ? [] : [{ at, one }];
  }).sort((one, other) => one.at - other.at);
  const hasDraft = found.some(({ one }) => one.label === 'Save as draft');
  // "save as draft" contains "save", which is an action of its own only where it occurs again.
  const saves = text.match(/\bsav(e|es|ing)\b/gi)?.length ?? 0;
  return found.filter(({ one }) => !(hasDraft && one.label === 'Save' && saves < 2)).map(({ one }) => toAction(one));
}

/** The action with a name; an unknown name becomes a plain action. */
export function actionOf(name: string): Action {
  const [known] = actionsIn(name);
  return known ?? { label: name.charAt(0).toUpperCase() + name.slice(1), tone: 'plain', confirms: null };
}
