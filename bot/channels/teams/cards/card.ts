import type { Attachment } from '../platform/activity.ts';

/** An element or action of an Adaptive Card; its fields vary by its type. */
export type Part = { type: string } & Record<string, unknown>;

/**
 * The id of a field's input. Teams sends what was typed and what the button carries as one object, and names of fields
 * are the agents' own.
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
/** What a card may weigh, in bytes: well under what Teams takes (docs/platforms.md). */
export const CARD_BYTES = 25 * 1024;

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

/** A button that is answered in place; older clients send the same as a message. */
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

export const weightOf = (it: Card) => Buffer.byteLength(JSON.stringify(it));

/**
 * The fullest card that is light enough: it is made with ever fewer parts until it fits.
 * @param make makes the card with at most so many of its parts; with none it is small
 */
export function fitCard(most: number, make: (parts: number) => Card): Card {
  let parts = most;
  let made = make(parts);
  while (parts > 0 && weightOf(made) >= CARD_BYTES) {
    parts = Math.floor(parts / 2);
    made = make(parts);
  }
  return made;
}
