import { listAnalyses, readAnalysis } from '../../../models/contracts/clinical_safety/analyses.ts';
import { listFindingLives } from '../../../models/contracts/clinical_safety/findingLives.ts';
import type { PageLoad } from '../../../models/contracts/pageLoad.ts';

/** Opens every address that belongs to an agent. */
const FRAME = 'pages/agents/AnyOtherPage.tsx';

/** What the pages of analyses need first. */
export const pageLoads: readonly PageLoad[] = [
  {
    path: '/analyses',
    modules: [FRAME, 'agents/clinical_safety/analyses/AnalysesPage.tsx'],
    reads: [listAnalyses],
  },
  {
    path: '/analyses/:id',
    modules: [FRAME, 'agents/clinical_safety/analyses/AnalysisPage.tsx'],
    reads: [readAnalysis, listFindingLives],
  },
];
