import express, { type Router } from 'express';
import supertest from 'supertest';
import { answerErrors } from '../../api/middleware/errors.ts';

/** Headers that identify a call's user to {@link makeEdge}. */
export const asUser = (session: object) => ({ 'x-session': JSON.stringify(session) });

/** Serves routes behind a minimal session taken from each call's headers, with the server's error handling. */
export function makeEdge(route: (router: Router) => void) {
  const app = express();
  app.set('trust proxy', 1);
  app.set('etag', false);
  app.use(express.json());
  app.use((request, _response, next) => {
    Object.assign(request, { session: JSON.parse(request.get('x-session') ?? '{}') });
    next();
  });
  const router = express.Router();
  route(router);
  app.use(router);
  app.use(answerErrors);
  return supertest(app);
}
