import type { AnswerBody } from '../../../../models/contracts/interrupts.ts';

const YES = /^(yes|yep|approve[d]?|accept(ed)?)( please)?( (it|them|all|everything))?( please)?[\s.!]*$/i;
const NO = /^(no|nope|reject(ed)?|refuse[d]?|decline[d]?)( (thanks|thank you))?( (it|them|all|everything))?[\s.!]*$/i;

const REASONED_NO =
  /^(?:no|nope|reject(?:ed)?|refused?|declined?)(?: (?:it|them))?(?:\s*:\s*|\s+[-–—]\s+|,?\s+because\s+)(?<reason>\S.*)$/is;
const YES_OR_NO_FIRST = /^(?:yes|yep|no|nope|approved?|accept(?:ed)?|reject(?:ed)?|refused?|declined?)\b/i;

/** A rejection with its reason, e.g. "no: the owner is missing" or "reject because …"; null otherwise. */
export function readReasonedNo(text: string): AnswerBody | null {
  const reason = REASONED_NO.exec(text)?.groups?.reason;
  return reason ? { approved: false, reason } : null;
}

/** Whether a text begins like a yes or a no, whatever follows. */
export const beginsLikeAnAnswer = (text: string): boolean => YES_OR_NO_FIRST.test(text);

/** Yes or no, where the text says nothing else; null otherwise. */
export const readYesOrNo = (text: string, yes = YES, no = NO): AnswerBody | null =>
  yes.test(text) ? { approved: true } : no.test(text) ? { approved: false } : null;
