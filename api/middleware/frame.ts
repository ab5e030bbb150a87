import type { RequestHandler } from 'express';

/** A page that may be framed, and the allowed origins. */
type Frame = { page: string; ancestors: readonly string[] };

/**
 * Allows framing of these pages by their platform only. Register after the general security headers, which it
 * overrides.
 */
export const allowFrames =
  (frames: readonly Frame[]): RequestHandler =>
  (request, response, next) => {
    const frame = frames.find(({ page }) => page === request.path);
    if (!frame) return next();
    const policy = String(response.getHeader('Content-Security-Policy') ?? '').replace(
      /frame-ancestors [^;]*/,
      `frame-ancestors ${frame.ancestors.join(' ')}`,
    );
    response.setHeader('Content-Security-Policy', policy);
    response.removeHeader('X-Frame-Options');
    next();
  };
