/** The channels of a colour such as "#0b5d5b", from 0 to 255. */
function channelsOf(colour: string): [number, number, number] {
  const hex = colour.slice(1);
  const whole = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16)) as [number, number, number];
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes a colour with another; `part` is the share of the other, from 0 to 1. */
export function mix(colour: string, towards: string, part: number): string {
  const [from, to] = [channelsOf(colour), channelsOf(towards)];
  const mixed = from.map((channel, index) => Math.round(channel + ((to[index] ?? 0) - channel) * part));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const STEPS = 20;

/** The closest colour that is readable on a background: darker on a light one, lighter on a dark one. */
export function makeReadable(colour: string, ground: string, minContrast = 4.5): string {
  const towards = luminance(ground) > 0.5 ? '#000000' : '#ffffff';
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mix(colour, towards, step / STEPS);
    if (contrastOf(candidate, ground) >= minContrast) return candidate;
  }
  return towards;
}
