import { z } from 'zod';
import { readObjective } from '../screen/readObjective.ts';
import type { Screen } from '../screen/screen.ts';

/** The state of a design between its steps. A missing screen is read from the objective. */
export const designState = z
  .object({
    /** The request; empty until it is known. */
    objective: z.string().default(''),
    /** Set after an answer that did not give the objective. */
    isAgain: z.boolean().default(false),
    /** The screen with all wishes applied. */
    screen: z.custom<Screen>((it) => typeof it === 'object' && it !== null).optional(),
    /** The effect of the last wish, for the next question. */
    note: z.string().default(''),
    /** The name of the chosen style; null until then. */
    style: z.string().nullable().default(null),
    /** The page of styles that is shown. */
    stylePage: z.number().int().min(0).default(0),
    /** The step to return to after a wish. */
    back: z.string().default('layout'),
    /** The project of the last drawing. */
    projectId: z.number().optional(),
  })
  .transform((it) => ({ ...it, screen: it.screen ?? readObjective(it.objective) }));

export type DesignState = z.output<typeof designState>;
