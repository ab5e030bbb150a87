import type { MessageKind } from './chat.ts';

/** `saidAs`: what kind of message says it in a conversation; `refused` unless told. */
export type ErrorEntry = { status: number; text: string; saidAs?: MessageKind };
