import { z } from 'zod';
import { isoDate } from './endpoint.ts';
import { surface } from './surface.ts';

/** Who decided one row of a review, when and on which surface. */
export const rowDecider = z.object({
  /** The row's id. */
  id: z.string(),
  userId: z.number().int().nullable(),
  name: z.string(),
  at: isoDate,
  via: surface,
});
export type RowDecider = z.infer<typeof rowDecider>;

type Person = Pick<RowDecider, 'userId' | 'name'>;

/** How many rows each person decided, in the order of their first row. */
export function countByPerson(deciders: readonly Person[]): (Person & { rows: number })[] {
  const people: (Person & { rows: number })[] = [];
  for (const { userId, name } of deciders) {
    const known = people.find((one) => one.userId === userId && (userId !== null || one.name === name));
    if (known) known.rows += 1;
    else people.push({ userId, name, rows: 1 });
  }
  return people;
}

/**
 * "31 by Bo Lind, 19 by you"; empty without rows.
 * @param you the reader, who is named last
 */
export function describeDeciders(deciders: readonly Person[], you: number | null = null): string {
  const people = countByPerson(deciders);
  const isYou = ({ userId }: Person) => you !== null && userId === you;
  return [...people.filter((one) => !isYou(one)), ...people.filter(isYou)]
    .map((one) => `${one.rows} by ${isYou(one) ? 'you' : one.name}`)
    .join(', ');
}
