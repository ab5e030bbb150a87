import { lazy } from 'react';
import { later } from '../../parts/later.tsx';
import type { WebAgent } from '../agent.ts';
import { ANALYSES_PATH, ANALYSES_TITLE } from './analyses/analyses.ts';
import { FilesPanel } from './chat/FilesPanel.tsx';
import { NextSteps } from './chat/NextSteps.tsx';
import { Evidence, isResult, ResultLinks } from './chat/Result.tsx';
import { DECISIONS_PATH, DECISIONS_TITLE } from './decisions/decisions.ts';
import { EVALUATION_PATH, EVALUATION_TITLE } from './evaluation/evaluation.ts';
import { FILE_WORDS } from './fileWords.ts';
import { PROFILES_PATH, PROFILES_TITLE } from './profiles/profiles.ts';
import { startSample } from './startSample.ts';

const Panel = lazy(async () => ({ default: (await import('./SafetyPanel.tsx')).SafetyPanel }));

const Measured = lazy(async () => ({ default: (await import('./evaluation/EvaluationPage.tsx')).EvaluationPage }));

const Profiles = lazy(async () => ({ default: (await import('./profiles/ProfilesPage.tsx')).ProfilesPage }));

const Decisions = lazy(async () => ({ default: (await import('./decisions/DecisionsPage.tsx')).DecisionsPage }));

const Analyses = later(async () => (await import('./analyses/AnalysesPage.tsx')).AnalysesPage);

const Analysis = later(async () => (await import('./analyses/AnalysisPage.tsx')).AnalysisPage);

const Print = later(async () => (await import('./evidence/PrintPage.tsx')).PrintPage);

const Shared = lazy(async () => ({ default: (await import('./evidence/SharedEvidence.tsx')).SharedEvidence }));

/** The clinical safety agent's parts of the pages. */
export const clinicalSafety: WebAgent = {
  id: 'clinical_safety',
  Panel,
  hasOwnTasks: true,
  NextSteps,
  pages: [
    { path: PROFILES_PATH, title: PROFILES_TITLE, subject: 'how your logs are read', Page: Profiles },
    { path: DECISIONS_PATH, title: DECISIONS_TITLE, subject: 'what was decided on matches', Page: Decisions },
    { path: EVALUATION_PATH, title: EVALUATION_TITLE, subject: 'how the agent is measured', Page: Measured },
  ],
  routes: [
    { path: ANALYSES_PATH, title: ANALYSES_TITLE, subject: 'your analyses', Page: Analyses },
    { path: `${ANALYSES_PATH}/:id`, title: 'Analysis', subject: 'this analysis', Page: Analysis },
    { path: `${ANALYSES_PATH}/:id/print`, title: 'Evidence', subject: 'the evidence of this analysis', Page: Print },
  ],
  result: { isIn: isResult, Evidence, Links: ResultLinks },
  Shared,
  finds: ['analyses', 'findings', 'hazards', 'tickets'],
  firstResult: {
    title: 'See a first result',
    text: 'Clara reads a sample hazard log with its tickets, and shows what is wrong and where. It takes a few seconds.',
    button: 'Start with a sample',
    start: startSample,
  },
  files: {
    Panel: FilesPanel,
    ...FILE_WORDS,
  },
};
