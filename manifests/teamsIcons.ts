import { crc32, deflateSync } from 'node:zlib';
import { ACCENT } from './teams.ts';

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

/** The mark of web/public/arc.svg in its own 32 units: an arc over a point. */
const ARC = { x: 16, y: 23, radius: 8.5, width: 3.2 };
const POINT = { x: 16, y: 22.5, radius: 2.4 };
/** Steps within a pixel, in each direction, over which its edge is smoothed. */
const STEPS = 4;

const WHITE: Pixel = [255, 255, 255, 255];
const CLEAR: Pixel = [255, 255, 255, 0];
const channels = /^#(..)(..)(..)$/
  .exec(ACCENT)
  ?.slice(1)
  .map((pair) => Number.parseInt(pair, 16)) ?? [0, 0, 0];
const ACCENT_PIXEL: Pixel = [channels[0] ?? 0, channels[1] ?? 0, channels[2] ?? 0, 255];

function isMark(x: number, y: number): boolean {
  if (Math.hypot(x - POINT.x, y - POINT.y) <= POINT.radius) return true;
  const half = ARC.width / 2;
  const onArc = y <= ARC.y && Math.abs(Math.hypot(x - ARC.x, y - ARC.y) - ARC.radius) <= half;
  const onEnd = [-1, 1].some((side) => Math.hypot(x - (ARC.x + side * ARC.radius), y - ARC.y) <= half);
  return onArc || onEnd;
}

/** The share of a pixel that the mark covers, 0 to 1. `scale` is pixels per unit, the mark stands in the middle. */
function coverage(column: number, row: number, scale: number, offset: number): number {
  let hits = 0;
  for (let step = 0; step < STEPS * STEPS; step += 1) {
    const x = (column + ((step % STEPS) + 0.5) / STEPS - offset) / scale;
    const y = (row + (Math.floor(step / STEPS) + 0.5) / STEPS - offset) / scale;
    if (isMark(x, y)) hits += 1;
  }
  return hits / (STEPS * STEPS);
}

const mix = (from: Pixel, to: Pixel, share: number): Pixel =>
  from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share)) as unknown as Pixel;

function draw(size: number, scale: number, ground: Pixel): Buffer {
  const offset = (size - 32 * scale) / 2;
  // The mark's own box stands a little low in its 32 units.
  const lift = 2.2 * scale;
  return encodePng(size, (column, row) => mix(ground, WHITE, coverage(column, row + lift, scale, offset)));
}

/** The colour icon, 192 x 192: the mark on the accent, over the whole square; Teams rounds it. */
export const colorIcon = () => draw(192, 4.4, ACCENT_PIXEL);
/** The outline icon, 32 x 32: the mark in white on nothing. */
export const outlineIcon = () => draw(32, 1.15, CLEAR);

/** A square PNG of eight bits a channel with alpha. */
function encodePng(size: number, pixel: (column: number, row: number) => Pixel): Buffer {
  const line = 1 + size * 4;
  const raw = Buffer.alloc(line * size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) raw.set(pixel(column, row), row * line + 1 + column * 4);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
