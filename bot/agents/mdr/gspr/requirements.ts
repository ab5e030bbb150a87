import { DESIGN } from './design.ts';
import { GENERAL } from './general.ts';
import { INFORMATION } from './information.ts';
import { type Requirement, toRequirement } from './requirement.ts';

/** Every number of Annex I of MDR 2017/745, in its order. */
export const REQUIREMENTS: readonly Requirement[] = [...GENERAL, ...DESIGN, ...INFORMATION].map(toRequirement);
