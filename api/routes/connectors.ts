import type { Router } from 'express';
import { readScope, saveScope } from '../../bot/engine/connectors/scope.ts';
import * as contract from '../../models/contracts/connectorScope.ts';
import { bind } from '../middleware/bind.ts';

/** What of the connected tools is read. */
export function connectorRoutes(router: Router): void {
  bind(router, contract.readConnectorScope, ({ who, params }) => readScope(who, params.service));

  bind(router, contract.saveConnectorScope, ({ who, params, body }) => saveScope(who, params.service, body.values));
}
