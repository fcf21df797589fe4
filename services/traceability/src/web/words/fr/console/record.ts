// The console, the form for one event, in French.
import type { Words } from '../../en.ts';

export const record = {
  title: 'Saisir un événement',
  lead: 'Un événement au moment où il se produit : choisir le type, scanner les lots, enregistrer.',
  typeTitle: 'Que s’est-il passé ?',
  otherType: 'Autre type',
  when: 'Quand',
  whenHint: 'Laissé vide : maintenant.',
  timeZone: 'Fuseau horaire',
  lines: 'Lots',
  line: (line) => `Lot ${line}`,
  addLine: 'Ajouter un lot',
  removeLine: 'Retirer ce lot',
  check: 'Vérifier les codes',
  store: 'Enregistrer l’événement',
  more: 'Plus sur ce lot',
  moreOfEvent: 'Plus',
  directions: { in: 'entrée', out: 'sortie' },
  lotHint: 'Scannez ou saisissez. Les codes GS1 et les Digital Links sont lus.',
  quantityHint: 'Par exemple 12,5',
  stored: 'L’événement est enregistré.',
  storedIn: (block) => `Bloc ${block}`,
  warned: 'À regarder :',
  idTaken:
    'Un événement de cet identifiant est déjà enregistré avec un autre contenu. Rouvrez le formulaire.',
  codes: {
    known: 'Ce lot existe.',
    on_hold: 'Ce lot est bloqué.',
    unknown: 'Ce lot est nouveau.',
    unknownGtin: (gtin) => `Aucun produit de la marque n’a le GTIN ${gtin}.`,
  },
  queue: {
    title: 'En route',
    waiting: 'en attente',
    sending: 'envoi',
    sent: 'enregistré',
    refused: 'refusé',
    offline:
      'Pas de connexion. Ce que vous saisissez attend sur cet appareil et part dès qu’il y en a une.',
    ended:
      'La session est terminée. Ce que vous saisissez attend sur cet appareil jusqu’à votre prochaine connexion.',
    logIn: 'Se connecter',
    otherPerson:
      'Quelqu’un d’autre l’a saisi. Cela attend que cette personne se connecte sur cet appareil.',
    correct: 'Corriger',
    discard: 'Abandonner',
    discardAsk: 'Abandonner cet événement ? Il n’a pas été enregistré.',
    count: 'En attente : ',
    noPlace:
      'Cet appareil ne peut pas conserver l’événement. Enregistrez-le tant qu’il y a une connexion.',
  },
} satisfies Words['console']['record'];
