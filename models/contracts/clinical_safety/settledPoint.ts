import { z } from 'zod';

/**
 * How a person settled something of a log that can be read in several ways: the point, e.g. `scale` or `column:id`, and
 * the chosen candidate; null where they did not know.
 */
export const settledPoint = z.object({ point: z.string().max(200), choice: z.string().max(200).nullable() });
export type SettledPoint = z.infer<typeof settledPoint>;
