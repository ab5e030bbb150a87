import { previewUrl } from '../../bot/engine/files/projects.ts';
import type { Project } from '../../models/contracts/agentWork.ts';
import type { ProjectRow } from '../../models/project.ts';

/** What an agent made, as pages see it. */
export const presentProject = (row: ProjectRow): Project => ({
  id: row._id,
  projectName: row.name,
  objective: row.objective,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  previewUrl: previewUrl(row),
});
