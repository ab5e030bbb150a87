import type { DesignFrame } from '../../engine/connectors/connector.ts';

/** A layer of a file (https://developers.figma.com/docs/rest-api/file-node-types). */
export type FigmaNode = {
  id: string;
  name: string;
  type: string;
  visible?: boolean;
  /** Of a text. */
  characters?: string;
  absoluteBoundingBox?: { width: number; height: number } | null;
  children?: FigmaNode[];
};

const FRAMES = new Set(['FRAME', 'SECTION', 'COMPONENT', 'COMPONENT_SET']);
/** Texts of a frame that are read, and characters of each. */
const MAX_TEXTS = 200;
const MAX_CHARACTERS = 500;

const isShown = ({ visible = true }: FigmaNode) => visible;

/** The frames directly on the pages of a file. */
export const framesOf = ({ children: pages = [] }: FigmaNode): Omit<DesignFrame, 'texts'>[] =>
  pages.flatMap(({ name: page, children = [] }) =>
    children
      .filter((node) => FRAMES.has(node.type) && isShown(node))
      .map(({ id, name, absoluteBoundingBox: box }) => ({
        ...{ id, page, name },
        size: box ? { width: Math.round(box.width), height: Math.round(box.height) } : null,
      })),
  );

/** The texts that a frame shows, in the order of its layers; each once. */
export function textsOf(frame: FigmaNode): string[] {
  const found = new Set<string>();
  const open = [frame];
  for (let node = open.pop(); node && found.size < MAX_TEXTS; node = open.pop()) {
    if (!isShown(node)) continue;
    const text = node.type === 'TEXT' ? (node.characters ?? '').replace(/\s+/g, ' ').trim() : '';
    if (text) found.add(text.slice(0, MAX_CHARACTERS));
    open.push(...(node.children ?? []).toReversed());
  }
  return [...found];
}
