/** Words before the id of a hazard. */
export const OF_HAZARD = ['of', 'for', 'on', 'about', 'of hazard', 'for hazard', 'on hazard', 'about hazard', 'hazard'];
