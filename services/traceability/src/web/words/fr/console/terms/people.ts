// Terms of the glossary: people and keys, in French.
import type { Words } from '../../../en.ts';

export const people = {
  words: {
    hub: 'plateforme',
    tenant: 'client de la plateforme',
    brand: 'marque',
    dataOwner: 'propriétaire des données',
    operator: 'exploitant',
    role: 'rôle',
    right: 'droit',
    tenantKey: 'clé de client, clé d’administration',
    unboundKey: 'clé non liée',
    limitOfKey: 'limite d’une clé',
    lastUse: 'dernière utilisation',
    actor: 'auteur',
    check: 'contrôle',
    score: 'note',
    refusedKey: 'clé refusée',
    auditEntry: 'entrée d’audit',
  },
  sentences: {
    hub: 'Un Lothub avec son unique chaîne, quel que soit le nombre de ses processus.',
    tenant:
      'Le propriétaire de données sur la plateforme. Il ne lit et n’écrit que les siennes ; aucun n’apprend rien d’un autre.',
    brand:
      'Le client tel que les consommateurs le voient : identifiant et nom. Dans un bloc, `brand` est l’identifiant du client.',
    dataOwner: 'Le client qui a enregistré un lot et qui répond de ce qu’il a enregistré.',
    operator:
      'Qui exploite la plateforme : émet les clés, fait les sauvegardes, vérifie ; en ligne de commande, ou comme personne ayant ce rôle.',
    role: 'Ce qu’une personne est dans une marque (`viewer`, `quality`, `manager`), sur la plateforme (`operator`) ou dans un groupe.',
    right:
      'Une chose que les rôles ouvrent, comme `hold` ; les pages demandent un droit et jamais un rôle.',
    tenantKey:
      'Les deux sortes de secret pour `/v1` ; aucune ne remplace l’autre. Une clé de client peut être liée à un seul client.',
    unboundKey:
      'Une clé qui sert tout client. Un deuxième client qui écrit avec elle est signalé à l’exploitant.',
    limitOfKey: 'Ce qu’une clé peut faire : `read`, `post-events` ou `all`.',
    lastUse: 'La minute où une clé a ouvert quelque chose pour la dernière fois.',
    actor:
      'Qui a fait quelque chose, dans le journal d’audit : une clé par son libellé, avec la personne qu’elle a nommée, ou une personne par son nom.',
    check:
      'Une question du tableau de bord à ce qui fut enregistré, avec ce qu’elle a trouvé d’erroné.',
    score: 'La moyenne des contrôles : de 0 à 100.',
    refusedKey:
      'Une clé qui n’a pas ouvert ce pour quoi elle fut envoyée ; montrée au seul exploitant.',
    auditEntry:
      'Une ligne du journal, où l’on ne fait qu’ajouter, de ce qui a été fait, à part de la chaîne.',
  },
} satisfies Words['console']['help']['terms']['people'];
