/** Loads every entity of this agent, for `models/entities.ts`. */
import './conversationAnalysis.ts';
import './hazardAnalysis.ts';
import './matchChoice.ts';
import './readingProfile.ts';
import './ticketMatch.ts';
