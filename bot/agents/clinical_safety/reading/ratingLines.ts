import { groupPhase } from './headerWords.ts';

/** The start of each part of a line that speaks of before or after controls. */
const PART = /(?=\b(?:before|after|initial|residual|inherent|unmitigated|mitigated|pre|post|target)\b)/i;
/** "severity 2", "likelihood = B", "Risk score: 3 (undesirable)". */
const RATING =
  /\b(severity|consequence|likelihood|probability|risk(?: (?:score|rating|level))?)\b ?(?:is|of|=|:)? ?(?!\s*(?:severity|consequence|likelihood|probability|risk)\b)([^,;.:=]{1,40}?)(?=[,;.]|\s+and\b|\s+(?:severity|consequence|likelihood|probability|risk)\b|$)/gi;
/** A longer line is prose. */
const MAX_LENGTH = 300;

/**
 * The ratings that one line of text gives: "Before: severity 2, likelihood B. After: severity 2, likelihood D." as a
 * heading and a text each; none where it gives fewer than two.
 */
export function ratingsInLine(line: string): { heading: string; text: string }[] {
  if (line.length > MAX_LENGTH) return [];
  const found = line.split(PART).flatMap((part) => {
    const phase = groupPhase(part.trim());
    return [...part.matchAll(RATING)].map(([, rating = '', text = '']) => ({
      heading: `${phase ? `${phase} ` : ''}${rating.toLowerCase()}`,
      text: text.trim(),
    }));
  });
  // "severity 1–5, risk = S × L" explains the scale.
  const isScale = found.some(({ text }) => /^\d+ ?[-–] ?\d+$|[×*]/.test(text));
  return found.length > 1 && !isScale ? found : [];
}
