import { nextId } from '../../../models/counter.ts';
import { findFile, readFileBytes } from '../../../models/files.ts';
import { Project, type ProjectRow } from '../../../models/project.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { changing } from '../../../models/store/revisions.ts';

/** Most projects listed for an agent. */
const MAX_LISTED = 50;

/** Stores a project. An existing key returns the existing project. */
export async function keepProject(project: Omit<ProjectRow, '_id' | 'createdAt'>): Promise<ProjectRow> {
  const { accountId, key } = project;
  const find = () => Project.findOne({ accountId, key }).lean();
  const standing = await find();
  if (standing) return standing;
  const row: ProjectRow = { ...project, _id: await nextId('project'), createdAt: new Date() };
  await changing(accountId, ['workspaces', 'agents'], () => onceByKey(() => Project.create(row)));
  return (await find()) ?? row;
}

/** The projects of an agent, newest first. */
export const readProjects = (accountId: number, userAgentId: number): Promise<ProjectRow[]> =>
  Project.find({ accountId, userAgentId }).sort({ _id: -1 }).limit(MAX_LISTED).lean();

/** Path of a project's preview page. */
export const previewUrl = ({ _id }: Pick<ProjectRow, '_id'>): string => `/api/replit/preview/${_id}`;

/**
 * A project's preview page; null where the account has no such project.
 * @throws AppError expired
 */
export async function readPreview(accountId: number, projectId: number): Promise<Buffer | null> {
  const project = await Project.findOne({ _id: projectId, accountId }).lean();
  return project && readFileBytes(await findFile({ _id: project.previewFileId }));
}
