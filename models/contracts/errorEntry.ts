import type { MessageKind } from './chat.ts';

/** `saidAs`: the kind of chat message that reports the error; `refused` by default. */
export type ErrorEntry = { status: number; text: string; saidAs?: MessageKind };
