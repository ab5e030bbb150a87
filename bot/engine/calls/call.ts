import type { z } from 'zod';
import type { Endpoint } from '../../../models/contracts/endpoint.ts';
import type { Topic } from '../../../models/contracts/realtime.ts';
import type { Who } from '../../../models/policies/who.ts';

/** An answer that is already JSON text: possibly many megabytes, never parsed by the edge. */
export class JsonText {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** An answer that is a file to download. */
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

/** The file that came with a call (`Endpoint.upload`). */
export type CallFile = { fileName: string; bytes: Uint8Array };

/** The input of a call, validated by its contract. */
type Asked = { who: Who; params: unknown; query: unknown; body: unknown; file?: CallFile | undefined };

/** A plug-in's own API call. The edge checks session, plan, rate and contract before `handle` runs. */
export type Call = {
  contract: Endpoint;
  /** Topics that the answer depends on: while none has changed, a repeated call is answered 304. */
  topics?: Topic[];
  handle(asked: Asked): Promise<unknown>;
};

type Shape = z.ZodType;

/** Declares a plug-in's call: its contract and its handler, which runs inside the caller's account. */
export const defineCall = <P extends Shape, Q extends Shape, B extends Shape, A extends Shape>(
  contract: Endpoint<P, Q, B, A>,
  handle: (asked: {
    who: Who;
    params: z.output<P>;
    query: z.output<Q>;
    body: z.output<B>;
    file?: CallFile | undefined;
  }) => Promise<z.input<A> | JsonText | FileAnswer>,
  { topics }: Pick<Call, 'topics'> = {},
): Call => ({
  contract: contract as unknown as Endpoint,
  handle: handle as Call['handle'],
  ...(topics ? { topics } : {}),
});
