import type { z } from 'zod';
import type { Endpoint } from '../../../models/contracts/endpoint.ts';
import type { Topic } from '../../../models/contracts/realtime.ts';
import type { Who } from '../../../models/policies/who.ts';

/** An answer that is JSON text already: it may be many megabytes and is never parsed on the way. */
export class JsonText {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** An answer that is a file to keep. */
export class FileAnswer {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly contentType: string;
  constructor({ bytes, fileName, contentType }: { bytes: Uint8Array; fileName: string; contentType: string }) {
    this.bytes = bytes;
    this.fileName = fileName;
    this.contentType = contentType;
  }
}

/** What a call brings, checked by its contract. */
export type Asked = { who: Who; params: unknown; query: unknown; body: unknown };

/** A call of a plug-in's own; the edge checks session, plan, rate and contract before it is handled. */
export type Call = {
  contract: Endpoint;
  /** What the answer is made of: while none of it changed, a repeated call is answered without being made. */
  topics?: Topic[];
  handle(asked: Asked): Promise<unknown>;
};

type Shape = z.ZodType;

/** Declares a call of a plug-in: its contract, and what answers it inside the caller's account. */
export const defineCall = <P extends Shape, Q extends Shape, B extends Shape, A extends Shape>(
  contract: Endpoint<P, Q, B, A>,
  handle: (asked: {
    who: Who;
    params: z.output<P>;
    query: z.output<Q>;
    body: z.output<B>;
  }) => Promise<z.input<A> | JsonText | FileAnswer>,
  { topics }: Pick<Call, 'topics'> = {},
): Call => ({
  contract: contract as unknown as Endpoint,
  handle: handle as Call['handle'],
  ...(topics ? { topics } : {}),
});
