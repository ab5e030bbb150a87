import type { LogShape } from './hazards.ts';

type Matrix = LogShape['matrix'];

const BASIS: Record<NonNullable<Matrix['basis']>, string> = {
  stated: 'It stands in the file.',
  chosen: 'Your company chose it.',
  consistent: 'Most recorded risks follow it.',
  contradicted: 'It stands in the file, but most recorded risks differ from it: check that it is the log’s.',
  assumed: 'This is assumed: the kind of ratings suggests it, and nothing in the file states it.',
};

/** What an applied matrix rests on, in a sentence; empty for none, and in results before engine 1.4. */
export const describeBasis = ({ basis }: Pick<Matrix, 'basis'>): string => (basis ? BASIS[basis] : '');
