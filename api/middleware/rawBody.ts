import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';

const bodies = new WeakMap<IncomingMessage, Buffer>();

/** Reads a JSON body and keeps its bytes, for calls that are signed over them. */
export const jsonWithBytes = (limit: string): RequestHandler =>
  express.json({
    limit,
    verify(request, _response, bytes) {
      bodies.set(request, bytes);
    },
  });

/** The bytes of a body that {@link jsonWithBytes} has read; empty where there was none. */
export const bytesOf = (request: IncomingMessage): Buffer => bodies.get(request) ?? Buffer.alloc(0);
