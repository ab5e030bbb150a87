import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { RequestHandler } from 'express';

/** The best first: browsers name what they take in an order that says nothing (`gzip, deflate, br`). */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/**
 * Sends the compressed twin that the build has written beside a file, in the best encoding that the browser takes.
 * What has no twin goes on to the ordinary files.
 */
export function sendPrecompressed(directory: string): RequestHandler {
  const twins = new Map<string, boolean>();
  const has = (path: string) => {
    let known = twins.get(path);
    if (known === undefined) {
      known = existsSync(join(directory, path));
      twins.set(path, known);
    }
    return known;
  };
  return (request, response, next) => {
    const type = TYPES[extname(request.path)];
    if (!type || !/^\/[\w./-]+$/.test(request.path) || request.path.includes('..')) return next();
    const encoding = ENCODINGS.find(
      ({ name, ending }) => request.acceptsEncodings(name) === name && has(request.path + ending),
    );
    response.vary('Accept-Encoding');
    if (!encoding) return next();
    response.set({ 'Content-Encoding': encoding.name, 'Content-Type': `${type}; charset=utf-8` });
    request.url = request.url.replace(request.path, request.path + encoding.ending);
    next();
  };
}
