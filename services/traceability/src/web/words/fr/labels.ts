// What pages call the words of the closed lists, in French.
import { FIELD_LABELS } from '../field-labels.ts';
import type { Words } from '../en.ts';

export const labels = {
  eventTypes: {
    RECEIVE: 'Réception',
    PRODUCE: 'Fabrication',
    CONSUME: 'Utilisation en fabrication',
    PACK: 'Conditionnement',
    TRANSFER: 'Transfert',
    SHIP: 'Expédition',
    SELL: 'Vente',
    DISPOSE: 'Élimination',
    CORRECTION: 'Correction',
  },
  eventNotes: {
    RECEIVE: 'De la marchandise est arrivée, d’un fournisseur ou en retour d’un client.',
    PRODUCE: 'De nouveaux lots ont été fabriqués.',
    CONSUME: 'De la marchandise a servi à en fabriquer d’autres.',
    PACK: 'De la marchandise a été conditionnée en d’autres unités.',
    TRANSFER: 'De la marchandise est allée d’un de vos lieux à un autre.',
    SHIP: 'De la marchandise est partie vers un client.',
    SELL: 'De la marchandise a été vendue.',
    DISPOSE: 'De la marchandise a été détruite ou jetée.',
    CORRECTION: 'Ce qui était enregistré a été corrigé.',
  },
  genesis: 'Début de la chaîne',
  decisionTypes: {
    brand: 'Décision : informations destinées aux consommateurs',
    drill: 'Décision : exercice de rappel',
    erasure: 'Décision : effacement de données confidentielles',
    hold: 'Décision : blocage ou libération',
    recall: 'Décision : étape d’un rappel',
    response: 'Décision : réponse à une notification',
  },
  lotStatuses: {
    active: 'en circulation',
    depleted: 'épuisé',
    disposed: 'éliminé',
    recalled: 'rappelé',
  },
  holdStatuses: {
    released: 'non bloqué',
    on_hold: 'bloqué, à ne pas utiliser avant sa libération',
  },
  caseStatuses: {
    investigation: 'en cours d’enquête',
    notification: 'les personnes concernées sont en cours d’information',
    containment: 'en cours de maîtrise',
    closed: 'clos',
    cancelled: 'annulé',
  },
  severities: {
    class_i: 'Classe I : peut entraîner des troubles graves ou la mort',
    class_ii: 'Classe II : peut entraîner des troubles passagers',
    class_iii: 'Classe III : ne devrait pas nuire à la santé',
    market_withdrawal: 'Retrait du marché : ne devrait pas nuire à la santé',
    unclassified: 'Pas encore classé',
  },
  channelClasses: {
    retail: 'magasins',
    online: 'boutiques en ligne',
    wholesale: 'commerce de gros',
    food_service: 'restauration et traiteurs',
    direct: 'vente directe',
    export: 'exportation',
    other: 'autres circuits',
  },
  statedStatuses: { accepted: 'cela a eu lieu', voided: 'cela n’a pas eu lieu' },
  fields: FIELD_LABELS.fr,
  fieldOfLine: (field, line) => `${field}, ligne ${line}`,
  block: (height) => `Bloc ${height}`,
} satisfies Words['labels'];
