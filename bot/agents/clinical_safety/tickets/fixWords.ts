/** Prefixes of a ticket's summary without a meaning of their own: "[EPS-1]", "feat(dose):", "Re:". */
const PREFIX =
  /^(?:\[[^[\]]{1,40}\]\s*|(?:feat|chore|docs|style|refactor|perf|test|build|ci|re)(?:\([^()]{1,40}\))?!?:\s*)/i;
/** A sentence that begins with these words describes the fix of a fault. */
const FIX =
  /^(?:(?:to )?(?:add|implement|introduc|upgrad|remov|replac|refactor|improv|ensur|prevent|allow|validat|bump|creat|renam|revert|migrat|extend)(?:e|es|ed|s|ing)?|this (?:pr|change|patch|commit|fix|update|version|release)|the (?:fix|solution|workaround)|solution|resolution|workaround|acceptance|proposed|suggest(?:ed|ion)?)\b/i;
/** So does one that begins with these, unless it tells of a failure as well: "Shows the wrong patient". */
const PERHAPS_FIX =
  /^(?:(?:updat|chang|support|handl|mov|enabl|convert|switch|set|us|mak|show|display|hid)(?:e|es|ed|s|ing)?|now|we (?:now|will|should|have)|it (?:now|will|should)|expected|given|then)\b/i;
/** "Fix the rounding of doses" names the failing part after its first words. */
const MENDS =
  /^(?:fix|resolv|correct|repair|mend|hotfix|bugfix)(?:e|es|ed|s|ing)?\b(?:\([^()]{1,40}\))?!?[:\s-]*(?:(?:for|an?|the|issue|bug|problem|where|when|that|with|in which)\b[:\s-]*){0,4}/i;
const SHOULD = /\b(?:should|must|needs? to|has to|have to|will|would)\b|\bso that\b/i;
const FAILS =
  /\b(?:fail\w*|wrong\w*|missing|lost|los(?:e|es|ing)|incorrect\w*|inaccurate|corrupt\w*|crash\w*|broken|break\w*|error\w*|blank|empty|disappear\w*|duplicat\w*|truncat\w*|overwrit\w*|delay\w*|stale|outdated|unable|unavailable|mismatch\w*|timeout\w*|times? out|ignored?|skipp?ed|swapp?ed|mixed|not|no longer|never|without|cannot|can['’]t|couldn['’]t|doesn['’]t|don['’]t|didn['’]t|isn['’]t|aren['’]t|wasn['’]t|won['’]t|instead of|bug|fault\w*|regression|hidden|invisible|unreadable|silent\w*|another patient\w*)\b/i;

/** Headings of a ticket's sections that tell what is done or wanted, not what fails. */
const FIX_HEADINGS = new Set(
  'fix,the fix,fixes,solution,proposed solution,proposal,proposed change,proposed changes,changes,resolution,workaround,expected,expected result,expected results,expected behaviour,expected behavior,expected outcome,acceptance criteria,definition of done,tasks,to do,todo,implementation,what this does,what changed,test plan,testing,release notes,suggestion,suggested fix'.split(
    ',',
  ),
);

/** Whether a line is the heading of a section, and whether that section tells of the fix; null for any other line. */
export function readHeading(line: string): { isFix: boolean } | null {
  if (line.length > 60) return null;
  const isMarked = /^\s{0,3}(?:#{1,6}\s|h[1-6]\.|\*{1,2}[^*]|_{1,2}[^_])/.test(line) || /:[\s*_]*$/.test(line);
  if (!isMarked) return null;
  const words = line
    .toLowerCase()
    .replace(/^\s*h[1-6]\.|[^\p{L} ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '' || words.split(' ').length > 5) return null;
  return { isFix: FIX_HEADINGS.has(words) };
}

/** Whether a text tells of a failure. */
export const tellsFailure = (text: string): boolean => FAILS.test(text);

/**
 * The part of a text that describes a failure, verbatim: all of it, or the text after "Fix the …".
 * @returns null for a text that only tells what is done or wanted
 */
export function failingPart(text: string): string | null {
  const plain = text.replace(PREFIX, '');
  const mended = plain.replace(MENDS, '');
  if (mended !== plain) return mended.length >= 8 && !FIX.test(mended) && tellsFailure(mended) ? mended : null;
  if (FIX.test(plain)) return null;
  return (PERHAPS_FIX.test(plain) || SHOULD.test(plain)) && !tellsFailure(plain) ? null : text;
}

/** A summary that begins with these words, or ends with a question mark, asks for a change or an answer. */
const ASKS =
  /^(?:as an? \w+|can (?:we|you|i)|could (?:we|you|i)|please|requests?|feature|nice to have|wish|idea|proposal|would|question|who|how|what|which|when|where|why|add|allow|build|bump|change|chore|ci|clean|copy|create|delete|deprecate|docs?|document|drop|enable|export|extend|extract|implement|improve|increase|introduce|keep|limit|load test|local(?:is|iz)e|logo|make|migrate|move|new|option|paramet(?:er|r)i[sz]e|print|raise|redesign|reduce|refactor|remove|rename|replace|report|set|show|sort|spelling|split|storybook|story|support|swap|switch|tests?|typo|unit tests?|update|upgrade|use|write)\b|\?\s*$/i;
/** Words that tell of a failure in a whole ticket, though a sentence with them may tell of the fix. */
const TELLS_MORE = /\b(?:nobody|still|twice|gone|vanish\w*|neither)\b/i;

/** Characters of a description in which a failure is looked for. */
const MAX_READ = 6000;

/** Whether a ticket tells, in its summary or its description, that something fails. */
const tellsOfFailure = ({ summary, description }: { summary: string; description: string }): boolean =>
  [summary, description.slice(0, MAX_READ)].some((text) => FAILS.test(text) || TELLS_MORE.test(text));

/** Whether a ticket is a feature request, a question or a chore: it asks for something, and tells of no failure. */
export const asksForChange = (ticket: { summary: string; description: string }): boolean =>
  ASKS.test(ticket.summary.replace(PREFIX, '').trim()) && !tellsOfFailure(ticket);
