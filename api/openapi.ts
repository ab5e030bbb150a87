import { createDocument } from 'zod-openapi';
import type { Endpoint } from '../models/contracts/endpoint.ts';
import { errorBody } from '../models/contracts/errors.ts';
import { PRODUCT_VERSION } from '../models/contracts/productVersion.ts';

const REFUSED = { description: 'Refused; the body says why', content: { 'application/json': { schema: errorBody } } };

function describePolicy({ policy, scopes }: Endpoint): string {
  if (!scopes) return `Policy: ${policy}.`;
  const scope = `with the scope ${scopes.join(' or ')}`;
  return policy === 'token' ? `Policy: token, ${scope}.` : `Policy: ${policy}, or an access token ${scope}.`;
}

/** The OpenAPI document of all calls, generated from their contracts. */
export function describeApi(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const it of endpoints) {
    const path = it.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][it.method] = {
      summary: it.summary,
      description: describePolicy(it),
      ...(it.scopes ? { security: [{ accessToken: [] }, ...(it.policy === 'token' ? [] : [{}])] } : {}),
      requestParams: { path: it.params, query: it.query },
      ...(it.method === 'get' || it.method === 'delete'
        ? {}
        : {
            requestBody: {
              content: {
                'application/json': { schema: it.body },
                ...(it.upload
                  ? {
                      'multipart/form-data': {
                        schema: { type: 'object', properties: { [it.upload]: { type: 'string', format: 'binary' } } },
                      },
                    }
                  : {}),
              },
            },
          }),
      responses: {
        [String(it.status ?? 200)]:
          it.answerType === 'file'
            ? { description: 'The file' }
            : { description: 'Done', content: { 'application/json': { schema: it.answer } } },
        default: REFUSED,
      },
    };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Arc',
      version: PRODUCT_VERSION,
      description:
        'Calls are made with the session cookie of a signed-in browser; those that name a scope also, or only, with an access token that an owner makes under Preferences.',
    },
    components: { securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } } },
    paths,
  } as Parameters<typeof createDocument>[0]);
}
