import type { ComponentType } from 'react';
import { Example } from './clinical_safety/Example.tsx';

/** What a visitor sees of the agents before signing up; apart from the rest, so that the first page loads nothing else. */
export const EXAMPLES: readonly ComponentType[] = [Example];
