// The console, what a person reads when something was refused or failed, in French.
import type { Words } from '../../en.ts';

export const errors = {
  forbidden: {
    title: 'Votre rôle ne le permet pas',
    advice: (role) =>
      `Il faut pour cela le rôle ${role}. Demandez-le à un responsable de la marque.`,
    adviceOfHub: (role) =>
      `Il faut pour cela le rôle ${role}. Demandez-le à quelqu’un qui exploite la plateforme.`,
  },
  notFound: {
    title: 'Il n’y a rien ici',
    advice: 'Cela a été retiré, ou appartient à une marque dont vous ne faites pas partie.',
  },
  linkUsedUp: {
    title: 'Ce lien n’est plus valable',
    advice: 'Il a été utilisé, a expiré ou a été retiré. Demandez-en un nouveau.',
  },
  crossSite: {
    title: 'Cela ne venait pas d’une page de cette plateforme',
    advice: 'Pour votre sécurité, rien n’a été fait. Ouvrez la console et essayez là.',
  },
  conflict: {
    title: 'Cela n’a pas été fait',
    advice:
      'Cela a été modifié au même moment, ou ne peut pas se faire maintenant. Regardez de nouveau.',
  },
  limitReached: {
    title: 'Le nombre maximal est atteint',
    advice: 'Supprimez-en d’abord.',
  },
  invalid: {
    title: 'Cette requête ne peut pas être comprise',
    advice: 'Recommencez depuis la console.',
  },
  tooLarge: {
    title: 'C’est plus que ce qu’un formulaire peut contenir',
    advice: 'Rien n’a été modifié. Revenez en arrière et envoyez-le en plusieurs fois.',
  },
  signOn: {
    title: 'La connexion unique n’a pas fonctionné',
    advice:
      'Recommencez depuis la page de connexion. Si cela se reproduit, demandez à l’exploitant de cette plateforme.',
  },
  signOnRefused: {
    title: 'La connexion unique ne vous laisse pas entrer',
    advice:
      'Votre fournisseur n’a pas confirmé votre adresse e-mail, ou il ne nomme aucune marque de cette plateforme. Demandez une invitation à un responsable de votre marque.',
  },
  signOnAway: {
    title: 'La connexion unique ne répond pas',
    advice: 'Votre fournisseur ne répond pas en ce moment. Réessayez dans une minute.',
  },
  passwordsOff: {
    title: 'Les mots de passe sont désactivés ici',
    advice: 'Connectez-vous par la connexion unique.',
  },
  tooMany: { title: 'Trop de requêtes', advice: 'Attendez une minute, puis continuez.' },
  unavailable: {
    title: 'Rien n’a été enregistré',
    advice:
      'Le service ne peut pas écrire en ce moment. Revenez en arrière et réessayez dans une minute.',
  },
  otherwise: {
    title: 'Cette page ne peut pas être affichée maintenant',
    advice: 'Le service n’a pas pu répondre. Réessayez dans une minute.',
  },
  toConsole: 'Vers la console',
  request: (id) => `Requête ${id}`,
} satisfies Words['console']['errors'];
