import { z } from 'zod';
import { readObjective } from '../screen/readObjective.ts';
import type { Screen } from '../screen/screen.ts';

/** What a design run keeps between its steps; what is not there yet follows from the objective. */
export const designState = z
  .object({
    /** The words that asked for it; empty until they are known. */
    objective: z.string().default(''),
    /** The screen as it stands after every wish. */
    screen: z.custom<Screen>((it) => typeof it === 'object' && it !== null).optional(),
    /** What was done about the last wish, for the next question. */
    note: z.string().default(''),
    /** The name of the style that was chosen; null until then. */
    style: z.string().nullable().default(null),
    /** Which page of styles is offered. */
    stylePage: z.number().int().min(0).default(0),
    /** The step that a wish leads back to. */
    back: z.string().default('layout'),
    /** What was drawn last. */
    projectId: z.number().optional(),
  })
  .transform((it) => ({ ...it, screen: it.screen ?? readObjective(it.objective) }));

export type DesignState = z.output<typeof designState>;
