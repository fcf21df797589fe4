// The console, the pages of operators, in French.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const operator = {
  title: 'État de la plateforme',
  lead: 'Ce qui ne va pas et que faire ; puis où en est chaque chose.',
  needs: 'À traiter maintenant',
  fine: 'Tout va bien',
  fineAdvice: 'La chaîne se vérifie, l’horloge est crue, et personne n’est en retard.',
  finding: (code, height) => `Bloc ${height}: ${code}`,
  clock: 'Une horloge n’est pas crue : rien n’est écrit',
  clockDo:
    'Remettez l’horloge de la machine à l’heure ; l’écriture reprend d’elle-même. Si l’horloge est juste, acceptez-la.',
  sharedKey: 'Plusieurs marques écrivent avec une même clé',
  sharedKeyDo: 'Émettez une clé par marque et révoquez celle-ci, ou acceptez-la.',
  behind: 'Les témoins sont en retard',
  behindDo: 'Voyez ce que chacun a répondu en dernier, et s’ils sont joignables.',
  stamps: 'Les horodatages échouent',
  stampsDo: 'Voyez si le service (TSA_URL) est joignable ; la plateforme redemande d’elle-même.',
  still: 'Le vérificateur n’avance plus',
  stillDo: 'Depuis des minutes il n’a rien vérifié. Regardez le journal du service.',
  building: 'Le journal public est en construction',
  buildingDo: 'Rien à faire : il signe dès qu’il a rattrapé la chaîne.',
  guide: 'Davantage dans le guide d’exploitation, docs/operating.md.',
  verifierTitle: 'La chaîne et son vérificateur',
  height: 'Hauteur',
  recentBlocks: 'Blocs en 24 heures',
  through: 'Vérifié jusqu’au',
  checkedAt: 'Vérifié le',
  round: 'Durée d’un tour',
  otherProcess: 'un autre processus vérifie, ou le premier tour est en cours',
  firstBad: 'Premier bloc faux',
  notYet: 'La première vérification n’est pas terminée',
  logTitle: 'Le journal public',
  logState: 'État',
  origin: 'Origine',
  signed: 'Blocs signés',
  signedAt: 'Dernier bloc signé',
  never: 'pas encore',
  witnessTitle: 'Témoins',
  noPolicy:
    'Aucune politique n’est définie (WITNESS_POLICY_FILE) : personne à l’extérieur ne confirme ce que signe cette plateforme.',
  quorum: 'Cosigné par',
  quorumShare: (cosigned, counting) => `${cosigned} sur ${counting}`,
  behindSince: 'Retard',
  inStep: 'à jour',
  witness: 'Témoin',
  runBy: 'Exploité par',
  answer: 'Dernière réponse',
  since: 'Depuis',
  tree: 'Blocs cosignés',
  own: 'du même exploitant : ne compte pas',
  stampTitle: 'Horodatages',
  stampOff: 'Aucun service n’est défini (TSA_URL).',
  stampAt: 'Dernier',
  stampSize: 'Blocs',
  failures: 'Échecs depuis',
  clockTitle: 'Horloges',
  clockFine: 'L’horloge de chaque machine est crue.',
  brandsTitle: 'Marques',
  brandsLead: 'Combien chacune enregistre. Ce qu’une marque garde pour elle n’est pas montré.',
  brand: 'Marque',
  recent: 'Événements en 24 heures',
  events: 'Événements',
  lastEvent: 'Dernier événement',
  noBrands: 'Aucune marque n’a encore rien enregistré.',
  refusedTitle: 'Clés refusées',
  refusedLead: 'Les plus récentes, parmi les mille dernières entrées de l’audit.',
  refusedNone: 'Aucune clé n’a été refusée.',
  when: 'Quand',
  client: 'Client',
  path: 'Chemin',
  reason: 'Motif',
  times: 'Fois',
  key: 'Clé',
  seconds: (seconds) => `${seconds} s`,
  // What to do about a finding of the verifier.
  advice: {
    restore:
      'Un bloc conservé n’est pas celui qui fut scellé, ou il manque. Trouvez qui a modifié la base, et restaurez la sauvegarde la plus récente qui se vérifie.',
    restorePrivate:
      'Des valeurs privées manquent ou ne correspondent pas à leur bloc. Les blocs ne permettent pas de les refaire : restaurez une sauvegarde qui se vérifie.',
    program:
      'Un bloc n’est rien que cette version scelle. Le programme est-il plus ancien que celui qui l’a écrit ? Sinon, signalez-le et restaurez.',
    report:
      'Ce qu’un rappel confidentiel a divulgué n’est pas ce qu’il avait scellé. Gardez une copie, dites publiquement de quel rappel il s’agit, et signalez-le.',
    rebuild:
      'Des lignes à côté de la chaîne ne sont pas ce que disent les blocs. Les blocs sont sains : refaites les lignes à partir d’eux.',
    picture:
      'Une image manque ou en est une autre. Demandez à la marque de la renvoyer, ou restaurez une sauvegarde.',
    audit:
      'Le journal d’audit n’est pas celui qui fut enchaîné : quelqu’un a modifié la base sans passer par la plateforme. Remettez ses lignes depuis une sauvegarde, et trouvez qui c’était.',
    key: 'Une clé conservée n’est pas ce que l’audit en dit. Remettez la ligne ou supprimez-la, remplacez la clé, et tenez pour faux ce qui est venu avec elle.',
    supplier:
      'Le lien d’un fournisseur n’est pas ce que l’audit en dit. Remettez la ligne ou supprimez-la, et prévenez la marque.',
    follow:
      'Il manquait à un cas ouvert ce que donnent ses blocs : on a avancé jusqu’où les cas ont été suivis. Un hub en marche l’ajoute. Trouvez qui a modifié la base, puis vérifiez.',
    decision:
      'Ce qui dit que d’anciennes décisions sont scellées manque ou diffère. Trouvez qui a modifié la base, puis reconstruisez.',
    tip: 'La fin de la chaîne a été coupée ou remplacée. Si vous avez remis une sauvegarde exprès, acceptez-la ; sinon, cherchez la cause avant de restaurer.',
    tipRecord:
      'La note de la fin de la chaîne manque ou est illisible. Comparez la fin avec celle de votre dernière sauvegarde, puis acceptez-la.',
    log: 'Les blocs ne sont pas ceux que le journal a signés, et plus rien n’est signé. Remettez les blocs signés, ou mettez fin au journal.',
    logRecord:
      'La note de ce qui fut signé est abîmée. Remettez-la depuis une sauvegarde, ou assurez-vous que la chaîne est entière, retirez-la et vérifiez.',
    unconfirmed:
      'Trop peu de témoins disent ce qu’ils ont vu. Réparez ce qui les éloigne ; si la base contient tout ce qui fut signé, acceptez-le.',
    witnessAhead:
      'Un témoin a cosigné un arbre plus grand : des blocs sont perdus, ou la plateforme tourne sur une copie plus ancienne. Regardez le journal, et demandez à l’exploitant du témoin.',
    witnessRefuses:
      'Un témoin dit que l’arbre le plus récent ne suit pas le sien. Comparez avec son exploitant quel arbre il a cosigné.',
    storage:
      'La base est abîmée, le plus souvent par son disque. Arrêtez le service, examinez le disque, et restaurez sur un autre.',
    unknown:
      'Cette version ne connaît pas ce constat. Cherchez-le dans le guide d’exploitation de la version qui l’a trouvé.',
  },
  hubKeys: {
    title: 'Clés de la plateforme',
    lead: 'Avec une clé, un programme écrit et lit ; chacune vaut pour une marque, pour toute marque ou pour l’administration de la plateforme.',
    opens: 'Ouvre',
    admin: 'l’administration de la plateforme',
    anyBrand: 'toute marque',
    kinds: {
      admin: 'l’administration de la plateforme',
      brand: 'une marque, pour envoyer des événements',
      any: 'toute marque, pour envoyer des événements',
    },
    brand: 'Marque',
    brandHint: 'L’identifiant de la marque, si la clé est pour une seule.',
    makeLead:
      'Une clé qui lit ce qu’une marque garde pour elle est créée par les responsables de la marque. Une clé créée ici pour une marque figure parmi ses clés et dans son journal.',
    ended: 'Terminée',
    ofSettings: (name) =>
      html`Elle vient des réglages : changez aussi ${name}, sinon le prochain démarrage la rend de
      nouveau valable.`,
    noneFound: 'Il n’y a pas de telle clé.',
    full: 'Le nombre maximal de clés valables est atteint. Révoquez-en d’abord une.',
  },
} satisfies Words['console']['operator'];
