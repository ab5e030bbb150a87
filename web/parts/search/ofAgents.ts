import { WEB_AGENTS } from '../../agents/index.ts';
import type { Place } from './places.ts';

/** Pages of the agents. */
export const AGENT_PAGES: readonly Place[] = WEB_AGENTS.flatMap(({ id, pages = [] }) =>
  pages.map(({ path, title }) => ({ title, path: `/agents/${id}/${path}`, note: 'Page of an agent' })),
);

const searchable = ['questions', 'pages', ...WEB_AGENTS.flatMap(({ finds = [] }) => finds)].sort();

/** What can be searched: "Analyses, findings, …". */
export const SEARCHABLE = searchable.join(', ').replace(/^./, (first) => first.toUpperCase());
