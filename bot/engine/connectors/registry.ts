import type { ConnectorCard } from '../../../models/contracts/connectorCard.ts';
import { findConnector, serviceNamesOf } from '../../../models/contracts/connectors.ts';
import { offerIntegration } from '../accounts/integrations.ts';
import { makeConnection } from './connection.ts';
import type { Connector, ConnectorPlugIn } from './connector.ts';

type Connection = ReturnType<typeof makeConnection>;

const connections = new Map<string, { card: ConnectorCard; plugIn: ConnectorPlugIn; connection: Connection }>();
const ofChannels = new Map<string, Connector>();

/** Registers a connector that this deployment has credentials for. */
export function registerConnector(plugIn: ConnectorPlugIn): void {
  const { card } = plugIn;
  const known = { card, plugIn, connection: makeConnection(plugIn) };
  for (const name of serviceNamesOf(card)) connections.set(name, known);
  offerIntegration(card);
}

/** Registers how a channel of this deployment is connected. */
export function registerChannelConnector(channel: string, connector: Connector): void {
  ofChannels.set(channel, connector);
}

/** The card of a connector by any of its names; undefined for an unknown name. */
export const cardOf = (service: string): ConnectorCard | undefined =>
  connections.get(service)?.card ?? findConnector(service);

/** The declaration of a connector that this deployment has credentials for, by any of its names. */
export const plugInOf = (service: string): ConnectorPlugIn | undefined => connections.get(service)?.plugIn;

/** Every connector that this deployment has credentials for. */
export const registeredConnectors = (): ConnectorPlugIn[] => [
  ...new Set([...connections.values()].map(({ plugIn }) => plugIn)),
];

/** How to connect a service, by any of its names; undefined where this deployment can't. */
export const connectorOf = (service: string): Connector | undefined =>
  connections.get(service)?.connection.connector ?? ofChannels.get(service);

/** The runtime of a connector by any of its names; undefined where this deployment has none. */
export const connectionTo = (service: string): Connection | undefined => connections.get(service)?.connection;
