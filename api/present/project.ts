import { previewUrl } from '../../bot/engine/files/projects.ts';
import type { Project } from '../../models/contracts/agentWork.ts';
import type { ProjectRow } from '../../models/project.ts';

/** A project as pages get it. */
export const presentProject = (row: ProjectRow): Project => ({
  id: row._id,
  projectName: row.name,
  objective: row.objective,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  previewUrl: previewUrl(row),
});
