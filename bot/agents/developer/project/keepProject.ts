import type { FileRow } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import type { ProjectRow } from '../../../../models/project.ts';
import type { RunRow } from '../../../../models/run.ts';
import { nameOfTitle } from '../../../engine/files/nameOfTitle.ts';
import { keepProject } from '../../../engine/files/projects.ts';
import type { App } from '../apps/app.ts';
import { writeProject } from './writeProject.ts';

type Built = { project: ProjectRow; archive: FileRow };

/** Writes an app and stores its page and its archive under the run and the round, so that a repetition stores them once. */
export async function buildProject(
  { _id, accountId, userAgentId, agentId }: Pick<RunRow, '_id' | 'accountId' | 'userAgentId' | 'agentId'>,
  round: number,
  { app, objective }: { app: App; objective: string },
): Promise<Built> {
  const { page, archive: zip } = writeProject(app);
  const key = `project:${_id}:${round}`;
  const name = nameOfTitle(app.title, 'App');
  const keep = (part: string, fileName: string, type: string, bytes: Uint8Array) =>
    keepFile({ accountId, key: `${key}:${part}`, name: fileName, kind: 'export', type, bytes });
  const shown = await keep('page', `${name}.html`, 'text/html', Buffer.from(page));
  const archive = await keep('archive', `${name}.zip`, 'application/zip', zip);
  const project = await keepProject({
    ...{ accountId, userAgentId, agentId, runId: _id, key, name: app.title, objective, status: 'created' },
    previewFileId: shown._id,
    files: [{ name: archive.name, about: { part: 'archive' } }],
  });
  return { project, archive };
}
