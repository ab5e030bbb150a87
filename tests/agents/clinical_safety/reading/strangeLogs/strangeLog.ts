/** A rating as a reader of the file finds it: severity, likelihood and, where the file has a number for it, the risk. */
type StrangeRating = readonly [severity: string | null, likelihood: string | null, risk?: number];

/** A log in a layout of its own, with what a reader of the file finds in it. */
export type StrangeLog = {
  kind: string;
  fileName: string;
  bytes: () => Uint8Array;
  hazards: readonly {
    /** Null where the file gives none. */
    id: string | null;
    name: string;
    effect: string;
    causes: readonly string[];
    controls: readonly string[];
    initial?: StrangeRating;
    residual?: StrangeRating;
  }[];
};
