/** The driver's own test mutates this: functions tested well, badly, so that a mutant hangs, or not at all. */
export const isOfAge = (years: number, age: number): boolean => years >= age;

export const isOld = (years: number, age: number): boolean => years > age;

export const older = (one: number, other: number): number => (one > other ? one : other);

export function empty(list: number[]): number[] {
  while (list.length) list.pop();
  return list;
}

export const untested = (years: number): boolean => !isOfAge(years, years);

const RETIRED = 65;

export const isRetired = (years: number): boolean => years >= RETIRED;

const born = { year: 1900 };

/** A mutant's change to `born` stays in the process after the mutant is switched off. */
export function yearOf(age: number): number {
  if (age > 90) born.year -= 1;
  return born.year + age;
}

export const makeEntry = () => ({ from: 6 });

export const makeTicket = () => ({ until: 12 });
