// The page at `/`, in French.
import type { Words } from '../en.ts';

export const start = {
  title: 'D’où vient un produit',
  lead: (hub) =>
    `Les marques déclarent à ${hub} ce qui arrive à chaque lot de leurs produits : reçu, fabriqué, conditionné, expédié, vendu. Chaque déclaration devient un bloc d’une chaîne publique d’empreintes SHA-256. Quiconque conserve la preuve d’un bloc peut démontrer que l’exploitant l’a modifié ou supprimé par la suite. L’exactitude d’une déclaration, elle, repose sur la parole de la marque.`,
  readOn: 'Pour en savoir plus',
  recalls: {
    label: 'Rappels',
    text: 'Quels lots sont rappelés en ce moment, pourquoi, et que faire.',
  },
  explorer: {
    label: 'Explorateur de la chaîne',
    text: 'Tous les blocs de la chaîne, avec leur texte et la manière de les vérifier.',
  },
  guide: {
    label: 'Guide',
    text: 'Pour ceux qui envoient des événements ou vérifient la chaîne : du premier événement à sa preuve à la main.',
  },
  api: {
    label: 'Référence de l’API',
    text: 'Tous les points d’accès, avec des exemples et une commande pour les appeler.',
  },
  trust: {
    label: 'À qui vous devez faire confiance',
    text: 'Ce qui est prouvé et par qui, ce que l’exploitant peut encore faire, et comment le vérifier sans nous.',
  },
  format: {
    label: 'Format de la chaîne',
    text: 'Ce qui entre dans l’empreinte, à l’octet près : de quoi écrire votre propre vérificateur.',
  },
  json: {
    label: 'L’explorateur en JSON',
    text: 'Pour les programmes.',
    description: 'Description de l’API',
  },
  inEnglish: '(en anglais)',
} satisfies Words['start'];
