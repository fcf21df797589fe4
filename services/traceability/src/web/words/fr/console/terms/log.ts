// Terms of the glossary: the public log, in French.
import type { Words } from '../../../en.ts';

export const log = {
  words: {
    log: 'journal public',
    logCheckpoint: 'point de contrôle du journal',
    inclusionProof: 'preuve d’inclusion',
    evidenceFile: 'fichier de preuve',
    outsideWitness: 'témoin extérieur',
    timeStamp: 'horodatage',
    cosignature: 'cosignature',
    policy: 'politique',
    held: 'suspendu',
  },
  sentences: {
    log: 'L’arbre de Merkle sur les hachages de tous les blocs, que son exploitant signe.',
    logCheckpoint:
      'Origine, taille et racine de cet arbre, signées par le journal et peut-être par des témoins. Jamais « checkpoint » seul là où la hauteur et le hachage notés pourraient être visés.',
    inclusionProof: 'Les hachages qui mènent de l’entrée d’un bloc à la racine.',
    evidenceFile:
      'Les blocs d’un lot avec leurs preuves d’inclusion sous un point de contrôle du journal.',
    outsideWitness:
      'Quelqu’un d’autre qui a vu un point de contrôle du journal, constaté que le journal n’a fait que croître, et l’a signé aussi.',
    timeStamp:
      'La réponse d’un service d’horodatage (RFC 3161) sur un point de contrôle du journal : il existait alors au plus tard. Jamais une heure écrite par la plateforme.',
    cosignature: 'Ce qu’un témoin extérieur signe : une heure et un point de contrôle du journal.',
    policy:
      'De qui un lecteur croit les signatures, et combien de témoins extérieurs il faut : le quorum.',
    held: 'Du journal : rien n’est signé tant qu’un exploitant n’a pas décidé, car ce qui est conservé pourrait contredire ce qui fut signé.',
  },
} satisfies Words['console']['help']['terms']['log'];
