/** Loads every entity of this agent, for `models/entities.ts`. */
import './conversationAnalysis.ts';
import './findingLife.ts';
import './hazardAnalysis.ts';
import './matchChoice.ts';
import './modelDraft.ts';
import './readingProfile.ts';
import './ticketMatch.ts';
