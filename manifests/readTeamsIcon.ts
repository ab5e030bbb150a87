import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEAMS_ICONS } from './teams.ts';

/** The icons are next to this file in the sources, and next to the bundle in the build. */
const here = dirname(fileURLToPath(import.meta.url));

/**
 * An icon of the Teams app as PNG, in the form that Teams requires: `color` 192 × 192, opaque; `outline` 32 × 32, white
 * on transparent.
 */
export const readTeamsIcon = (icon: keyof typeof TEAMS_ICONS): Buffer => readFileSync(join(here, TEAMS_ICONS[icon]));
