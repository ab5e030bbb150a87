import type { Router } from 'express';
import { bound } from '../middleware/bind.ts';

/** The OpenAPI document, as JSON and as a page to read. */
export function docsRoutes(router: Router): void {
  const read = async () => (await import('../openapi.ts')).describeApi([...bound.values()]);
  router.get('/api/docs.json', async (_request, response) => {
    response.json(await read());
  });
  router.get('/api/docs', async (_request, response) => {
    const { writeDocsPage } = await import('../present/docsPage.ts');
    response.type('html').send(writeDocsPage(await read()));
  });
}
