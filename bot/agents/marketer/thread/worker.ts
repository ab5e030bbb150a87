import { serveThread } from '../../../engine/files/serveThread.ts';
import { work } from './work.ts';

/** The entry point of the thread, which does one job after the other. */
serveThread(work);
