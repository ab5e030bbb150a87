import type { Router } from 'express';
import { readScope, saveScope } from '../../bot/engine/connectors/scope.ts';
import { syncDocuments } from '../../bot/engine/documents/syncDocuments.ts';
import { runInBackground } from '../../models/background.ts';
import * as contract from '../../models/contracts/connectorScope.ts';
import { bind } from '../middleware/bind.ts';

/** What of the connected tools is read. */
export function connectorRoutes(router: Router): void {
  bind(router, contract.readConnectorScope, ({ who, params }) => readScope(who, params.service));

  bind(router, contract.saveConnectorScope, async ({ who, params, body }) => {
    const saved = await saveScope(who, params.service, body.values);
    runInBackground('reading the documents of a tool', syncDocuments(who.accountId));
    return saved;
  });
}
