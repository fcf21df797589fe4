// The console, events and their corrections, in French.
import { html, type Html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const events = {
  title: 'Événements',
  statuses: {
    corrected: 'Corrigé',
    voided: 'N’a pas eu lieu',
  },
  directions: {
    in: 'entrée : reçu ou utilisé',
    out: 'sortie : fabriqué, expédié ou vendu',
  },
  noValue: 'aucun',
  numbered: (id: string) => `Événement ${id}`,
  correct: 'Corriger',
  facts: 'L’événement',
  externalId: 'identifiant externe',
  recorded: 'enregistré',
  recordedAs: 'enregistré comme',
  breach: (lots: Html) => html`Bloqué lors de l’enregistrement : ${lots}.`,
  postedBy: (actors: Html) => html`Enregistré par ${actors}.`,
  poster: 'envoyé par',
  warned: 'À vérifier lors de l’enregistrement :',
  lines: (count: string) => `Lignes (${count})`,
  line: 'Ligne',
  noLines: 'Cette ligne n’existe pas.',
  corrections: 'Corrections',
  proof: 'Preuve',
  correctTitle: 'Corriger un événement',
  correctLead: 'Ce qui a été enregistré reste. La correction s’y ajoute et compte dès lors.',
  lineNumbered: (line: string) => `Ligne ${line}`,
  otherLines:
    'Les autres lignes sont sur d’autres pages : une correction porte sur les lignes d’une page.',
  instantHint: 'En UTC, comme 2026-03-02T06:15:00Z, ou avec un autre décalage',
  reason: 'Motif',
  reasonHint: 'Tout le monde peut le lire : n’écrivez pas de noms de clients.',
  preview: 'Voir ce que cela change',
  voidTitle: 'Cela n’a pas eu lieu du tout',
  voidLead:
    'L’événement ne déplace et ne relie alors plus rien. C’est irréversible : saisissez l’événement à nouveau s’il a bien eu lieu.',
  voidedAlready:
    'Cet événement n’a pas eu lieu, selon une correction. Il ne peut plus être corrigé.',
  toEvent: 'Vers l’événement',
  nothingChanged: 'Rien n’est encore changé : changez d’abord une valeur.',
  raced:
    'Rien n’a été fait : quelqu’un d’autre a corrigé cet événement entre-temps. Ce qui compte maintenant est affiché ; regardez à nouveau.',
  racedTo: (value: string) => `Quelqu’un d’autre l’a changé ; c’est maintenant : ${value}`,
  previewTitle: 'Ce que la correction change',
  previewLead: 'Rien n’est encore fait.',
  changes: 'Changements',
  field: 'Champ',
  before: 'Avant',
  after: 'Après',
  lotsTitle: 'Ce qui reste de quels lots',
  lot: 'Lot',
  product: 'Produit',
  noQuantities: 'Aucune quantité ne change.',
  notCounted:
    'Des lots avec de très nombreux événements sont concernés : leurs quantités sont additionnées lors de la correction.',
  moreLots: (count: string) => `${count} autres lots sont concernés.`,
  sameQuantity: 'inchangé',
  overIssued: 'Il sort plus qu’il n’est entré',
  newLot: 'Nouveau lot',
  linksChange: 'Des liens entre lots changent aussi : généalogie et rappels suivent aussitôt.',
  casesTitle: 'Dossiers de rappel ouverts',
  noCases: 'Aucun dossier ouvert ne couvre des lots de cet événement.',
  casesSame:
    'Ces dossiers couvrent des lots de cet événement. Leurs quantités changent comme ci-dessus ; les lots couverts restent.',
  casesWiden:
    'Ces dossiers couvrent des lots de cet événement. Dans la seconde qui suit la correction, des lots peuvent entrer ou sortir ; ils sont bloqués ou signalés selon le dossier.',
  confirm: 'Corriger maintenant',
  back: 'Modifier encore',
  done: {
    corrected: 'L’événement est corrigé.',
    voided: 'L’événement ne compte plus.',
  },
} satisfies Words['console']['events'];
