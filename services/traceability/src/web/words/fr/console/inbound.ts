// The console, recalls of suppliers, in French.
import type { Words } from '../../en.ts';

export const inbound = {
  title: 'Rappels de fournisseurs',
  lead: 'Rappels publiés des marques auxquelles vos fournisseurs sont liés, pour autant qu’ils touchent vos lots.',
  show: 'Afficher',
  states: { open: 'En cours', all: 'Aussi les terminés' },
  none: 'Aucun rappel d’un fournisseur lié ne touche vos lots.',
  noneHint:
    'Liez vos fournisseurs à leurs marques sur cette plateforme : leurs rappels arriveront ici d’eux-mêmes.',
  toSuppliers: 'Lier des fournisseurs',
  of: (brand) => ['Rappel de ', brand],
  since: (at) => ['Depuis le ', at],
  ended: (at) => ['Terminé le ', at],
  notice: 'Avis public',
  receivedTitle: 'Reçu par vous',
  code: 'Lot du fournisseur',
  supplier: 'Fournisseur',
  simulate: 'Simuler',
  lotsTitle: 'Vos lots touchés',
  noLots: 'Aucun de vos lots n’est touché.',
  atLeast: (count) => `${count} ou plus`,
  ownCases: (cases) => ['Vos cas ouverts à ce sujet : ', cases],
  hold: 'Bloquer ces lots',
  holdAdvice: (count) =>
    `Lots bloqués : ${count}, tels que le rappel les touche à ce moment. Aucun cas n’est ouvert et aucun avis n’est publié.`,
  holdNow: 'Bloquer maintenant',
  holdReason: 'Motif',
  gone: 'Ce rappel ne touche plus aucun de vos lots. Rien n’a été bloqué.',
  older: 'Rappels plus anciens',
  done: { held: 'Tous les lots que le rappel touche sont bloqués.' },
} satisfies Words['console']['inbound'];
