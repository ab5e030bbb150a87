import { applyWish } from '../screen/applyWish.ts';
import { styleWished } from '../style/styles.ts';
import type { DesignState } from './state.ts';

const WHAT_CAN_CHANGE =
  'I can add, remove, rename and reorder fields and buttons, make a field required or optional, use one or two columns, and turn the screen into another kind.';

/** Acts on somebody's words about the design. What no rule could act on is said, never left out silently. */
export function heed(state: DesignState, words: string): Pick<DesignState, 'screen' | 'note' | 'style'> {
  const style = styleWished(words);
  const { screen, did, couldNot } = applyWish(state.screen, words);
  // Words about the colour are heeded by the style.
  const left = couldNot.filter((wish) => !styleWished(wish));
  const note = [
    ...did,
    ...(style ? [`The style is “${style}” now.`] : []),
    ...(left.length > 0 ? [`I could not act on “${left.join('; ')}”. ${WHAT_CAN_CHANGE}`] : []),
  ].join(' ');
  return { screen, note, style: style ?? state.style };
}
