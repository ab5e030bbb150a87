import { applyWish } from '../screen/applyWish.ts';
import { readStyleWish } from '../style/styles.ts';
import type { DesignState } from './state.ts';

const WHAT_CAN_CHANGE =
  'I can add, remove, rename and reorder fields and buttons, make a field required or optional, use one or two columns, and turn the screen into another kind.';

/** Applies a text's wishes to the design. The note names the wishes that no rule matched. */
export function applyWishes(state: DesignState, words: string): Pick<DesignState, 'screen' | 'note' | 'style'> {
  const style = readStyleWish(words);
  const { screen, did, couldNot } = applyWish(state.screen, words);
  // Wishes about colour are applied by the style.
  const unmatched = couldNot.filter((wish) => !readStyleWish(wish));
  const note = [
    ...did,
    ...(style ? [`The style is now “${style}”.`] : []),
    ...(unmatched.length > 0 ? [`I couldn’t apply “${unmatched.join('; ')}”. ${WHAT_CAN_CHANGE}`] : []),
  ].join(' ');
  return { screen, note, style: style ?? state.style };
}
