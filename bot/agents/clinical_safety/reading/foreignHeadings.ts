import { HEADER_LANGUAGES } from './headerLanguages.ts';
import type { HeaderMeaning } from './headerSynonyms.ts';

/** Headings in other languages. */
const KNOWN = new Map<string, HeaderMeaning>();
/** Capitals are often written without their accents. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
for (const [meaning, headings] of Object.entries(HEADER_LANGUAGES) as [HeaderMeaning, string[]][])
  for (const heading of headings) KNOWN.set(plain(heading), meaning);

/** "Efecto en el paciente", "Gevolg voor de patiënt", "Dommage pour le patient". */
const FOR_PATIENT =
  / (?:en el|en los|para el|para los|para o|sur le|pour le|pour les|für den|für|am|voor de|voor|bij de|sul|per il|för|for) (?:paciente|pacientes|patient|patienten|patients|patiënt|cliënt|client|paziente|pasienten|pasient)$/;
/** "Maßnahmen zur Risikobeherrschung". */
const PURPOSE = / (?:zur|zum|zu|ter|tot|para|pour|per) .{1,40}$/;
/** "ID peligro", "Nr der Gefährdung". */
const NUMBER_OF =
  /^(?:id|nr|numéro|número|numero|nummer|code|código|codice) (?:(?:de la|de|del|du|des|di|der|van het|van) )?(?=\p{L})/u;

const wordsIn = (text: string) => new Set(text.trim().split(/\s+/));
/** Words that do not change what a heading is about: "mögliche Ursachen", "causes identifiées", "genomen maatregel". */
const AROUND = wordsIn(`
  mögliche möglicher möglichen potenzielle potentielle identifizierte vorhersehbare bekannte
  vorhandene bestehende aktuelle derzeitige umgesetzte durchgeführte getroffene implementierte
  possible possibles potentiel potentielle potentiels potentielles identifiée identifiées identifié identifiés prévisible prévisibles complémentaires
  existant existante existantes existants appliquées réalisées
  mogelijke mogelijk potentiële bestaande huidige genomen getroffen uitgevoerde geïmplementeerde
  posible posibles potenciales identificadas identificados existentes implementadas aplicadas actuales
  possibile possibili potenziali identificate esistenti adottate implementate attuali
  möjlig möjliga potentiell potentiella befintlig befintliga införda genomförda vidtagna riskreducerande riskbegränsande
  atteso attesi attesa attendu attendue erwarteter erwartete verwachte
  mulig mulige potensielle eksisterende gjennomførte gennemførte iværksatte risikoreduserende risikoreducerende
  possíveis potenciais identificadas`);
/** "Mesures prévues", "empfohlene Maßnahme": not done yet. */
const PLANNED = wordsIn(`
  empfohlene empfohlener geplante geplanter vorgeschlagene offene
  prévue prévues prévu prévus planifiée planifiées proposée proposées recommandée recommandées
  geplande voorgestelde aanbevolen
  previstas previsto previstos propuestas recomendadas planificadas
  previste proposte raccomandate pianificate
  planerad planerade föreslagen föreslagna rekommenderade planlagt planlagte foreslåtte foreslåede anbefalte anbefalede`);
/** "Mesures en place", "mesures à prévoir": two words or more that stand behind. */
const BEHIND: readonly [RegExp, planned: boolean][] = [
  [/ (?:à prévoir|à mettre en place|da attuare)$/, true],
  [/ (?:mises )?en (?:place|vigueur)$/, false],
  [/ in atto$/, false],
  [/ (?:som er )?på plass?$/, false],
];

/** "Vermeidungs-Maßnahmen", "Entdeckungsmaßnahmen", "beheersmaatregelen", "säkerhetsåtgärder". */
const MEASURES =
  /^(?:\p{L}+s )?\p{L}*(?:maßnahmen?|massnahmen?|maatregel(?:en)?|åtgärd(?:er)?|tiltak|foranstaltning(?:er)?)$/u;

const CONTROLS = new Set<HeaderMeaning>(['control_text', 'existing_controls']);

/** A known heading, perhaps with the ends of its scale or a purpose behind it: "Gravité (1-4)". */
const known = (text: string): HeaderMeaning | undefined => {
  const about = text
    .replace(/ \d{1,2} \d{1,2}$/, '')
    // "Årsak(er)", "Oorzaak 2".
    .replace(/ (?:er|en|e|r|n|ar|s|es|\d{1,2})$/, '')
    .replace(FOR_PATIENT, '');
  return (
    KNOWN.get(plain(text)) ??
    KNOWN.get(plain(about)) ??
    KNOWN.get(plain(about.replace(PURPOSE, ''))) ??
    (MEASURES.test(about) ? 'control_text' : undefined)
  );
};

/**
 * What a heading in another language stands for, written as normaliseHeader gives it. Its core has to match exactly: a
 * word that is nearly one of another language is more likely a typo in English.
 */
export function foreign(text: string): { meaning: HeaderMeaning; score: number } | null {
  const numbered = NUMBER_OF.exec(text);
  if (numbered && KNOWN.get(plain(text.slice(numbered[0].length))) === 'name') return { meaning: 'id', score: 1 };
  const whole = known(text);
  if (whole) return { meaning: whole, score: 1 };
  let core = text.replace(FOR_PATIENT, '');
  let isPlanned = false;
  for (let turn = 0; turn < 3; turn += 1) {
    const shorter = withoutWordAround(core);
    if (shorter === null) return null;
    core = shorter.core;
    isPlanned ||= shorter.isPlanned;
    const meaning = known(core);
    if (meaning) return { meaning: isPlanned && CONTROLS.has(meaning) ? 'action' : meaning, score: 0.9 };
  }
  return null;
}

/** A heading without one of the words around what it is about; null where it has none. */
function withoutWordAround(text: string): { core: string; isPlanned: boolean } | null {
  const behind = BEHIND.find(([pattern]) => pattern.test(text));
  if (behind) return { core: text.replace(behind[0], ''), isPlanned: behind[1] };
  const words = text.split(' ');
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (words.length > 1 && (AROUND.has(first) || PLANNED.has(first)))
    return { core: words.slice(1).join(' '), isPlanned: PLANNED.has(first) };
  if (words.length > 1 && (AROUND.has(last) || PLANNED.has(last)))
    return { core: words.slice(0, -1).join(' '), isPlanned: PLANNED.has(last) };
  return null;
}
