import { expect, test } from '@jest/globals';

test('an agent has its picture in Slack only if Slack can fetch it over https', async () => {
  process.env.BASE_URL = 'https://arc.example.org';
  const { personaOf } = await import('../../../bot/channels/slack/persona.ts');
  expect(personaOf('mdr', 'Marta')).toEqual({
    username: 'Marta, EU MDR technical file',
    icon_url: 'https://arc.example.org/agents/mdr.png',
  });
  expect(personaOf(null, 'Marta')).toEqual({ username: 'Marta' });
  expect(personaOf('mdr', null)).toEqual({});
});
