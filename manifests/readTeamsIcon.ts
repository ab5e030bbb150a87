import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEAMS_ICONS } from './teams.ts';

/** Where the pictures stand: beside this file in the sources, beside the code that holds it in the build. */
const here = dirname(fileURLToPath(import.meta.url));

/**
 * The bytes of a picture of the Teams app, as PNG: `color` is 192 x 192 and opaque, `outline` 32 x 32 and white on
 * nothing, as Teams asks.
 */
export const readTeamsIcon = (icon: keyof typeof TEAMS_ICONS): Buffer => readFileSync(join(here, TEAMS_ICONS[icon]));
