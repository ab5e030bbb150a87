import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import type { Block } from '../prototype/compose.ts';
import type { Action, Field } from '../screen/screen.ts';
import { type Pen, wrapText } from './pen.ts';

const GAP = 16;
const CONTROL_HEIGHT = 44;
const PADDING = 12;

const isNarrow = (pen: Pen) => pen.width < 600;

function drawField(
  pen: Pen,
  field: Field,
  filled: boolean,
  fault: string | undefined,
  x: number,
  width: number,
): number {
  const { palette } = pen;
  const value = filled && !fault && field.type !== 'file' ? field.sample : '';
  let y = pen.y;
  if (field.type === 'yes-no') {
    pen.box(x, y + 10, 24, 24, value === 'Yes' ? palette.accent : palette.surface, palette.soft);
    if (value === 'Yes') pen.write('✓', x + 12, y + 10, 24, { weight: 700, anchor: 'middle', fill: palette.onAccent });
    const label = pen.write(field.label, x + 36, y + 10, width - 36, { weight: 600 });
    return Math.max(CONTROL_HEIGHT, label + 10) + GAP;
  }
  y += pen.write(`${field.label}${field.required ? '' : ' (optional)'}`, x, y, width, { weight: 600 }) + 4;
  if (fault) y += pen.write(fault, x, y, width, { weight: 600, fill: palette.danger }) + 4;
  const height = field.type === 'long-text' ? CONTROL_HEIGHT * 2 : CONTROL_HEIGHT;
  const control = field.unit ? Math.min(160, width / 2) : width;
  pen.box(x, y, control, height, palette.surface, fault ? palette.danger : palette.soft);
  const shown = field.type === 'choice' ? value || 'Choose' : field.type === 'file' ? 'Choose a file' : value;
  const arrow = field.type === 'choice' ? 24 : 0;
  const look = shown === value ? {} : { fill: palette.soft };
  if (field.type === 'long-text') pen.write(shown, x + PADDING, y + 10, control - 2 * PADDING, { ...look, lines: 3 });
  else pen.write(shown, x + PADDING, y + 10, control - 2 * PADDING - arrow, { ...look, lines: 1 });
  if (field.type === 'choice') pen.write('▾', x + control - PADDING, y + 10, 16, { anchor: 'end' });
  const unit = field.unit ? pen.write(field.unit, x + control + 8, y + 10, width - control - 8) : 0;
  return y + Math.max(height, unit + 10) + GAP - pen.y;
}

function drawFields(pen: Pen, { fields, filled, faults, columns }: Extract<Block, { type: 'fields' }>): void {
  const count = isNarrow(pen) ? 1 : columns;
  const width = count === 2 ? (pen.inner - GAP) / 2 : Math.min(pen.inner, 640);
  for (let at = 0; at < fields.length; at += count) {
    const heights = fields
      .slice(at, at + count)
      .map((field, column) =>
        drawField(pen, field, filled, ownEntry(faults, field.label), pen.margin + column * (width + GAP), width),
      );
    pen.y += Math.max(...heights);
  }
}

function drawActions(pen: Pen, actions: readonly Action[]): void {
  const { palette } = pen;
  pen.y += 8;
  let x = pen.margin;
  for (const { label, tone } of actions) {
    const width = isNarrow(pen) ? pen.inner : Math.round(label.length * 9.5 + 44);
    if (x > pen.margin && x + width > pen.width - pen.margin) {
      x = pen.margin;
      pen.y += CONTROL_HEIGHT + PADDING;
    }
    const main = tone === 'primary';
    const line = main ? palette.accent : tone === 'danger' ? palette.danger : palette.border;
    pen.box(x, pen.y, width, CONTROL_HEIGHT, main ? palette.accent : palette.surface, line);
    pen.write(label, x + width / 2, pen.y + 11, width, {
      weight: 600,
      anchor: 'middle',
      fill: main ? palette.onAccent : tone === 'danger' ? palette.danger : palette.text,
    });
    if (isNarrow(pen)) pen.y += CONTROL_HEIGHT + PADDING;
    else x += width + PADDING;
  }
  if (!isNarrow(pen)) pen.y += CONTROL_HEIGHT + GAP;
}

