/** Loads every entity of this agent, for `models/entities.ts`. */
import './campaign.ts';
