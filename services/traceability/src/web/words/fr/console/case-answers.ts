// The console, working through the notifications of a recall case, in French.
import type { Words } from '../../en.ts';

export const answers = {
  title: 'Notifications',
  lead: 'Qui le rappel concerne. Envoyez le texte par vos propres moyens, notez l’envoi, puis la réponse.',
  notYet:
    'Les textes sont à envoyer dès que le rappel passe à l’information. D’ici là, vous pouvez les préparer.',
  csv: 'Toutes les notifications (CSV)',
  audience: 'Public visé',
  audiences: {
    customer: 'Client',
    channel: 'Canal de vente',
    supplier: 'Fournisseur',
    internal_qa: 'Service qualité interne',
    regulator: 'Autorité',
    public: 'Grand public',
  },
  status: 'État',
  statuses: {
    pending: 'Pas encore',
    ready: 'À envoyer',
    sent: 'Sans réponse',
    acknowledged: 'Répondu',
    resolved: 'Réglé',
  },
  recipient: 'Destinataire',
  erased: 'effacé',
  lots: 'Lots',
  amount: 'Quantité',
  answer: 'Réponse',
  none: 'Aucune notification ne correspond.',
  noneYet: 'Le rappel ne concerne encore personne.',
  selected: 'Choix',
  pick: (recipient: string) => `Sélectionner ${recipient}`,
  markPicked: 'Noter la sélection comme envoyée',
  markAll: (count: string, isOne: boolean) =>
    isOne
      ? 'Noter comme envoyée celle qui attend ici'
      : `Noter comme envoyées les ${count} qui attendent ici`,
  pickOne: 'Sélectionnez-en au moins une qui est à envoyer.',
  marked: (count: string, isOne: boolean) =>
    isOne
      ? 'Une notification est notée comme envoyée.'
      : `${count} notifications sont notées comme envoyées.`,
  stayed: (count: string, isOne: boolean) =>
    isOne
      ? 'Une est restée telle quelle : quelqu’un d’autre l’avait déjà traitée entre-temps.'
      : `${count} sont restées telles quelles : quelqu’un d’autre les avait déjà traitées entre-temps.`,
  begin: 'Les traiter une par une',
  next: 'Suivante à envoyer',
  nextSilent: 'Suivante sans réponse',
  all: 'Toutes les notifications',
  text: 'Texte à envoyer',
  textIn: (language: string) => `Texte en ${language}`,
  copyText: 'Copier le texte',
  mail: (address: string) => `Écrire à ${address}`,
  tooLong: 'Le texte est trop long pour un lien : copiez-le dans le message.',
  reached: 'Ce que ce destinataire a reçu',
  nothingReached: 'Rien de ces lots n’est enregistré comme vendu ou livré à ce destinataire.',
  firstLots: (shown: string, all: string) => `Les ${shown} premiers de ${all} lots.`,
  erasedAdvice: 'Ce client a été effacé : personne ne sait plus qui c’était.',
  sentAt: 'Envoyée',
  acknowledgedAt: 'Répondue',
  resolvedAt: 'Réglée',
  block: 'Bloc',
  markSent: 'Noter comme envoyée',
  markSentNext: 'Noter comme envoyée et afficher la suivante',
  answerTitle: 'Saisir la réponse',
  nowIs: 'Le destinataire a',
  acknowledged: 'confirmé : il est au courant',
  resolved: 'réglé l’affaire : plus rien n’est ouvert',
  accounted: (unit: string) => `Quantité justifiée (${unit})`,
  accountedHint:
    'Ce que le destinataire a encore, a renvoyé ou détruit. C’est noté avec la réponse.',
  accountedText: (amounts: string) => `Justifié : ${amounts}.`,
  response: 'Ce qui a été répondu (facultatif)',
  responseHint: 'Conservé pour la marque seule ; la chaîne n’en contient qu’un engagement.',
  save: 'Enregistrer la réponse',
  saveNext: 'Enregistrer et afficher la suivante',
  changedMeanwhile: (status: string) =>
    `Rien n’a été fait : quelqu’un d’autre a traité cette notification entre-temps. Son état est maintenant : ${status}.`,
  pendingRefused:
    'Rien n’a été fait : le rappel n’est pas passé à l’information, il n’y a donc encore rien à envoyer.',
} satisfies Words['console']['cases']['answers'];
