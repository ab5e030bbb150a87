const CLASSES = ['I', 'IIa', 'IIb', 'III'] as const;
export type DeviceClass = (typeof CLASSES)[number];

const rank = (it: DeviceClass) => CLASSES.indexOf(it);

/** The highest of the classes; null for none. */
export const highest = (classes: readonly DeviceClass[]): DeviceClass | null =>
  classes.reduce<DeviceClass | null>((top, it) => (top === null || rank(it) > rank(top) ? it : top), null);

/** One rule with what it gives. */
export type AppliedRule = {
  /** "Rule 11, first part". */
  rule: string;
  gives: DeviceClass;
  because: string;
};

/** A class with its reasons; the class is null while facts are missing that could change it. */
export type Reasoned = {
  class: DeviceClass | null;
  /** What the known facts give at least; null where they give nothing yet. */
  atLeast: DeviceClass | null;
  rules: AppliedRule[];
};

export const isDeviceClass = (value: string | undefined): value is DeviceClass => CLASSES.some((it) => it === value);
