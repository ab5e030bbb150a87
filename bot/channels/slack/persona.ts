import { nameOf, pictureOf } from '../../engine/delivery/speaker.ts';

/** The name and picture under which an agent's messages appear. */
export const personaOf = (agentId: string | null, agentName: string | null) => {
  const username = nameOf({ agentId, agentName });
  const picture = pictureOf({ agentId, agentName });
  return username ? { username, ...(picture ? { icon_url: picture } : {}) } : {};
};
