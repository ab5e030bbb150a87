import type { StrangeLog } from './strangeLog.ts';

const TEXT = `Analyse préliminaire des risques;;;;;;;;;;;
Logiciel : Dossier de soins;;;;;;;;;;;
;;;;;;;;;;;
N°;Situation dangereuse;Événement déclencheur;Dommage;Gravité (1-4);Probabilité (1-4);Criticité;Moyens de maîtrise;Gravité résiduelle;Probabilité résiduelle;Criticité résiduelle;Statut
1;Ordonnance attribuée au mauvais patient;Deux dossiers ouverts à la fois;Traitement inadapté;4;3;12;Bandeau d'identité permanent;4;1;4;Clos
2;Alerte d'interaction absente;Base de médicaments non mise à jour;Effet indésirable grave;3;3;9;Mise à jour hebdomadaire;3;2;6;Ouvert
3;Heure d'administration décalée;Changement d'heure;Dose administrée deux fois;3;2;6;Horodatage en temps universel;3;1;3;Ouvert
4;Résultat de biologie tronqué;Champ limité à 80 caractères;Diagnostic retardé;2;4;8;Champ illimité;2;2;4;Clos
;;;;;;;;;;;
Criticité = gravité x probabilité. Acceptable jusqu'à 6.;;;;;;;;;;;
`;

/** A French CSV on a scale of four, with a criticality that is the product. */
export const frenchCriticality: StrangeLog = {
  kind: 'French, a scale of four, criticality as product, a legend below',
  fileName: 'analyse-des-risques.csv',
  bytes: () => new TextEncoder().encode(TEXT),
  hazards: [
    {
      id: '1',
      name: 'Ordonnance attribuée au mauvais patient',
      effect: 'Traitement inadapté',
      causes: ['Deux dossiers ouverts à la fois'],
      controls: ["Bandeau d'identité permanent"],
      initial: ['4', '3', 12],
      residual: ['4', '1', 4],
    },
    {
      id: '2',
      name: "Alerte d'interaction absente",
      effect: 'Effet indésirable grave',
      causes: ['Base de médicaments non mise à jour'],
      controls: ['Mise à jour hebdomadaire'],
      initial: ['3', '3', 9],
      residual: ['3', '2', 6],
    },
    {
      id: '3',
      name: "Heure d'administration décalée",
      effect: 'Dose administrée deux fois',
      causes: ["Changement d'heure"],
      controls: ['Horodatage en temps universel'],
      initial: ['3', '2', 6],
      residual: ['3', '1', 3],
    },
    {
      id: '4',
      name: 'Résultat de biologie tronqué',
      effect: 'Diagnostic retardé',
      causes: ['Champ limité à 80 caractères'],
      controls: ['Champ illimité'],
      initial: ['2', '4', 8],
      residual: ['2', '2', 4],
    },
  ],
};
