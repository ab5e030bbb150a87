type MessageBlock =
  | { kind: 'text' | 'bullets'; lines: string[] }
  /** `start` is the number of the first line. */
  | { kind: 'numbers'; start: number; lines: string[] };

const BULLET = /^\s*[•*-]\s+/;
const NUMBER = /^\s*(\d{1,3})[.)]\s+/;

/** An agent's text as blocks: lines that begin with a bullet or a number are lists, a blank line ends a block. */
export function messageBlocks(text: string): MessageBlock[] {
  const blocks: MessageBlock[] = [];
  let open = null as MessageBlock | null;
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      open = null;
      continue;
    }
    const number = NUMBER.exec(line)?.[1];
    const kind = number ? 'numbers' : BULLET.test(line) ? 'bullets' : 'text';
    if (open?.kind !== kind) {
      open = kind === 'numbers' ? { kind, start: Number(number), lines: [] } : { kind, lines: [] };
      blocks.push(open);
    }
    open.lines.push(line.replace(kind === 'numbers' ? NUMBER : kind === 'bullets' ? BULLET : '', ''));
  }
  return blocks;
}

/** Splits a line at double asterisks; every second part is bold. */
export const boldParts = (line: string): string[] => line.split(/\*\*(.+?)\*\*/g);
