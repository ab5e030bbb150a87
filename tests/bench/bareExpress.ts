import express from 'express';
import session from 'express-session';

/** The minimum cost of a signed-in 304: Express, an in-memory session and one comparison. */
const app = express();
app.set('etag', false);
app.use(session({ secret: 'bench', resave: false, saveUninitialized: false }));
app.post('/login', (request, response) => {
  Object.assign(request.session, { userId: 1 });
  response.json({ success: true });
});
app.get('/polled', (request, response) => {
  if (request.headers['if-none-match'] !== '"one"') return void response.set('ETag', '"one"').json({ messages: [] });
  response.set('ETag', '"one"').status(304).end();
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ ready: true, port: (server.address() as { port: number }).port });
});
