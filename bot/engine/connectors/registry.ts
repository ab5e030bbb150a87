import type { ConnectorCard } from '../../../models/contracts/connectorCard.ts';
import { findConnector, serviceNamesOf } from '../../../models/contracts/connectors.ts';
import { offerIntegration } from '../accounts/integrations.ts';
import { makeConnection } from './connection.ts';
import type { Connector, ConnectorPlugIn } from './connector.ts';

type Connection = ReturnType<typeof makeConnection>;

const connections = new Map<string, { card: ConnectorCard; connection: Connection }>();
const ofChannels = new Map<string, Connector>();

/** Makes a connector known that this deployment has credentials for. */
export function registerConnector(plugIn: ConnectorPlugIn): void {
  const { card } = plugIn;
  const known = { card, connection: makeConnection(plugIn) };
  for (const name of serviceNamesOf(card)) connections.set(name, known);
  offerIntegration(card);
}

/** Makes known how a channel of this deployment is connected. */
export function registerChannelConnector(channel: string, connector: Connector): void {
  ofChannels.set(channel, connector);
}

/** The card of a connector by any of its names; undefined where the name is none of any. */
export const cardOf = (service: string): ConnectorCard | undefined =>
  connections.get(service)?.card ?? findConnector(service);

/** How a service is connected, by any of its names; undefined where this deployment can not. */
export const connectorOf = (service: string): Connector | undefined =>
  connections.get(service)?.connection.connector ?? ofChannels.get(service);

/** The connection to a service, by any of its names; undefined where this deployment has none. */
export const connectionTo = (service: string): Connection | undefined => connections.get(service)?.connection;