function drawTable(pen: Pen, { columns, numeric, rows }: Extract<Block, { type: 'table' }>): void {
  const { palette } = pen;
  if (isNarrow(pen)) {
    for (const cells of rows) {
      drawCard(
        pen,
        (x, width) => {
          cells.forEach((text, at) => {
            const named = pen.write(columns[at] ?? '', x, pen.y, width * 0.4, { size: 14, fill: palette.soft });
            const look = { size: 14, anchor: 'end', weight: at === 0 ? 600 : 400 } as const;
            pen.y += Math.max(named, pen.write(text, x + width, pen.y, width * 0.55, look)) + 6;
          });
        },
        palette.border,
      );
    }
    return;
  }
  const width = pen.inner / columns.length;
  const line = (cells: readonly string[], weight: number): void => {
    const heights = cells.map((text, at) =>
      pen.write(
        text,
        pen.margin + at * width + (numeric[at] ? width - PADDING : PADDING),
        pen.y + 10,
        width - 2 * PADDING,
        {
          size: 14,
          weight,
          anchor: numeric[at] ? 'end' : 'start',
        },
      ),
    );
    pen.y += Math.max(...heights) + 20;
    pen.box(pen.margin, pen.y - 1, pen.inner, 1, palette.border);
  };
  line(columns, 600);
  for (const cells of rows) line(cells, 400);
  pen.y += GAP;
}

function drawCard(pen: Pen, draw: (x: number, width: number) => void, edge: string): void {
  const top = pen.y;
  const at = pen.parts.length;
  pen.y += PADDING;
  draw(pen.margin + GAP, pen.inner - 2 * GAP);
  const height = pen.y - top + PADDING;
  pen.box(pen.margin, top, pen.inner, height, pen.palette.surface, edge);
  // Move the card's box below its contents in drawing order.
  pen.parts.splice(at, 0, ...pen.parts.splice(-1));
  pen.y = top + height + GAP;
}

