import type { readDesk } from './desk.ts';
import type { AnswerOf } from './endpoint.ts';

type Desk = AnswerOf<typeof readDesk>;

/** What waits for a person: "Review, 31 of 50". */
export const describeNext = ({ label, progress }: NonNullable<Desk['next']>): string =>
  progress ? `${label}, ${progress.decided} of ${progress.of}` : label;

/** Who asks, and how many other questions wait: "Clara, and 2 more". */
export const describeAsker = ({ next, waiting }: Pick<Desk, 'next' | 'waiting'>): string =>
  `${next?.agentName ?? ''}${waiting > 1 ? `, and ${waiting - 1} more` : ''}`;

/** The figures of a result in a line: "25 rows, 7 to fix, coverage 3 of 69". */
export const describeFigures = ({ figures }: NonNullable<Desk['newest']>): string =>
  figures.map(({ label, value }) => (label === 'coverage' ? `${label} ${value}` : `${value} ${label}`)).join(', ');

/** Whether there is anything to come back to. */
export const hasDesk = ({ next, assigned, newest, nextRun }: Desk): boolean =>
  Boolean(next || assigned[0] || newest || nextRun);

/** The page that goes on with what waits: the question, else work that was given, else the newest result. */
export const pathToContinue = ({ next, assigned, newest }: Desk): string =>
  next ? `/agent-inbox?interrupt=${next.interruptId}` : (assigned[0]?.path ?? newest?.path ?? '/arc-chat');
