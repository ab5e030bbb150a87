/** The landing's first words: the server puts them into the page for visitors, before any script has loaded. */
export const LANDING_WORDS = {
  title: 'Build Your AI Dream Team',
  pitch:
    'Agents for people who sign with their name. They read your documents and your tickets, show you what is wrong and where, and ask a person before anything is released.',
} as const;
