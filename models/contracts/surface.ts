import { z } from 'zod';
import { CHANNEL_SURFACES } from './channels.ts';

/** Where a question is shown and answered. */
export const surface = z.enum([...CHANNEL_SURFACES, 'mail', 'api']);
export type Surface = z.infer<typeof surface>;
