import type { Attachment } from '../platform/activity.ts';

/** An element or action of an Adaptive Card; its fields vary by its type. */
export type Part = { type: string } & Record<string, unknown>;

/**
 * The input id of a field. Teams sends inputs and the button's data as one object, so the prefix keeps a field's name,
 * which the agent chooses, from colliding with the data.
 */
export const inputOf = (field: string) => `field_${field}`;

export type Card = {
  type: 'AdaptiveCard';
  version: '1.5';
  $schema: string;
  body: Part[];
  actions?: Part[];
  refresh?: { action: Part; userIds?: string[] };
  msteams?: Record<string, unknown>;
};

export const CARD_TYPE = 'application/vnd.microsoft.card.adaptive';
/** Well under the limit of Teams (docs/platforms.md). */
export const MAX_CARD_BYTES = 25 * 1024;

export const card = (body: (Part | null)[], actions: Part[] = [], more: Partial<Card> = {}): Card => ({
  type: 'AdaptiveCard',
  version: '1.5',
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  body: body.filter((part) => part !== null),
  ...(actions.length > 0 ? { actions } : {}),
  ...more,
});

export const attach = (it: Card): Attachment => ({ contentType: CARD_TYPE, content: it });

export const textBlock = (text: string, more: Record<string, unknown> = {}): Part => ({
  type: 'TextBlock',
  text,
  wrap: true,
  ...more,
});
export const subtle = (text: string) => textBlock(text, { isSubtle: true, size: 'Small', spacing: 'Small' });

export const openUrl = (title: string, url: string): Part => ({ type: 'Action.OpenUrl', title, url });

/** A button whose answer replaces the card; older clients send it as a message. */
export const execute = (title: string, verb: string, data: Record<string, unknown>, style?: string): Part => ({
  type: 'Action.Execute',
  title,
  verb,
  data: { ...data, verb },
  ...(style ? { style } : {}),
  fallback: { type: 'Action.Submit', title, data: { ...data, verb }, ...(style ? { style } : {}) },
});

/** A button that opens a dialog. */
export const openDialog = (title: string, verb: string, data: Record<string, unknown>, style?: string): Part => ({
  type: 'Action.Submit',
  title,
  data: { ...data, verb, msteams: { type: 'task/fetch' } },
  ...(style ? { style } : {}),
});

export const sizeOf = (it: Card) => Buffer.byteLength(JSON.stringify(it));

/**
 * Makes the fullest card within the size limit, halving the number of parts until it fits.
 * @param make makes the card with at most the given number of parts; a card without parts is small
 */
export function fitCard(most: number, make: (parts: number) => Card): Card {
  let parts = most;
  let made = make(parts);
  while (parts > 0 && sizeOf(made) >= MAX_CARD_BYTES) {
    parts = Math.floor(parts / 2);
    made = make(parts);
  }
  return made;
}
