// Recall notices, their list and their pages, in French.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

type Part = string | Html;

export const recalls = {
  title: 'Rappels',
  newestFirst: 'Du plus récent au plus ancien',
  recall: 'Rappel',
  recallTitle: (caseNo: string) => `Rappel ${caseNo}`,
  search: 'Produit, marque, numéro de lot ou GTIN',
  searchButton: 'Rechercher les rappels',
  all: 'Tous les rappels',
  older: 'Plus anciens',
  newer: 'Plus récents',
  pages: 'Autres rappels',
  none: 'Il n’y a aucun rappel en ce moment.',
  noneFound:
    'Aucun rappel ne correspond. Vérifiez l’orthographe et recherchez votre lot : un rappel peut commencer à tout moment.',
  noneOlder: 'Il n’y a pas de rappel plus ancien.',
  cut: (count: string) => `La recherche a porté sur les ${count} rappels les plus récents.`,
  kept: (days: string) =>
    `Les rappels restent ici ${days} jours après leur fin, car des produits peuvent encore être utilisés. La durée de conservation des produits n’est pas enregistrée sur cette plateforme.`,
  reason: 'Raison',
  brand: 'Marque',
  products: 'Produits',
  lots: 'Lots',
  noLots: 'aucun pour l’instant',
  more: (count: string) => `et ${count} autres`,
  severity: 'Classe',
  status: 'État',
  case: 'Dossier',
  since: (date: Part) => ['depuis le ', date],
  changed: (date: Part) => ['modifié le ', date],
  ended: (date: Part) => ['terminé le ', date],
  endedBadge: 'Terminé',
  cancelledBadge: 'Annulé',
  endedAdvice:
    'Ce rappel est terminé : la marque a fait le nécessaire. Si vous avez encore un tel produit, le conseil reste valable.',
  cancelled: (date: Part) => ['La marque a annulé ce rappel le ', date, '.'],
  brandsWords: 'selon les termes de la marque',
  covered: (count: string, isOne: boolean) =>
    isOne
      ? 'Un lot est concerné à présent. D’autres peuvent s’ajouter : recherchez le vôtre.'
      : `${count} lots sont concernés à présent. D’autres peuvent s’ajouter : recherchez le vôtre.`,
  moreLots: 'Autres lots',
  decided: 'Ce qui a été décidé',
  sealedSteps:
    'Chaque étape est scellée dans un bloc de la chaîne, que personne ne peut modifier sans que cela se voie. Toutes les heures sont en UTC.',
  laterSteps: 'Étapes suivantes',
  furtherParts: (count: string) => `${count} ${count === '1' ? 'autre partie' : 'autres parties'}`,
  checkedBelow: (block: Part) => [
    'Ci-dessous est vérifié ',
    block,
    ', le plus récent ; la page de chaque bloc vérifie le sien.',
  ],
  feeds: 'S’abonner aux rappels',
  feedTitle: (hub: string) => `Rappels sur ${hub}`,
  feedAbout: 'Tous les rappels, avec chaque modification.',
} satisfies Words['recalls'];
