/** Loads every entity of this agent, for `models/entities.ts`. */
import './optOut.ts';
import './prospectList.ts';
