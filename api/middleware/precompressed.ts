import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { RequestHandler } from 'express';

/** In order of preference: the order in which browsers list encodings (`gzip, deflate, br`) means nothing. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/**
 * Serves the compressed copy of a file that the build wrote next to it, in the best encoding that the browser accepts.
 * Files without a copy are left to the next handler.
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

/** Headers that browsers heed in documents alone. They would be a third of what a small script takes on the line. */
const OF_DOCUMENTS = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Origin-Agent-Cluster',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Frame-Options',
  'X-Permitted-Cross-Domain-Policies',
  'X-XSS-Protection',
];

/** Leaves out {@link OF_DOCUMENTS} for scripts, styles and fonts, which no browser opens as a document. */
export const leaveOutDocumentHeaders: RequestHandler = (request, response, next) => {
  if (/\.(?:js|css|woff2)$/.test(request.path)) for (const name of OF_DOCUMENTS) response.removeHeader(name);
  next();
};
