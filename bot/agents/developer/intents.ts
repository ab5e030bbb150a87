import { openingOf } from '../../engine/intents/opening.ts';
import { readKind } from './objective/readObjective.ts';

/** The kinds of request that the developer recognises in a text. */
export type Intent = 'build' | 'projects' | 'propose' | 'code';

const POLITE =
  /^(?:(?:please|now|ok|okay|hi|hello|hey|devon|@devon|can you|could you|would you|will you|i need you to|let us|let’s|lets)[,:\s]+)*/i;
const NEGATED = /^\W*(?:don['’]?t|do not|never|not yet|later)\b/i;
const BUILDS = /^(?:build|code|program|develop|make|create|set up|generate|write)\b/i;
/** Things that only a developer makes; screens and prototypes are the designer's. */
const APPS =
  /\b(?:web ?apps?|apps?|web ?sites?|kanban(?: board)?|task board|calculators?|wizards?|landing pages?|home ?pages?|demo pages?|trackers?|questionnaires?)\b/i;
const LISTS = /\b(?:which|what|list|show)\b.*\b(?:projects?|apps?)\b.*\b(?:built|made|done|have|written)\b/i;
const QUESTION = /^(?:how|what|why|which|who|when|where|is|are|was|were|does|did|explain|tell me)\b/i;

const PROPOSES = /^(?:open|make|create|send|raise|propose)\b.*\b(?:pull request|merge request|PR)\b/i;
const READS_CODE = /^(?:show|list|read|open|what(?:['’]s| is)?)\b.*\b(?:repository|repo)\b/i;
/** A path in a text: between backticks, or with a slash or an extension. */
const PATH = /`([^`]{1,300})`|((?:[\w.-]+\/)+[\w.-]*|[\w-]*\.\w{1,12})(?=[\s?!,]|$)/;

/** The path that a text names; empty for the whole repository. */
export function readPath(text: string): string {
  const [, quoted, bare] = PATH.exec(firstLine(text)) ?? [];
  return (quoted ?? bare ?? '').replace(/^\/+|\/+$/g, '');
}

const firstLine = (text: string): string => openingOf(text, POLITE);

/** Whether a message that names nobody asks for an app. */
export function asksFor(text: string): boolean {
  const line = firstLine(text);
  if (NEGATED.test(line)) return false;
  if (PROPOSES.test(line)) return !/\bPR\b/i.test(line);
  if (!BUILDS.test(line)) return false;
  return APPS.test(line.split(/\b(?:with|that|where)\b/i)[0] ?? '');
}

/** The intent of a text to the developer; null where no rule fits. A kind of app is an objective, also without a verb. */
export function readIntent(text: string): Intent | null {
  const line = firstLine(text);
  if (LISTS.test(line)) return 'projects';
  if (!NEGATED.test(line) && PROPOSES.test(line)) return 'propose';
  if (!NEGATED.test(line) && READS_CODE.test(line)) return 'code';
  if (NEGATED.test(line) || QUESTION.test(line) || line.includes('?')) return null;
  return asksFor(text) || BUILDS.test(line) || (/^(?:an?|the)\b/i.test(line) && readKind(line) !== null)
    ? 'build'
    : null;
}
