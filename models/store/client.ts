import mongoose from 'mongoose';
import { AppError } from '../contracts/errors.ts';

/** The connected database, for libraries with queries of their own: agenda and the session store. */
export function connectedDatabase() {
  const { db } = mongoose.connection;
  if (!db) throw new AppError('store_unavailable');
  return db;
}

/** The driver's client behind the connection. */
export function connectedClient() {
  return mongoose.connection.getClient();
}
