import { createHash } from 'node:crypto';
import type { ProjectRow } from '../../../../models/project.ts';
import { inflateEntry, readZipDirectory } from '../../../engine/files/zipArchive.ts';

const MAX_SLUG = 40;

/** A title as part of a path and of a branch: lower-case letters, digits and hyphens. */
export function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, MAX_SLUG).replace(/^-+|-+$/g, '') || 'app';
}

/** The branch of a project: the same for every attempt, and of no other project or company. */
export function branchOf({ accountId, key, name }: Pick<ProjectRow, 'accountId' | 'key' | 'name'>): string {
  const digest = createHash('sha256').update(`${accountId}:${key}`).digest('hex').slice(0, 10);
  return `arc/${slugOf(name)}-${digest}`;
}

/** The files of a project's archive, in a folder of their own, so that no file of the repository is replaced by chance. */
export const filesOf = (archive: Uint8Array, folder: string): { path: string; content: string }[] =>
  [...readZipDirectory(archive).values()].map((entry) => ({
    path: `${folder}/${entry.name}`,
    content: new TextDecoder().decode(inflateEntry(entry)),
  }));
