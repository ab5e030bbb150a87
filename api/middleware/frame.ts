import type { RequestHandler } from 'express';

/** The one page that may be framed. */
export const FRAMED_PAGE = '/teams-tab';
/** Where Teams runs: the only places that may frame it. */
const TEAMS = [
  'https://teams.microsoft.com',
  'https://*.teams.microsoft.com',
  'https://teams.cloud.microsoft',
  'https://*.teams.cloud.microsoft',
];

/** Lets Teams, and nobody else, frame the inbox tab; every other page stays unframed. Comes after the general policy. */
export const allowTeamsFrame: RequestHandler = (request, response, next) => {
  if (request.path !== FRAMED_PAGE) return next();
  const policy = String(response.getHeader('Content-Security-Policy') ?? '').replace(
    /frame-ancestors [^;]*/,
    `frame-ancestors ${TEAMS.join(' ')}`,
  );
  response.setHeader('Content-Security-Policy', policy);
  response.removeHeader('X-Frame-Options');
  next();
};
