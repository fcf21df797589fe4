// Notifications of recalls of a lot or a product: the part of public pages, its own pages, mails and messages to
// devices, in French.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

type Part = string | Html;

export const watching: Words['watching'] = {
  title: 'Me prévenir en cas de rappel',
  intro:
    'Vous êtes prévenu quand un rappel commence, change ou se termine. Rien d’autre n’est envoyé.',
  what: 'Ce qui est suivi',
  thisLot: 'Ce lot',
  thisProduct: 'Tous les lots de ce produit',
  email: 'Adresse électronique',
  byMail: 'M’envoyer un lien de confirmation',
  onDevice: 'Me prévenir sur cet appareil',
  offDevice: 'Ne plus prévenir sur cet appareil',
  deviceAdded: 'Cet appareil est prévenu.',
  deviceEnded: 'Cet appareil n’est plus prévenu.',
  deviceBlocked:
    'Votre navigateur bloque les notifications de cette page. Autorisez-les d’abord dans ses réglages.',
  deviceFailed: 'Cela n’a pas fonctionné. Réessayez dans un instant.',
  kept: 'Sont conservés votre adresse, votre langue et ce que vous suivez, jusqu’à ce que vous y mettiez fin.',
  keptOfMe: 'Voir ou supprimer ce qui est conservé sur moi',

  lotName: (code: string, brand: string) => `lot ${code} de ${brand}`,
  productName: (product: string, brand: string) => `${product} de ${brand}`,

  asked: {
    title: 'Consultez votre messagerie',
    text: 'Si cette adresse ne le suit pas encore, un message avec un lien est en route. Le lien est valable 48 heures. Sans confirmation, rien n’est conservé plus longtemps.',
  },
  listed: {
    title: 'Consultez votre messagerie',
    text: 'Si quelque chose est conservé sur cette adresse, un message avec un lien est en route. Le lien est valable une heure et n’est envoyé que toutes les six heures au plus.',
  },
  confirm: {
    title: 'Être prévenu des rappels',
    text: (name: Part) => ['Vous serez prévenu en cas de rappel : ', name, '.'],
    button: 'Oui, me prévenir',
    done: 'Vous serez prévenu',
    doneText:
      'Chaque message contient un lien qui y met fin. Après deux ans, on vous demande une fois si cela doit continuer.',
    recalledNow: 'Il y a un rappel en ce moment :',
    see: 'Ce qui est connu à présent',
  },
  end: {
    title: 'Mettre fin ?',
    text: (name: Part) => ['Vous êtes prévenu en cas de rappel : ', name, '.'],
    button: 'Ne plus me prévenir',
    done: 'C’est terminé',
    doneText: 'Rien n’en est conservé.',
  },
  renew: {
    title: 'Continuer deux ans de plus ?',
    text: (name: Part, date: Part) => [
      'Vous êtes prévenu en cas de rappel : ',
      name,
      '. Sans réponse, cela se termine le ',
      date,
      '.',
    ],
    button: 'Continuer',
    done: 'Cela continue pendant deux ans',
  },
  list: {
    title: 'Ce qui est conservé sur vous',
    intro: (address: Part) => ['Voici tout ce qui est conservé sur ', address, ' :'],
    none: 'Rien n’est conservé sur cette adresse.',
    until: (date: Part) => ['jusqu’au ', date],
    pending: 'pas encore confirmé',
    endOne: 'Mettre fin',
    endAll: 'Mettre fin à tout',
  },
  ask: {
    title: 'Ce qui est conservé sur moi',
    text: 'Indiquez l’adresse qui est prévenue des rappels. Vous recevez un lien vers tout ce qui est conservé à son sujet et pouvez y mettre fin. Sur un appareil, on y met fin sur la page du lot ou du produit.',
    button: 'M’envoyer le lien',
  },
  gone: {
    title: 'Ce lien ne mène plus nulle part',
    text: 'Il a été utilisé, son délai est passé, ou ce dont il dépend est terminé. Rien n’est conservé de ce qui est terminé.',
  },

  mails: {
    confirm: {
      subject: (name: string) => `À confirmer : être prévenu des rappels, ${name}`,
      text: 'Quelqu’un, sans doute vous, a demandé que cette adresse soit prévenue des rappels. Ouvrez le lien et appuyez sur le bouton dans les 48 heures. Si ce n’était pas vous, ne faites rien : rien ne sera envoyé et l’adresse sera supprimée.',
      button: 'Confirmer',
    },
    list: {
      subject: 'Ce qui est conservé sur vous',
      text: 'Quelqu’un, sans doute vous, a demandé ce qui est conservé sur cette adresse. Le lien est valable une heure.',
      button: 'Voir ou supprimer',
    },
    renew: {
      subject: (name: string) => `Continuer à être prévenu des rappels ? ${name}`,
      text: (date: string) =>
        `Vous êtes prévenu depuis presque deux ans. Sans réponse, cela se termine le ${date} et votre adresse est supprimée.`,
      button: 'Continuer',
    },
    welcome: {
      subject: (name: string) => `Vous serez prévenu en cas de rappel : ${name}`,
      text: 'Voici à quoi cela ressemblera.',
    },
    recall: {
      opened: (name: string) => `Rappel : ${name}`,
      widened: (name: string) => `Rappel : ${name}`,
      moved: (name: string) => `Rappel, nouvel état : ${name}`,
      edited: (name: string) => `Rappel, nouvelles précisions : ${name}`,
      left: (name: string) => `Ne fait plus partie d’un rappel : ${name}`,
      closed: (name: string) => `Rappel terminé : ${name}`,
      cancelled: (name: string) => `Rappel annulé : ${name}`,
    },
    leftText: 'La marque a constaté que ce lot n’est pas concerné.',
    reason: (text: string) => `Raison (selon les termes de la marque) : ${text}`,
    lots: (codes: string) => `Lots : ${codes}`,
    giveBack: (brand: string) =>
      `Rapportez le produit là où vous l’avez obtenu, ou demandez à ${brand}.`,
    read: 'L’avis complet',
    why: (name: string) =>
      `Vous recevez ceci parce que vous avez demandé à être prévenu des rappels : ${name}.`,
    stop: 'Ne plus me prévenir',
    all: 'Ce qui est conservé sur moi',
  },
};
