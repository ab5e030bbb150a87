import type { FileRow } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import type { ProjectRow } from '../../../../models/project.ts';
import type { RunRow } from '../../../../models/run.ts';
import { keepProject } from '../../../engine/files/projects.ts';
import { makeEntry, writeZip } from '../../../engine/files/zipArchive.ts';
import { drawFrames } from '../frames/drawFrames.ts';
import { renderPrototype } from '../prototype/prototype.ts';
import type { Screen } from '../screen/screen.ts';
import type { Style } from '../style/styles.ts';

const MAX_NAME_CHARACTERS = 60;

/** Makes a file name from a title: letters, digits, spaces and hyphens only. */
export const fileNameOf = (title: string): string =>
  // Cut between whole characters, because half of a surrogate pair can't be written into a URL.
  [
    ...title
      .replace(/[^\p{L}\p{N} -]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, MAX_NAME_CHARACTERS)
    .join('')
    .trim() || 'Screen';

type StoredDesign = { project: ProjectRow; prototype: FileRow; archive: FileRow; frames: number };

/**
 * Draws a screen and stores the page, every frame and an archive of the frames. All files are keyed by the run and its
 * round, so that a repetition after a crash stores them once.
 */
export async function keepDesign(
  run: Pick<RunRow, '_id' | 'accountId' | 'userAgentId' | 'agentId' | 'round'>,
  { screen, style, objective }: { screen: Screen; style: Style; objective: string },
  progress: (label: string, done: number, total: number) => void,
): Promise<StoredDesign> {
  const { accountId, userAgentId, agentId } = run;
  const title = fileNameOf(screen.title);
  const key = `design:${run._id}:${run.round}`;
  const frames = drawFrames(screen, style);
  const total = frames.length + 2;
  const keep = (part: string, name: string, type: string, bytes: Uint8Array) =>
    keepFile({ accountId, key: `${key}:${part}`, name, kind: 'export', type, bytes });
  progress('Writing the prototype', 0, total);
  const page = renderPrototype(screen, style);
  const prototype = await keep('page', `${title}, prototype.html`, 'text/html', Buffer.from(page));
  const drawn: ProjectRow['files'] = [];
  for (const [at, { state, theme, width, svg }] of frames.entries()) {
    progress('Drawing the frames', at + 1, total);
    const name = `${title}, ${state}, ${theme}, ${width}.svg`;
    const row = await keep(`frame:${at}`, name, 'image/svg+xml', Buffer.from(svg));
    drawn.push({ name: row.name, about: { part: 'frame', state, theme, width: String(width) } });
  }
  const entries = frames.map(({ state, theme, width, svg }) => makeEntry(`${state}-${theme}-${width}.svg`, svg));
  const archive = await keep('frames', `${title}, frames.zip`, 'application/zip', writeZip(entries));
  const project = await keepProject({
    accountId,
    userAgentId,
    agentId,
    runId: run._id,
    key,
    name: screen.title,
    objective,
    status: 'created',
    previewFileId: prototype._id,
    files: [
      { name: prototype.name, about: { part: 'prototype' } },
      { name: archive.name, about: { part: 'archive' } },
      ...drawn,
    ],
  });
  return { project, prototype, archive, frames: frames.length };
}
