// "Check in this browser", in French.
import type { Words } from '../en.ts';

export const check = {
  button: 'Vérifier dans ce navigateur',
  checking: 'Vérification…',
  heading: 'Vérifié dans ce navigateur',
  proved: 'Prouvé',
  seen: (cosigned, members, at) =>
    `et vu par ${cosigned} témoins indépendants sur ${members} : cela existait au plus tard le ${at}.`,
  operatorOnly: 'sur la seule parole de l’exploitant : personne d’autre n’a signé.',
  refused: 'Rejeté :',
  good: 'En ordre.',
  wrong: 'Faux.',
  meanings: {
    file: 'Le fichier est bien formé et porte sur l’objet de cette page.',
    epochs:
      'L’exploitant a signé que le registre continue sous un autre nom, et ce qui a été perdu.',
    log: 'L’exploitant a signé l’arbre auquel mènent ces empreintes.',
    witnesses:
      'Chacun de ces témoins conserve le dernier arbre qu’il a vu de ce registre et n’en signe aucun qui le contredise.',
    blocks: 'Chaque texte donne son empreinte, et son empreinte mène à la racine signée.',
    chain: 'Les blocs qui se suivent citent l’empreinte l’un de l’autre.',
    kept: 'L’arbre prolonge celui qui a été vérifié auparavant.',
    disclosures: 'Les valeurs divulguées correspondent à ce à quoi les blocs s’étaient engagés.',
  },
  refusals: {
    malformed: 'Ce que la plateforme a envoyé n’est pas une preuve, ou porte sur autre chose.',
    unknown_log: 'La preuve provient d’un autre registre que celui de cette plateforme.',
    bad_signature: 'Une signature n’est pas celle de l’exploitant.',
    no_quorum: 'Trop peu de témoins l’ont confirmé.',
    not_in_tree:
      'Ce qui est stocké maintenant n’est pas ce qui a été signé : cela a été modifié après coup.',
    other_height: 'Le texte est celui d’un autre bloc.',
    not_canonical: 'Le texte n’est pas celui d’un bloc : il a été modifié après coup.',
    rolled_back:
      'Le registre est plus court qu’un registre déjà vu : quelque chose en a été retiré.',
    split_view: 'L’exploitant a signé deux registres qui se contredisent.',
  },
  operatorsWord:
    'Personne d’autre n’a signé : c’est donc la parole de l’exploitant, à laquelle on pourra le tenir.',
  verifierSays: 'Message du vérificateur (en anglais)',
  ownKey:
    'Cette page, son programme, la clé et les noms des témoins proviennent de cette plateforme. Comparez la clé avec une clé obtenue ailleurs, ou vérifiez le fichier avec votre propre programme :',
  tooOld:
    'Ce navigateur ne peut pas vérifier de signatures ici : il faut https et une version plus récente.',
  nothingChecked: (reason) => `Rien n’a été vérifié : ${reason}.`,
  hubAnswered: (status, path) => `la plateforme a répondu ${status} pour ${path}`,
  notReached: 'la plateforme n’a pas pu être jointe',
  noProof:
    'La plateforme n’en délivre aucune preuve : ce qui est stocké n’est peut-être pas ce qui a été signé. D’ici là, ne vous fiez pas à cette page.',
  hubSays: 'Message de la plateforme (en anglais)',
  otherWays: 'Les liens de cette page mènent au fichier et à d’autres moyens de le vérifier.',
} satisfies Words['check'];
