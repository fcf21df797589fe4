// Terms of the glossary: recalls, in French.
import type { Words } from '../../../en.ts';

export const recall = {
  words: {
    simulation: 'simulation',
    case: 'dossier de rappel',
    caseInConfidence: 'rappel confidentiel',
    disclosure: 'divulgation',
    seedLot: 'lot de départ',
    impact: 'portée',
    notice: 'avis',
    notification: 'notification',
    audience: 'public visé',
    effectiveness: 'efficacité',
    drill: 'exercice',
    massBalanceOfDrill: 'bilan matière d’un exercice',
    severity: 'gravité',
    scope: 'étendue',
    move: 'étape',
    linkOfSupplier: 'lien d’un fournisseur',
    inboundRecall: 'rappel d’un fournisseur',
    advice: 'conseil',
    reconciliation: 'rapprochement',
    accountedFor: 'justifié',
    suspect: 'lot suspect',
    watch: 'veille',
  },
  sentences: {
    simulation:
      'Un rappel à blanc : dit ce qui serait touché, maintenant ou à un bloc antérieur, et ne change rien.',
    case: 'Un rappel en cours, ouvert par le propriétaire des données et mené par `investigation`, `notification`, `containment` jusqu’à `closed`, ou `cancelled`.',
    caseInConfidence:
      'Un rappel dont seul le numéro est public avant son passage à `notification` ; jusque-là ses blocs contiennent des engagements.',
    disclosure:
      'D’un rappel : un bloc qui dit, mot pour mot, à quoi un bloc confidentiel du rappel s’était engagé.',
    seedLot: 'Le lot à partir duquel une simulation ou un rappel commence.',
    impact: 'Les lots, expéditions et clients qu’un rappel atteint : à l’ouverture, et maintenant.',
    notice: 'L’annonce publique d’un rappel ouvert, pour les consommateurs.',
    notification:
      'Un message d’un rappel à un public, gardé jusqu’à ce que les outils du client l’aient envoyé et confirmé.',
    audience:
      'À qui s’adresse une notification : `customer`, `channel`, `supplier`, `internal_qa`, `regulator` ou `public`.',
    effectiveness:
      'Où en est un rappel : qui a été prévenu, qui a répondu, qui se tait, et quelle part du vendu se trouve chez ceux qui ont répondu.',
    drill:
      'Un traçage d’entraînement chronométré, gardé comme preuve ; les consommateurs n’en voient rien.',
    massBalanceOfDrill:
      'Ce qui est entré dans tous ses lots, ce qui les a quittés et ce qui reste, par SKU et unité.',
    severity:
      'La gravité de la cause d’un rappel : `class_i` à `class_iii`, `market_withdrawal` ou `unclassified`.',
    scope:
      'Les lots qu’un rappel couvre : ceux qui sont liés à son lot de départ dans sa direction, aussi loin que ce soit.',
    move: 'Le passage d’un rappel d’un statut au suivant ; gardé avec son auteur et sa raison.',
    linkOfSupplier:
      'Le fait que le nom d’un fournisseur dans les événements d’une marque désigne une autre marque de la plateforme. Cela ne regarde que la marque qui le dit.',
    inboundRecall:
      'Un rappel publié d’un fournisseur lié, qui couvre un lot dont la marque a reçu de lui le code.',
    advice: 'La phrase d’un avis qui dit aux consommateurs quoi faire.',
    reconciliation:
      'Comparaison de ce qu’un rappel couvre avec ce qu’on en sait : en stock, utilisé, éliminé, distribué, justifié par une réponse.',
    accountedFor:
      'De ce qui a été fourni, la part qui n’a pas été distribuée ou qui a été vendue à des clients ayant répondu.',
    suspect:
      'Un ancêtre qui, s’il était la cause, élargirait un rappel ; classé par le nombre de lots qu’il ajouterait.',
    watch:
      'Ce qu’une adresse ou un navigateur a demandé sur une page publique : être averti des rappels d’un lot ou d’un produit. Elle ne compte qu’une fois confirmée.',
  },
} satisfies Words['console']['help']['terms']['recall'];