/** Draws a block below the previous ones. */
export function drawBlock(pen: Pen, block: Block): void {
  const { palette, margin, inner } = pen;
  switch (block.type) {
    case 'banner': {
      const { name, born, age, nhsNumber } = block.person;
      const lines = [name, `Born ${born} (${age}y)`, `NHS No. ${nhsNumber}`];
      const height = isNarrow(pen) ? 88 : 48;
      pen.parts.push(`<rect width="${pen.width}" height="${height}" fill="${palette.accent}"/>`);
      const step = inner / 3;
      lines.forEach((text, at) => {
        const [x, y] = isNarrow(pen) ? [margin, 8 + at * 25] : [margin + at * step, 13];
        pen.write(text, x, y, isNarrow(pen) ? inner : step, { weight: at === 0 ? 700 : 400, fill: palette.onAccent });
      });
      pen.y = height;
      return;
    }
    case 'title':
      pen.y += 24;
      pen.y += pen.write(block.title, margin, pen.y, inner, { size: isNarrow(pen) ? 22 : 26, weight: 700 });
      if (block.text) pen.y += pen.write(block.text, margin, pen.y + 4, inner, { fill: palette.soft }) + 4;
      pen.y += GAP;
      return;
    case 'notice':
      drawCard(
        pen,
        (x, width) => {
          pen.y += pen.write(block.title, x, pen.y, width, { size: 18, weight: 700 }) + 4;
          for (const text of block.lines)
            pen.y += pen.write(text, x, pen.y, width, block.tone === 'error' ? { fill: palette.danger } : {});
          if (block.retry)
            pen.y += pen.write('Try again', x, pen.y + 8, width, { weight: 600, fill: palette.accent }) + 8;
        },
        block.tone === 'error' ? palette.danger : palette.accent,
      );
      return;
    case 'search': {
      const text = { type: 'text', unit: null, options: [], sample: '', required: true } as const;
      const fields = [
        { ...text, label: block.label, options: [] },
        ...(block.filter ? [{ ...block.filter, sample: 'All', required: true }] : []),
      ];
      drawFields(pen, { type: 'fields', fields, filled: true, faults: {}, columns: 2 });
      return;
    }
    case 'fields':
      drawFields(pen, block);
      return;
    case 'facts':
      drawCard(
        pen,
        (x, width) => {
          const count = isNarrow(pen) ? 1 : block.columns;
          const step = width / count;
          for (let at = 0; at < block.items.length; at += count) {
            const heights = block.items.slice(at, at + count).map(({ label, value }, column) => {
              const left = x + column * step;
              const above = pen.write(label, left, pen.y, step - GAP, { size: 14, fill: palette.soft });
              return above + pen.write(value, left, pen.y + above, step - GAP) + PADDING;
            });
            pen.y += Math.max(...heights);
          }
        },
        palette.border,
      );
      return;
    case 'table':
      drawTable(pen, block);
      return;
    case 'figures': {
      const count = isNarrow(pen) ? 2 : 4;
      const width = (inner - (count - 1) * PADDING) / count;
      const labels = block.items.map(({ label }) => wrapText(label, width - 2 * PADDING, 14).length);
      const height = 52 + Math.max(...labels) * 20 + PADDING;
      block.items.forEach(({ label, value }, at) => {
        const [x, y] = [margin + (at % count) * (width + PADDING), pen.y + Math.floor(at / count) * (height + PADDING)];
        pen.box(x, y, width, height, palette.surface, palette.border);
        pen.write(value, x + PADDING, y + 12, width - PADDING, {
          size: value.length > 8 ? 18 : 24,
          weight: 700,
          lines: 1,
        });
        pen.write(label, x + PADDING, y + 52, width - 2 * PADDING, { size: 14, fill: palette.soft });
      });
      pen.y += Math.ceil(block.items.length / count) * (height + PADDING) + 4;
      return;
    }
    case 'bars':
      drawCard(
        pen,
        (x, width) => {
          const maxValue = Math.max(...block.items.map(({ value }) => value), 1);
          pen.y += pen.write(block.heading, x, pen.y, width, { size: 18, weight: 700 }) + 8;
          for (const { label, value } of block.items) {
            const named = Math.min(160, width * 0.4);
            const height = pen.write(label, x, pen.y, named - 8, { size: 14 });
            pen.box(x + named, pen.y + 4, ((width - named - 40) * value) / maxValue, 12, palette.accent);
            pen.write(String(value), x + width, pen.y, 40, { size: 14, weight: 600, anchor: 'end' });
            pen.y += height + 8;
          }
        },
        palette.border,
      );
      return;
    case 'thread':
      for (const { from, own, text, time } of block.messages) {
        const width = inner * 0.8;
        const x = own ? margin + inner - width : margin;
        pen.y += pen.write(`${from}, ${time}`, x, pen.y, width, { size: 14, fill: palette.soft }) + 4;
        const at = pen.parts.length;
        const height =
          pen.write(text, x + PADDING, pen.y + 10, width - 2 * PADDING, own ? { fill: palette.onAccent } : {}) + 20;
        pen.box(x, pen.y, width, height, own ? palette.accent : palette.surface, own ? null : palette.border);
        pen.parts.splice(at, 0, ...pen.parts.splice(-1));
        pen.y += height + PADDING;
      }
      return;
    case 'composer':
    case 'reason': {
      const label = block.type === 'reason' ? 'Reason (needed to reject)' : block.label;
      pen.y += pen.write(label, margin, pen.y, inner, { weight: 600 }) + 4;
      pen.box(margin, pen.y, inner, 72, palette.surface, palette.soft);
      pen.y += 72 + GAP;
      return;
    }
    case 'skeleton':
      pen.y += pen.write(block.label, margin, pen.y, inner, { fill: palette.soft }) + PADDING;
      for (let at = 0; at < block.lines; at += 1) {
        pen.box(margin, pen.y, at % 3 === 2 ? inner * 0.6 : inner, 20, palette.border);
        pen.y += 32;
      }
      return;
    case 'empty':
      drawCard(
        pen,
        (x, width) => {
          pen.y += GAP;
          pen.y += pen.write(block.title, x + width / 2, pen.y, width, { size: 18, weight: 700, anchor: 'middle' }) + 4;
          pen.y += pen.write(block.text, x + width / 2, pen.y, width, { fill: palette.soft, anchor: 'middle' }) + GAP;
          if (block.button)
            pen.y +=
              pen.write(block.button, x + width / 2, pen.y, width, {
                weight: 600,
                fill: palette.accent,
                anchor: 'middle',
              }) + GAP;
        },
        palette.border,
      );
      return;
    case 'actions':
      drawActions(pen, block.actions);
  }
}
