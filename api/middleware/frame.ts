import type { RequestHandler } from 'express';

/** A page that may be framed, and from where alone. */
type Frame = { page: string; ancestors: readonly string[] };

/** Lets each of these pages be framed by its own platform; every other page stays unframed. Comes after the general policy. */
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
