import { escapeText as e } from '../prototype/escape.ts';
import type { Palette, Style } from '../style/styles.ts';

/** The average width of a letter, as a share of the font size. */
const LETTER_WIDTH = 0.54;

/** Wraps a text to a width in pixels; a longer word is broken. */
export function wrapText(text: string, width: number, size: number): string[] {
  const maxLength = Math.max(4, Math.floor(width / (size * LETTER_WIDTH)));
  const lines: string[] = [''];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    let rest = word;
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + rest.length > maxLength) lines.push('');
    while (rest.length > maxLength) {
      lines[lines.length - 1] = rest.slice(0, maxLength);
      lines.push('');
      rest = rest.slice(maxLength);
    }
    const last = lines.at(-1) ?? '';
    lines[lines.length - 1] = last === '' ? rest : `${last} ${rest}`;
  }
  return lines;
}

/** The first lines of a text; the last one ends with an ellipsis where there is more. */
function firstLines(text: string, width: number, size: number, maxLength: number): string[] {
  const lines = wrapText(text, width, size);
  if (lines.length <= maxLength) return lines;
  return lines.slice(0, maxLength).map((line, at) => (at === maxLength - 1 ? `${line}…` : line));
}

type Look = {
  size?: number;
  weight?: number;
  fill?: string;
  anchor?: 'start' | 'end' | 'middle';
  /** The maximum number of lines. */
  lines?: number;
};

/** Draws on a page of fixed width, from top to bottom. */
export class Pen {
  y = 0;
  readonly parts: string[] = [];
  readonly width: number;
  readonly margin: number;
  readonly palette: Palette;
  readonly style: Style;

  constructor(width: number, style: Style, palette: Palette) {
    this.width = width;
    this.style = style;
    this.palette = palette;
    this.margin = width < 600 ? 16 : Math.max(16, (width - 960) / 2);
  }

  get inner(): number {
    return this.width - 2 * this.margin;
  }

  box(x: number, y: number, width: number, height: number, fill: string, stroke: string | null = null): void {
    const line = stroke ? ` stroke="${stroke}"` : '';
    this.parts.push(
      `<rect x="${x}" y="${y}" width="${Math.max(0, width)}" height="${height}" rx="${Math.min(this.style.radius, height / 2)}" fill="${fill}"${line}/>`,
    );
  }

  /** Writes a wrapped text with its top at y. @returns its height */
  write(text: string, x: number, y: number, width: number, look: Look = {}): number {
    const { size = 16, weight = 400, fill = this.palette.text, anchor = 'start', lines: maxLength = Infinity } = look;
    const lines = firstLines(text, width, size, maxLength);
    const height = Math.round(size * 1.4);
    lines.forEach((line, at) => {
      this.parts.push(
        `<text x="${x}" y="${y + size + at * height}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${e(line)}</text>`,
      );
    });
    return lines.length * height;
  }

  /** The page as an SVG document. */
  toSvg(title: string): string {
    const height = Math.round(this.y + 32);
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${height}" viewBox="0 0 ${this.width} ${height}" role="img" font-family="${e(this.style.fonts)}">`,
      `<title>${e(title)}</title>`,
      `<rect width="${this.width}" height="${height}" fill="${this.palette.page}"/>`,
      ...this.parts,
      '</svg>',
    ].join('\n');
  }
}
