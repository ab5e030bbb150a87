import { groupPhase, type Phase } from './headerWords.ts';

/** The start of each part of a line that speaks of before or after controls. */
const PART = /(?=\b(?:before|after|initial|residual|inherent|unmitigated|mitigated|pre|post|target)\b)/i;
/** "severity 2", "likelihood = B", "Risk score: 3 (undesirable)", and behind one of them "· Rating 4". */
const RATING =
  /\b(severity|consequence|likelihood|probability|risk(?: (?:score|rating|level))?|(?<=[·•|,;] ?)(?:rating|score))\b ?(?:is|of|=|:)? ?(?!\s*(?:severity|consequence|likelihood|probability|risk)\b)([^,;.:=|→·•]{1,40}?)(?=\s*[,;.|→·•]|\s+[–—]\s|\s+and\b|\s+(?:severity|consequence|likelihood|probability|risk)\b|$)/gi;
/** "Residual risk: 2 (very low probability with controls)": what is in brackets explains the rating in front. */
const isInBrackets = (text: string, at: number): boolean => {
  const before = text.slice(0, at);
  return before.lastIndexOf('(') > before.lastIndexOf(')');
};
/** A longer line is prose. */
const MAX_LENGTH = 300;

/**
 * The ratings that one line of text gives: "Before: severity 2, likelihood B. After: severity 2, likelihood D." as a
 * heading and a text each; none where it gives fewer than two.
 * @param above the phase that the line above gives them, where they name none
 */
export function ratingsInLine(line: string, above: Phase | null = null): { heading: string; text: string }[] {
  if (line.length > MAX_LENGTH) return [];
  const found = line.split(PART).flatMap((part) => {
    const phase = groupPhase(part.trim()) ?? above;
    return [...part.matchAll(RATING)]
      .filter(({ index }) => !isInBrackets(part, index))
      .map(([, rating = '', text = '']) => ({
        heading: `${phase ? `${phase} ` : ''}${rating.toLowerCase()}`,
        text: text.trim(),
      }));
  });
  // "severity 1–5, risk = S × L" explains the scale.
  const isScale = found.some(({ text }) => /^\d+ ?[-–] ?\d+$|[×*]/.test(text));
  return found.length > 1 && !isScale ? found : [];
}
