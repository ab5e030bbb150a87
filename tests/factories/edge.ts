import express, { type Router } from 'express';
import supertest from 'supertest';
import { answerErrors } from '../../api/middleware/errors.ts';

/** The session of a call, as its header says. */
export const asUser = (session: object) => ({ 'x-session': JSON.stringify(session) });

/** Routes behind nothing but a session that each call brings along, with what the server answers to faults. */
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
