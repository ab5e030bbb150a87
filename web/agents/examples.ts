import { type ComponentType, lazy } from 'react';
import { Example } from './clinical_safety/Example.tsx';

/** Example results for visitors. Listed apart from the agents, so that the landing page loads no agent code. */
export const EXAMPLES: readonly {
  id: string;
  /** Shown from the start, with a button that runs the sample. */
  Example: ComponentType<{ onRun: () => void; isRun: boolean }>;
  /** Runs the sample and shows its result. */
  Run: ComponentType;
}[] = [
  {
    id: 'log',
    Example,
    Run: lazy(async () => ({ default: (await import('./clinical_safety/SampleRun.tsx')).SampleRun })),
  },
];
