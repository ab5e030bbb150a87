import type { HeaderMeaning } from './headerSynonyms.ts';

const listed = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((heading) => heading.trim())
    .filter(Boolean);

/**
 * Headings of logs in German, French, Spanish, Italian, Dutch, Swedish, Norwegian, Danish and Portuguese, written as
 * normaliseHeader gives them. They have to
 * match exactly: a word that is nearly one of another language is more likely a typo in English.
 */
export const HEADER_LANGUAGES: Partial<Record<HeaderMeaning, readonly string[]>> = {
  id: listed(`
    lfd nr, réf, código, codice, kennung, gefährdungs id, gefährdungsnummer, gefahren nr, risiko id, numéro,
    identifiant, référence, número, identificador, numero, identificativo, nummer, gevaar id, risk nr, fare id,
    fare nr, farenummer, identifierare, risiko nr, referência, código do risco, n, gevaar nr, gevaar nummer,
    pericolo n, codice pericolo
  `),
  name: listed(`
    wat kan er misgaan, was kann schiefgehen, was kann passieren, que peut il arriver, cosa può andare storto, hva kan gå galt, hvad kan gå galt, vad kan gå fel, qué puede salir mal,
    gefährdung, möglicher fehler, fehlerart, fehler, gefahr, bezeichnung der gefährdung, bezeichnung, danger,
    nom du danger, phénomène dangereux, peligro, nombre del peligro, pericolo, gevaar, naam van het gevaar,
    riskkälla, fara, fare, farekilde, farokälla, risikokilde, perigo, nome do perigo, situation dangereuse redoutée,
    gefährdungsursache und gefährdung, événement redouté, uønsket hendelse, uønsket hændelse, oönskad händelse,
    evento temuto, evento adverso, unerwünschtes ereignis
  `),
  description: listed(`
    beschreibung, gefährdungssituation, beschreibung der gefährdung, situation dangereuse, description du danger,
    descripción, situación peligrosa, descrizione, situazione pericolosa, omschrijving, beschrijving,
    gevaarlijke situatie, farlig situation, farlige situation, farlig hendelse, farlig hændelse, beskrivning,
    beskrivelse, descrição, situação perigosa, scénario
  `),
  clinical_impact: listed(`
    schaden, fehlerfolge, fehlerfolgen, möglicher schaden, mögliche folgen, mögliche auswirkungen, auswirkung,
    auswirkungen, klinische auswirkung, klinische auswirkungen, folge, folgen, dommage, dommages, préjudice, effet,
    effets, conséquences, impact clinique, daño, efecto, efectos, consecuencias, danno, effetto, effetti,
    conseguenze, schade, gevolg, gevolgen, skada, skade, skador, konsekvens, konsekvenser, patientskada,
    pasientskade, patientskade, følge, følger, dano, efeito, consequências, gevolg patiënt,
    gevolg cliënt
  `),
  cause: listed(`
    ursache, fehlerursache, fehlerursachen, ursachen, mögliche ursachen, causes possibles, événement déclencheur,
    événements déclencheurs, cause possible, causa, causas, causas posibles, possibili cause, oorzaak, oorzaken,
    mogelijke oorzaken, cause identifiée, causes, orsak, orsaker, årsak, årsaker, årsag, årsager, möjlig orsak,
    mulige årsaker, causas possíveis, origine, origines, da cosa può nascere, origini, auslöser, utlösande orsak
  `),
  existing_controls: listed(`
    bestehende maßnahmen, vorhandene maßnahmen, mesures existantes, controles existentes
  `),
  control_text: listed(`
    maßnahme, getroffene maßnahmen, umgesetzte maßnahmen, maßnahmen, massnahme, massnahmen,
    risikominderungsmaßnahmen, risikobeherrschungsmaßnahmen, risikokontrollmaßnahmen, mesures, mesures de maîtrise,
    moyens de maîtrise, mesures de maîtrise des risques, mesures de réduction, controles, medidas,
    medidas de control, misure, misure di controllo, misure di mitigazione, maatregel, maatregelen,
    beheersmaatregel, beheersmaatregelen, åtgärd, åtgärder, riskåtgärd, riskåtgärder, tiltak,
    risikoreduserende tiltak, foranstaltning, foranstaltninger, kontroltiltag, tiltag, medidas de controlo,
    medidas de controle, mesure, moyen de maîtrise, parade, parades, barrière, barrières, barriere, schutzmaßnahme,
    schutzmaßnahmen
  `),
  severity: listed(`
    schweregrad, schwere, ausmaß, gravité, sévérité, gravedad, severidad, gravità, ernst, allvarlighetsgrad,
    allvarlighet, alvorlighetsgrad, alvorlighet, alvorlighedsgrad, alvorlighed, gravidade, severidade,
    schadensausmaß, schadensschwere
  `),
  likelihood: listed(`
    wahrscheinlichkeit, eintrittswahrscheinlichkeit, auftretenswahrscheinlichkeit, auftreten, p gesamt,
    gesamtwahrscheinlichkeit, probabilité, vraisemblance, probabilidad, probabilità, waarschijnlijkheid, kans,
    fréquence, occurrence, sannolikhet, sannsynlighet, sandsynlighed, hyppighed, hyppighet, häufigkeit, frequentie,
    frequenza, frecuencia, probabilidade, ocorrência
  `),
  risk: listed(`
    risiko, risikozahl, risikoprioritätszahl, rpz, risikobewertung, risque, niveau de risque, criticité, riesgo,
    nivel de riesgo, rischio, livello di rischio, risico, risiconiveau, nivel, niveau, livello, risktal, riskvärde,
    riskpoäng, risikotall, risikoverdi, risikotal, risiconivå, risknivå, risikonivå, risikoniveau, risco,
    nível de risco, risikoklasse, riskklass, risikowert, risicoscore, risicogetal, indice de criticité
  `),
  initial_severity: listed(`
    gravité initiale, gravedad inicial, gravità iniziale
  `),
  initial_likelihood: listed(`
    probabilité initiale, probabilidad inicial, probabilità iniziale
  `),
  initial_risk: listed(`
    ausgangsrisiko, risque initial, criticité initiale, riesgo inicial, rischio iniziale, initieel risico
  `),
  residual_severity: listed(`
    rest schweregrad, gravité résiduelle, gravedad residual, gravità residua
  `),
  residual_likelihood: listed(`
    restwahrscheinlichkeit, probabilité résiduelle, probabilidad residual, probabilità residua
  `),
  residual_risk: listed(`
    restrisiko, risque résiduel, criticité résiduelle, riesgo residual, rischio residuo, restrisico
  `),
  rationale: listed(`
    begründung, justificación, giustificazione, onderbouwing
  `),
  notes: listed(`
    opmerking,
    bemerkung, bemerkungen, anmerkung, anmerkungen, kommentar, commentaire, commentaires, remarques, comentarios,
    commenti, opmerkingen
  `),
  owner: listed(`
    v t, verantwortlich termin,
    verantwortlich, verantwortlicher, zuständig, responsable, responsabile, verantwoordelijke, eigenaar, ansvarig,
    ansvarlig, pilote, responsável, verantwoordelijk, referente, risikoansvarlig, riskägare, risikoeier
  `),
  status: listed(`
    stand van zaken,
    statut, état, estado, stato, stand, avancement, tilstand, estatus, esito, décision
  `),
  evidence: listed(`
    nachweis, nachweise, preuve, preuves, evidencia, evidenza, bewijs, verifiering, verifikation, verifikasjon,
    verifica
  `),
  action_status: listed(`
    läge, åtgärdsstatus, maßnahmenstatus, umsetzungsstatus, stand der umsetzung, tiltaksstatus
  `),
};
