import { type DeviceFacts, factOf } from '../facts/facts.ts';

export type SoftwareSafety = { class: 'A' | 'B' | 'C'; because: string; isAssumed: boolean };

const CLASSES: Record<string, Omit<SoftwareSafety, 'isAssumed'>> = {
  none: { class: 'A', because: 'a failure of the software can lead to no injury' },
  controlled: {
    class: 'A',
    because:
      'a failure leads to no unacceptable risk once measures outside the software are counted (amendment 1 of 2015)',
  },
  minor: { class: 'B', because: 'a failure of the software can lead to a non-serious injury' },
  serious: { class: 'C', because: 'a failure of the software can lead to a serious injury or death' },
};

/** What a failure is said to lead to where that is less than decisions on the information may cause. */
const MILD: Record<string, string> = { none: 'no injury', minor: 'a non-serious injury' };
const GRAVE: Record<string, string> = { death: 'death or irreversible harm', serious: 'serious harm' };

/**
 * Whether two facts on harm contradict each other: what decisions on the information may cause (rule 11), and what a
 * failure of the software can lead to (IEC 62304). Measures outside the software may explain a difference, so
 * `controlled` is none.
 * @returns the sentence to show; null where they fit, or one is missing
 */
export function findContradiction(facts: DeviceFacts): string | null {
  const [grave, mild] = [GRAVE[factOf(facts, 'harm') ?? ''], MILD[factOf(facts, 'failure') ?? '']];
  return grave && mild && factOf(facts, 'decisions') !== 'no'
    ? `Check these facts together: decisions on its information may cause ${grave}, but a failure of the software is said to lead to ${mild}. One of the two is probably wrong, and with it a class.`
    : null;
}

/** The safety class of IEC 62304, 4.3. Software counts as class C until a class is assigned. */
export function softwareSafety(facts: DeviceFacts): SoftwareSafety {
  const found = CLASSES[factOf(facts, 'failure') ?? ''];
  return found
    ? { ...found, isAssumed: false }
    : {
        class: 'C',
        because: 'it is not known what a failure leads to, and software counts as class C until a class is assigned',
        isAssumed: true,
      };
}
