import type { Mutant } from './mutants.ts';

/** A mutant that was read and changes nothing that can be noticed. */
export type Equivalent = {
  file: string;
  /** The line of the source and what the mutant makes of it, as the driver prints them. */
  line: string;
  becomes: string;
  reason: string;
};

/** Survivors that nothing can notice, each with the reason. One that fits no mutant any more fails a test. */
export const EQUIVALENT: Equivalent[] = [];

export const isEntryOf = ({ file, line, becomes }: Equivalent, mutant: Mutant) =>
  mutant.file === file && mutant.before === line && mutant.becomes === becomes;
