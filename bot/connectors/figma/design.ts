import type { Access, DesignFile, DesignFrame, DesignSource } from '../../engine/connectors/connector.ts';
import { isRefused } from '../../engine/connectors/failure.ts';
import { asJson, readJson } from '../../engine/connectors/requests.ts';
import { readAddress } from './address.ts';
import { type FigmaNode, framesOf, textsOf } from './nodes.ts';

export const API = 'https://api.figma.com/v1';
/** Projects of a team, and files in all, that there is a choice among. */
const MAX_PROJECTS = 10;
const MAX_FILES = 50;
/** Frames whose texts are read, and how many of them one call asks for. */
const MAX_FRAMES = 40;
const BATCH = 5;

const fileAt = (key: string) => `${API}/files/${encodeURIComponent(key)}`;

async function listProject(access: Access, id: string): Promise<DesignFile[]> {
  const { files } = await readJson<{ files: DesignFile[] }>(access, `${API}/projects/${id}/files`);
  return files.map(({ key, name }) => ({ key, name }));
}

async function listTeam(access: Access, id: string): Promise<DesignFile[]> {
  const { projects } = await readJson<{ projects: { id: string; name: string }[] }>(
    access,
    `${API}/teams/${id}/projects`,
  );
  const found: DesignFile[] = [];
  // One after the other: Figma limits calls by the minute.
  for (const project of projects.slice(0, MAX_PROJECTS)) {
    const files = await listProject(access, String(project.id));
    found.push(...files.map(({ key, name }) => ({ key, name: `${project.name}: ${name}` })));
    if (found.length >= MAX_FILES) break;
  }
  return found;
}

/** The texts of frames by their ids; null for frames that Figma does not give, because they are too large. */
async function readTexts(access: Access, key: string, ids: readonly string[]): Promise<Map<string, string[] | null>> {
  const found = new Map<string, string[] | null>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const asked = ids.slice(at, at + BATCH);
    const query = new URLSearchParams({ ids: asked.join(',') });
    const { nodes } = await readJson<{ nodes: Record<string, { document: FigmaNode } | null> }>(
      access,
      `${fileAt(key)}/nodes?${query}`,
    ).catch((error: unknown) => {
      if (isRefused(error)) return { nodes: {} as Record<string, null> };
      throw error;
    });
    for (const id of asked) found.set(id, nodes[id] ? textsOf(nodes[id].document) : null);
  }
  return found;
}

type Link = { id: string; url: string; node_id: string };

/** Leaves a developers' link on a frame. @returns whether Figma accepted it */
async function addResource(access: Access, key: string, frameId: string, name: string, url: string): Promise<boolean> {
  const query = new URLSearchParams({ node_ids: frameId });
  const { dev_resources: known } = await readJson<{ dev_resources: Link[] }>(
    access,
    `${fileAt(key)}/dev_resources?${query}`,
  );
  if (known.some((one) => one.url === url)) return true;
  const made = await readJson<{ links_created?: Link[] }>(
    access,
    `${API}/dev_resources`,
    asJson('POST', { dev_resources: [{ name, url, file_key: key, node_id: frameId }] }),
  );
  return (made.links_created ?? []).length > 0;
}

export const design: DesignSource = {
  async listFiles(access, { address = '' }) {
    const place = readAddress(address);
    if (place?.kind === 'project') return (await listProject(access, place.id)).slice(0, MAX_FILES);
    if (place?.kind === 'team') return (await listTeam(access, place.id)).slice(0, MAX_FILES);
    if (!place) return [];
    const { name } = await readJson<{ name: string }>(access, `${fileAt(place.id)}?depth=1`);
    return [{ key: place.id, name }];
  },

  fileKeyOf(address) {
    const place = readAddress(address);
    return place?.kind === 'file' ? place.id : null;
  },

  async readFrames(access, key) {
    const { document } = await readJson<{ document: FigmaNode }>(access, `${fileAt(key)}?depth=2`);
    const frames = framesOf(document);
    const ids = frames.slice(0, MAX_FRAMES).map(({ id }) => id);
    const texts = await readTexts(access, key, ids);
    return frames.map((frame): DesignFrame => ({ ...frame, texts: texts.get(frame.id) ?? null }));
  },

  async leaveLink(access, { fileKey, frameId, comment, name, url }) {
    const comments = `${fileAt(fileKey)}/comments`;
    const { comments: known } = await readJson<{ comments: { message: string }[] }>(access, comments);
    if (!known.some(({ message }) => message.includes(url))) {
      const place = { node_id: frameId, node_offset: { x: 0, y: 0 } };
      await readJson(access, comments, asJson('POST', { message: comment, client_meta: place }));
    }
    try {
      return { isLinked: await addResource(access, fileKey, frameId, name, url) };
    } catch (error) {
      // The comment is there: who may comment may not always change what developers see.
      if (isRefused(error)) return { isLinked: false };
      throw error;
    }
  },
};
