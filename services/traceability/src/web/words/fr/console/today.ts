// The console, what needs somebody now, in French.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const today = {
  title: 'Aujourd’hui',
  role: (brand, role) => html`${brand} · ${role}`,
  needs: 'À traiter maintenant',
  nothing: 'Rien à traiter maintenant',
  nothingAdvice:
    'Aucun rappel ouvert n’attend de réponse, aucun lot n’est bloqué, et les contrôles n’ont rien trouvé.',
  record: 'Saisir un événement',
  simulate: 'Simuler un rappel',
  chainFaulty: 'La chaîne ne correspond pas à ce qui a été enregistré',
  chainFaultyHint: (height) =>
    `Le premier bloc qui ne correspond pas est le ${height}. Les événements sont toujours acceptés. L’exploitant de la plateforme doit intervenir maintenant.`,
  clock: 'Rien ne peut être enregistré pour le moment',
  clockHint:
    'L’horloge de la plateforme n’est pas crue. L’exploitant de la plateforme doit intervenir maintenant.',
  logHeld: 'Le journal public est suspendu',
  logHeldHint: 'Les nouveaux blocs ne sont pas signés tant que l’exploitant n’a pas décidé.',
  witnessesBehind: 'Les témoins sont en retard',
  witnessesBehindHint: (minutes) =>
    `Depuis ${minutes} minutes, aucun témoin extérieur n’a confirmé les blocs les plus récents.`,
  notNotified: 'personne n’est encore prévenu',
  toSend: (count) => `${count} à envoyer`,
  unanswered: (count) => `${count} sans réponse`,
  allAnswered: 'toutes les notifications ont une réponse',
  allCases: 'Tous les rappels ouverts',
  allCasesHint: 'Traitez leurs notifications et clôturez ce qui est terminé.',
  inbound: 'Des rappels de vos fournisseurs touchent vos lots',
  inboundHint: 'Voyez lesquels de vos lots sont touchés, et bloquez-les.',
  breaches: 'Des lots bloqués ont été déplacés',
  breachesHint: (days) => `Ces ${days} derniers jours, les plus récents d’abord.`,
  imports: 'Imports avec des erreurs',
  importsHint: (days) =>
    `Ces ${days} derniers jours, des fichiers ont échoué ou des lignes ont été écartées : corrigez-les et renvoyez-les.`,
  onHold: 'Lots bloqués',
  onHoldHint: 'Libérez-les, ou décidez de leur sort.',
  checking: 'Les contrôles sont en cours. Revenez dans un instant.',
  numbers: 'En chiffres',
  events24h: 'Événements en 24 heures',
  lastEvent: 'Dernier événement',
  lots: 'Lots',
  recalled: 'Lots rappelés',
  score: 'Contrôles',
  outOf100: (score) => `${score} sur 100`,
  lastDrill: 'Dernier exercice',
  never: 'jamais',
  daysAgo: (days) => `il y a ${days} jours`,
  todayWord: 'aujourd’hui',
  trust: 'La chaîne et ses témoins',
  verified: (height, at) => html`Tous les blocs jusqu’au ${height} vérifiés le ${at}`,
  verifying: (height, tip) => `Vérifié jusqu’au bloc ${height} sur ${tip}`,
  notVerified: 'La première vérification n’est pas terminée',
  log: {
    off: 'Pas de journal public',
    building: 'Le journal public est en construction',
    signing: 'Chaque bloc est signé dans le journal public',
    held: 'Le journal public est suspendu',
  },
  quorum: (cosigned, counting) => `Témoins : ${cosigned} sur ${counting}`,
  noWitnesses: 'Pas de témoin extérieur',
  explore: 'Voir la chaîne',
  list: {
    looked: (count, total) =>
      `${count} sur ${total} contrôlés. Les contrôles portent sur les événements et les lots les plus récents.`,
    cut: (count) => `Les ${count} plus récents sont affichés.`,
    at: (at) => html`Contrôlé le ${at}.`,
    none: 'Rien de tel n’a été trouvé.',
    event: 'Événement',
    occurred: 'Survenu',
    reference: 'Référence',
    lot: 'Lot',
    product: 'Produit',
    when: 'Quand',
    who: 'Qui',
  },
  checks: {
    provenance_complete: {
      title: 'Réceptions sans provenance complète',
      advice: 'Corrigez la réception : fournisseur, origine et code de lot du fournisseur.',
    },
    lots_have_origin: {
      title: 'Lots venus de nulle part',
      advice: 'Enregistrez la réception ou la fabrication dont ils proviennent.',
    },
    production_linked: {
      title: 'Fabrications sans contrepartie',
      advice: 'Enregistrez sous la même référence ce qui est entré ou ce qui est sorti.',
    },
    lots_not_over_issued: {
      title: 'Lots dont il est sorti plus qu’il n’est entré',
      advice:
        'Cherchez une unité erronée, une réception oubliée ou une faute de frappe, et corrigez-la.',
    },
    yield_plausible: {
      title: 'Fabrications au rendement improbable',
      advice: 'Comparez ce qui est entré et ce qui est sorti, et corrigez la quantité erronée.',
    },
    units_agree: {
      title: 'Lots comptés en deux unités',
      advice:
        'Corrigez les lignes pour qu’un produit d’un lot ait une seule unité : sinon rien ne s’additionne.',
    },
    recorded_in_time: {
      title: 'Événements enregistrés avec plus d’un jour de retard',
      advice: 'Jusque-là, personne ne pouvait les tracer. Trouvez où les saisies attendent.',
    },
    sales_name_customer: {
      title: 'Ventes sans client',
      advice: 'Corrigez la vente : sans client, personne ne peut être prévenu d’un rappel.',
    },
    drilled_in_time: {
      title: 'Un exercice de rappel est à faire',
      advice: 'Au moins une fois par an. Il dure une minute et laisse un certificat.',
    },
    hold_breaches: {
      title: 'Lots déplacés alors qu’ils étaient bloqués',
      advice: 'Cherchez pourquoi, et faites revenir ce qui est parti.',
    },
  },
  steps: {
    title: 'Le chemin vers votre premier exercice',
    lead: 'Trois étapes, et un rappel n’est plus une surprise.',
    done: 'Fait',
    file: 'Importer votre premier fichier',
    fileText:
      'Un fichier CSV ou Excel de réceptions et de fabrications. Il est d’abord contrôlé ; rien n’est enregistré sans votre accord.',
    fileDo: 'Importer un fichier',
    recordDo: 'Ou saisir un événement à la main',
    label: 'Imprimer votre première étiquette',
    labelText: 'Le symbole sur le produit mène les consommateurs à la page de son lot.',
    labelDo: 'Faire une étiquette',
    labelWait: 'Une étiquette suppose un lot : importez d’abord un fichier.',
    drill: 'Faire votre premier exercice',
    drillText:
      'Tracez un lot comme lors d’un rappel. La plateforme chronomètre et garde un certificat ; les consommateurs n’en voient rien.',
    drillDo: 'Commencer un exercice',
    drillWait: 'Un exercice suppose des lots : importez d’abord un fichier.',
    needsRole: (role) => `Il faut le rôle ${role}.`,
  },
} satisfies Words['console']['today'];
