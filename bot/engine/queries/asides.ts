/** Ends of a sentence, and places within one where a remark may begin or end. */
const ENDS = /(?<=[.!?;])\s+|\n+|\s+[–—]\s+|(?<=,)\s+|(?<=:)\s+/;
/** Beginnings of a clause that tells what an answer is for, or about the asker: it picks no rows. */
const ASIDE =
  /^(?:so (?:that )?(?:i|we|the|my|our)|for (?:the|my|our|a|an|tomorrow|today|monday|tuesday|wednesday|thursday|friday|next|this)\b|because|since (?:i|we)|as (?:i|we)|ahead of|in time for|before (?:the|my|our|i|we|monday|tuesday|wednesday|thursday|friday|tomorrow|lunch)|i\b|i[’']|we\b|we[’']|my\b|our\b|it[’']s|it (?:is|was|keeps|came|comes|has)|this is|that[’']s|there[’']s|they\b|the (?:board|auditor|audit|boss|cso|meeting|committee|regulator|trust|team|customer|client|chair)\b|he\b|she\b|somebody|someone|asking|need(?:ed|s)? (?:it|this|them)|want(?:ed|s)? (?:it|this|them)|to be|just|sorry|thanks|thank|cheers|ta\b|please|pls|hi\b|hello|hey|morning|afternoon|evening|good (?:morning|afternoon|evening)|right|ok|okay|quick|no rush|urgent\b|asap|when you)/i;
/** Words that make a remark a condition after all. */
const CONDITION =
  /\b(?:only|not just|except|apart from|exclud\w+|other than|without|unless|but not|instead|mean|meant|rather)\b/i;
const MAX_PARTS = 8;
const MAX_LEFT = 160;

/** Whether words beside a question may be left out if they say nothing about its rows. */
const isAside = (words: string) =>
  words.length <= MAX_LEFT && !words.includes('?') && !CONDITION.test(words) && !/\d/.test(words) && ASIDE.test(words);

/**
 * A text without remarks before and behind the question: "We're reviewing seats. How many people …?", "…, for the
 * slide on quick wins". Who calls has to check that what is left out says nothing about the rows, and to name it.
 */
export function withoutAsides(text: string): { asked: string; left: string[] }[] {
  const parts = text.trim().split(ENDS, MAX_PARTS + 1);
  if (parts.length < 2 || parts.length > MAX_PARTS) return [];
  const clean = (words: string) => words.replace(/^[\s,;:.!–—]+|[\s,;:.!–—]+$/g, '');
  const firsts = parts.findIndex((part) => !isAside(clean(part)));
  const last = parts.findLastIndex((part) => !isAside(clean(part)));
  if (firsts < 0 || (firsts === 0 && last === parts.length - 1)) return [];
  const left = [...parts.slice(0, firsts), ...parts.slice(last + 1)].map(clean).filter(Boolean);
  return [{ asked: parts.slice(firsts, last + 1).join(' '), left }];
}
