import { type ScreenKind, sentenceCase, singular } from './screen.ts';

/** The people who use a screen. */
export const AUDIENCE =
  /\b((?:ward |community |practice |district |school |specialist |duty |senior |junior |clinical |hospital ){0,4}(?:nurses?|doctors?|GPs?|clinicians?|consultants?|pharmacists?|midwi(?:fe|ves)|receptionists?|physiotherapists?|paramedics?|carers?|patients?|parents?|managers?|administrators?|secretar(?:y|ies)|prescribers?|therapists?|technicians?|engineers?|safety officers?|customers?|users?|staff))\b/i;

const REQUEST =
  /^(?:(?:please|hi|hello|dara|@dara|can you|could you|would you)[,\s]+)*(?:(?:design|draw|sketch|mock ?up|prototype|wireframe|create|make|build|propose|do|show)(?: me| us)?\s+)?(?:(?:an?|the|our|new|simple|mobile|web|clickable)\s+)*(?:(?:screen|page|view|prototype|mock-?up|wireframe|design|layout|interface|UI)s?\s+)?(?:(?:for|to|that|where|which|of|on)\b\s*)?/i;
const LETS = /^(?:lets?|allows?|helps?|enables?|show(?:s|ing)?|gives?)\s+/i;
const CAN = /^(?:who |to |can |could |should |must |need to |needs to |may )+/i;
const MAX_TITLE_LENGTH = 60;

/** Reads a title such as "Record blood pressure, pulse and temperature" from a request. */
export function readTitle(words: string, kind: ScreenKind, subject: string): string {
  const asked = words
    .replace(REQUEST, '')
    .replace(LETS, '')
    .replace(/^(?:an?|the|our)\s+/i, '');
  const audience = AUDIENCE.exec(asked);
  // In "nurses to record …" the audience is not part of the title.
  const core =
    audience?.index === 0 && /^\s+(?:to|who|can|could|should|must|need)/i.test(asked.slice(audience[0].length))
      ? asked.slice(audience[0].length).trim().replace(CAN, '')
      : asked;
  const heading =
    kind === 'chat' ? core : (core.split(kind === 'settings' ? /\b(?:with|for)\b/i : /\bwith\b/i)[0] ?? '');
  const cut = heading
    .split(
      /\b(?:showing|that shows|including|so that|in order to|where|which|who|that (?:lets?|allows?|has))\b|[.;:!?\n]/i,
    )[0]
    ?.replace(/(?<!\s)\s+for\s+(?:the\s+)?(?:our\s+)?(?:[a-z]+\s+)?(?:nurses|doctors|clinicians|staff|users)\s*$/i, '')
    .replace(/(?<!\s)\s+(?:screen|page|view)\s*$/i, '')
    .replace(/(?<![\s,])[\s,]+$/, '')
    .trim();
  const usual = kind === 'sign-in' ? 'Sign in' : kind === 'form' ? `New ${singular(subject)}` : sentenceCase(subject);
  if (!cut || /^(?:sign|log)[- ]?in\b/i.test(cut)) return usual;
  if (cut.length <= MAX_TITLE_LENGTH) return sentenceCase(cut);
  const short = [...cut].slice(0, MAX_TITLE_LENGTH + 1);
  const whole = short.slice(0, Math.max(short.lastIndexOf(' '), 20)).join('');
  return sentenceCase(whole.replace(/[\s,]+(?:and|or)?$/, ''));
}

/** Whether a request says what the screen is for. */
export const hasObjective = (text: string): boolean =>
  `${text.trim()} `
    .replace(/(?<![.!?])[.!?]+ $/, ' ')
    .replace(REQUEST, '')
    .trim().length >= 3;
