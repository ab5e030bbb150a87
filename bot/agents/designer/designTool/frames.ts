import type { DesignFrame } from '../../../engine/connectors/connector.ts';

/** A text of a frame that can be a field: short, and with a letter. */
const MAX_LABEL = 40;
const MAX_LABELS = 12;
/** Texts that a reply shows of each frame, and frames. */
const MAX_SHOWN_TEXTS = 12;
const MAX_SHOWN_FRAMES = 20;

/** A text as a label in a request: without the punctuation that separates labels. */
const toLabel = (text: string): string =>
  text
    .replace(/[,;:.*!?\n]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The frame that an address names (`node-id=1-2`), and otherwise the first one with texts. */
export function chooseFrame(frames: readonly DesignFrame[], address: string): DesignFrame | null {
  const named = URL.canParse(address) ? new URL(address).searchParams.get('node-id')?.replaceAll('-', ':') : null;
  const found = named ? frames.find(({ id }) => id === named) : undefined;
  return found ?? frames.find(({ texts }) => (texts ?? []).length > 0) ?? frames[0] ?? null;
}

/** A request for a screen with the texts of a frame as its fields. */
export function requestFrom({ name, texts }: Pick<DesignFrame, 'name' | 'texts'>, title: string): string {
  const labels = [...new Set((texts ?? []).map(toLabel))].filter(
    (label) => label.length <= MAX_LABEL && /\p{L}/u.test(label) && label !== title,
  );
  const fields = labels.slice(0, MAX_LABELS).join(', ');
  return `Design a screen for ${toLabel(title) || toLabel(name)}${fields ? ` with ${fields}` : ''}`;
}

/** The frames of a file as text, for a person and for agents. */
export function describeFrames(fileName: string, frames: readonly DesignFrame[]): string {
  const lines = frames.slice(0, MAX_SHOWN_FRAMES).map(({ page, name, size, texts }) => {
    const shown = (texts ?? []).slice(0, MAX_SHOWN_TEXTS);
    const more = (texts ?? []).length - shown.length;
    const said =
      texts === null
        ? 'its texts were not read'
        : shown.length === 0
          ? 'no texts'
          : `${shown.map((text) => `“${text}”`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return `• **${name}** (page ${page}${size ? `, ${size.width} × ${size.height}` : ''}): ${said}`;
  });
  const more = frames.length - lines.length;
  return [
    `${fileName} has ${frames.length} ${frames.length === 1 ? 'frame' : 'frames'}.`,
    ...lines,
    ...(more > 0 ? [`${more} more ${more === 1 ? 'is' : 'are'} not listed.`] : []),
  ].join('\n');
}
