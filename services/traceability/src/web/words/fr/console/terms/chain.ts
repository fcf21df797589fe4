// Terms of the glossary: the chain, in French.
import type { Words } from '../../../en.ts';

export const chain = {
  words: {
    chain: 'chaîne',
    block: 'bloc',
    height: 'hauteur',
    genesis: 'bloc d’origine',
    seal: 'sceller',
    replay: 'renvoi',
    correction: 'correction',
    effectiveValue: 'valeur en vigueur',
    void: 'annuler',
    commitment: 'engagement',
    erase: 'effacer',
    verify: 'vérifier',
    verifier: 'vérificateur',
    chainValid: 'chaîne valide',
    proof: 'preuve',
  },
  sentences: {
    chain:
      'L’unique suite de blocs d’une plateforme, où l’on ne fait qu’ajouter, tous clients ensemble. Identifiée par le hachage de son premier bloc.',
    block: 'Un contenu scellé : hauteur, hachage, texte exact. Jamais modifié après son ajout.',
    height:
      'La position d’un bloc ; le premier est 0. L’identifiant d’un événement est la hauteur de son bloc.',
    genesis:
      'Le bloc 0. Il nomme la plateforme et contient une valeur aléatoire, pour que deux chaînes ne soient jamais identiques.',
    seal: 'Faire d’un projet un bloc : lui donner sa hauteur, son heure et le hachage précédent, puis le hacher.',
    replay:
      'Le même événement envoyé de nouveau. La réponse est le bloc de la première fois, et rien n’est ajouté.',
    correction:
      'Un bloc qui dit quels champs d’un événement antérieur étaient faux, et ce qui est juste. Le bloc antérieur reste tel quel.',
    effectiveValue:
      'La valeur d’un champ après toutes les corrections ; la valeur d’origine est celle qui fut d’abord enregistrée.',
    void: 'Corriger le statut d’un événement en `voided` : il n’a pas eu lieu.',
    commitment:
      'Un hachage de valeurs privées et d’un sel aléatoire, à la place des valeurs. Qui a les deux peut le vérifier ; sans elles il ne dit rien.',
    erase:
      'Supprimer pour toujours des valeurs privées et leurs sels. Chaque hachage reste vérifiable.',
    verify:
      'Hacher de nouveau les blocs conservés, comparer chaque lien, et comparer les lignes dérivées à leurs blocs.',
    verifier:
      'Le lecteur d’arrière-plan qui vérifie tour après tour, par tranches qui ne gênent pas les requêtes. De plusieurs processus, un seul à la fois.',
    chainValid:
      'Aucun écart n’est connu. Une fois faux, cela le reste jusqu’à ce qu’une vérification complète d’un exploitant réussisse.',
    proof:
      'Hauteur et hachage de chaque bloc qui porte un lot, pour qui veut vérifier par soi-même.',
  },
} satisfies Words['console']['help']['terms']['chain'];
