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
