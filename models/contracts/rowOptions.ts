import { z } from 'zod';

/** A suggested grade, for discussion only: 1 (lowest) to 5, with its texts. */
export const rowGrade = z.object({ value: z.number(), texts: z.array(z.string()) });

/** One of the options that a row may be matched to. */
export const rowOption = z.object({
  id: z.string(),
  /** Display id of the row with this option; the row's own where absent. */
  name: z.string().optional(),
  /** Null where consent withholds it; the id is shown instead. */
  title: z.string().nullable(),
  /** True where the id means nothing to people, so that the title stands alone. */
  isTitleOnly: z.boolean().optional(),
  /** The match score: "0.83". */
  note: z.string().nullable(),
  group: z.string().nullable(),
  /** The row's values with this option; null where consent withholds them or the option has none. */
  values: z.record(z.string(), z.string()).nullable(),
  /** Of the row with this option. */
  grade: rowGrade.nullable(),
});
export type RowOption = z.infer<typeof rowOption>;

type Option = Pick<RowOption, 'id' | 'title' | 'isTitleOnly'>;

/** The code by which people know an option; null where only its title says something to them. */
export const codeOf = ({ id, title, isTitleOnly }: Option): string | null =>
  isTitleOnly && title !== null ? null : id;

/** The code of the option that a row has: the chosen one, or the one that it is used with. */
export function codeOfRow({ option, options }: { option: string; options: readonly Option[] }, choice: string | null) {
  const id = choice ?? option;
  const own = options.find((one) => one.id === id);
  return own ? codeOf(own) : id;
}

/** An option in a line: "MED-08 A dose is wrong", "New cause of HAZ-005: Old dose". */
export const describeOption = (option: Option): string => [codeOf(option), option.title].filter(Boolean).join(' ');
