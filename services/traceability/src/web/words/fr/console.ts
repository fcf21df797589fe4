// The console, in French.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';
import { audit } from './console/audit.ts';
import { cases } from './console/cases.ts';
import { drills } from './console/drills.ts';
import { errors } from './console/errors.ts';
import { events } from './console/events.ts';
import { genealogy } from './console/genealogy.ts';
import { help } from './console/help.ts';
import { imports } from './console/imports.ts';
import { lot, lots } from './console/lots.ts';
import { opening } from './console/opening.ts';
import { operator } from './console/operator.ts';
import { profile } from './console/profile.ts';
import { record } from './console/record.ts';
import { simulation } from './console/simulation.ts';
import { today } from './console/today.ts';
import { webhooks } from './console/webhooks.ts';

export const console = {
  // A file for each room.
  audit,
  cases,
  drills,
  errors,
  events,
  genealogy,
  help,
  imports,
  // The console, recalls of suppliers.
  inbound: {
    title: 'Rappels de fournisseurs',
    lead: 'Rappels publiés des marques auxquelles vos fournisseurs sont liés, pour autant qu’ils touchent vos lots.',
    show: 'Afficher',
    states: { open: 'En cours', all: 'Aussi les terminés' },
    none: 'Aucun rappel d’un fournisseur lié ne touche vos lots.',
    noneHint:
      'Liez vos fournisseurs à leurs marques sur cette plateforme : leurs rappels arriveront ici d’eux-mêmes.',
    toSuppliers: 'Lier des fournisseurs',
    of: (brand) => ['Rappel de ', brand],
    since: (at) => ['Depuis le ', at],
    ended: (at) => ['Terminé le ', at],
    notice: 'Avis public',
    receivedTitle: 'Reçu par vous',
    code: 'Lot du fournisseur',
    supplier: 'Fournisseur',
    simulate: 'Simuler',
    lotsTitle: 'Vos lots touchés',
    noLots: 'Aucun de vos lots n’est touché.',
    atLeast: (count) => `${count} ou plus`,
    ownCases: (cases) => ['Vos cas ouverts à ce sujet : ', cases],
    hold: 'Bloquer ces lots',
    holdAdvice: (count) =>
      `Lots bloqués : ${count}, tels que le rappel les touche à ce moment. Aucun cas n’est ouvert et aucun avis n’est publié.`,
    holdNow: 'Bloquer maintenant',
    holdReason: 'Motif',
    gone: 'Ce rappel ne touche plus aucun de vos lots. Rien n’a été bloqué.',
    older: 'Rappels plus anciens',
    done: { held: 'Tous les lots que le rappel touche sont bloqués.' },
  },
  lot,
  lots,
  opening,
  operator,
  profile,
  record,
  simulation,
  today,
  webhooks,
  frame: {
    title: 'Console',
    menu: 'Menu',
    pages: 'Pages de la console',
    account: 'Compte',
    logOut: 'Se déconnecter',
    people: 'Personnes',
    keys: 'Clés',
    hub: 'Plateforme',
    brands: 'Marques',
    operators: 'Exploitants',
    otherBrand: 'Choisir une autre marque',
  },
  roles: {
    viewer: 'Lecture',
    quality: 'Qualité',
    manager: 'Responsable',
    operator: 'Exploitant',
  },
  roleHints: {
    viewer: 'lit tout ce que la marque contient',
    quality: 'peut aussi bloquer des lots, simuler, rappeler, corriger et importer',
    manager: 'gère aussi les personnes, les clés et ce que les consommateurs lisent de la marque',
  },
  rights: {
    read: 'lire les lots, les événements, les rappels et les rapports',
    hold: 'bloquer et libérer des lots',
    simulate: 'simuler des rappels et faire des exercices',
    recall: 'ouvrir, modifier et clore des rappels',
    correct: 'corriger des événements',
    import: 'importer des événements depuis des fichiers',
    people: 'inviter des personnes et changer leurs rôles',
    keys: 'créer et révoquer des clés',
    brand: 'modifier ce que les consommateurs lisent de la marque',
    products: 'modifier les produits',
    places: 'modifier les lieux',
    suppliers: 'lier des fournisseurs',
    webhooks: 'configurer des webhooks',
    erase: 'effacer des valeurs privées',
    disclose: 'ouvrir des valeurs confidentielles pour une autorité',
  },
  form: {
    lookAtFields: 'Veuillez regarder les champs signalés.',
    copy: 'Copier',
    copied: 'Copié',
    copyFailed: 'Sélectionnez et copiez',
    actions: 'Opérations',
    more: 'Afficher la suite',
  },
  filters: {
    apply: 'Afficher',
    clear: 'Effacer les filtres',
    all: 'Tous',
    pages: 'Pages de la liste',
    previous: 'Précédent',
    next: 'Suivant',
    range: (from: string, to: string, total: string) => `${from}–${to} sur ${total}`,
    rangeOfMore: (from: string, to: string, total: string) => `${from}–${to} sur plus de ${total}`,
    moreThan: (total: string) => `plus de ${total}`,
    first: 'À la première page',
    tooFar: 'La liste continue. Affinez-la pour voir la suite.',
  },
  fields: {
    required: 'Veuillez remplir ce champ.',
    blank: 'Veuillez écrire quelque chose de visible.',
    notOneOf: 'Veuillez choisir l’une des possibilités.',
    tooShort: (characters) => `Veuillez utiliser au moins ${characters} caractères.`,
    tooLong: (characters) => `Veuillez utiliser au plus ${characters} caractères.`,
    refused: 'Certains de ces caractères ne peuvent pas être utilisés ici.',
    guessable: 'Cela se devine vite. Prenez plusieurs mots auxquels personne ne s’attend.',
    malformed: 'Ce n’est pas dans la bonne forme.',
  },
  refusals: {
    loginFailed: 'L’adresse e-mail ou le mot de passe est faux.',
    rateLimited: 'Trop d’essais. Attendez une minute, puis réessayez.',
    unavailable:
      'Rien n’a été enregistré : le service ne peut pas écrire en ce moment. Réessayez dans une minute.',
    conflict:
      'Cela a été modifié au même moment. Regardez de nouveau, puis répétez ce que vous vouliez faire.',
    limitReached: 'Le nombre maximal est atteint. Supprimez-en d’abord.',
    linkUsedUp: 'Ce lien a été utilisé, a expiré ou a été retiré. Demandez-en un nouveau.',
  },
  done: {
    'brand-left': 'Vous avez quitté la marque.',
    'invitation-revoked': 'L’invitation est retirée ; son lien ne fonctionne plus.',
    'key-revoked': 'La clé est révoquée ; les requêtes avec elle sont désormais refusées.',
    'logged-out': 'Vous êtes déconnecté.',
    'name-saved': 'Votre nom est enregistré.',
    'operator-removed': 'Cette personne n’exploite plus la plateforme.',
    'password-saved': 'Votre mot de passe est changé. Toutes vos autres sessions sont terminées.',
    'person-removed': 'La personne est retirée de la marque.',
    'role-saved': 'Le rôle est changé.',
    'session-ended': 'La session est terminée.',
    'sessions-ended': 'Toutes vos autres sessions sont terminées.',
    erased: 'Votre compte est effacé.',
  },
  again: {
    title: 'Connectez-vous de nouveau',
    ended:
      'Votre session est terminée. Rien n’a encore été fait, et rien de ce que vous avez saisi n’est perdu.',
    passwordsNot: 'Les mots de passe ne sont pas gardés : saisissez-les de nouveau.',
    logIn: 'Se connecter et revoir mon formulaire',
    elsewhere: 'Je me suis connecté dans une autre fenêtre',
    shown:
      'Vous êtes de nouveau connecté. Regardez le formulaire, puis envoyez-le encore une fois.',
  },
  choice: {
    title: 'Choisir une marque',
    none: 'Vous n’êtes encore dans aucune marque',
    noneAdvice:
      'Demandez une invitation à un responsable de votre marque. Elle arrive par un lien.',
    hub: 'Exploiter la plateforme',
    operates: 'Marques et exploitants de toute la plateforme',
  },
  people: {
    title: 'Personnes',
    lead: 'Qui travaille pour cette marque, et ce que chacun peut faire.',
    name: 'Nom',
    email: 'Adresse e-mail',
    role: 'Rôle',
    since: 'Depuis',
    you: 'Vous',
    change: 'Changer',
    changeRole: 'Changer le rôle',
    remove: 'Retirer',
    removeAdvice: (name) =>
      html`${name} perd aussitôt l’accès à cette marque. Ce que ${name} a fait garde son nom.`,
    removeNow: 'Retirer maintenant',
    inviteTitle: 'Inviter quelqu’un',
    inviteLead:
      'Vous recevez un lien. Envoyez-le à la personne : il fonctionne une fois, pendant sept jours.',
    emailHint: 'Seule cette personne peut alors utiliser le lien.',
    emailOptional: 'Adresse e-mail (facultative)',
    invite: 'Créer l’invitation',
    made: 'L’invitation est créée. Le lien n’est affiché qu’une fois : copiez-le maintenant.',
    link: 'Lien de l’invitation',
    openTitle: 'Invitations ouvertes',
    none: 'Il n’y a pas d’invitation ouverte.',
    anybody: 'Quiconque a le lien',
    by: 'De',
    ends: 'Expire',
    withdraw: 'Annuler',
    withdrawAbout: (whom) => `l’invitation de : ${whom}`,
    last: 'Une marque garde au moins un responsable. Donnez d’abord ce rôle à quelqu’un d’autre.',
    full: 'Le nombre maximal d’invitations ouvertes est atteint. Annulez-en d’abord une.',
    bySignOn: 'par la connexion unique',
  },
  invitations: {
    conflict:
      'Vous en faites déjà partie, ou l’invitation est pour une autre adresse e-mail, ou la vôtre a déjà un compte : dans ce cas, connectez-vous d’abord.',
    full: 'Il n’y a plus de place : demandez à la personne qui vous invite.',
  },
  me: {
    title: 'Mon compte',
    lastOne:
      'Vous êtes le dernier responsable d’une marque, le dernier exploitant ou le dernier propriétaire d’un groupe. Transmettez d’abord ce rôle.',
    brands: 'Marques pour lesquelles vous travaillez',
    leave: 'Quitter',
    leaveAdvice: (name) =>
      html`Vous perdez aussitôt l’accès à ${name}. Ce que vous y avez fait garde votre nom. Pour
      revenir, il faut une nouvelle invitation.`,
    leaveNow: 'Quitter maintenant',
    lastManager:
      'Vous êtes le dernier responsable de cette marque. Nommez d’abord un autre responsable.',
    notIn: 'Vous n’êtes plus dans cette marque.',
  },
  keys: {
    title: 'Clés',
    lead: 'Avec une clé, un programme écrit et lit pour cette marque.',
    label: 'Libellé',
    labelHint:
      'Ce qui utilise la clé, par exemple l’ERP. Il figure dans le journal à côté de ce que fait la clé.',
    limit: 'Peut',
    limits: {
      read: 'seulement lire',
      'post-events': 'seulement envoyer des événements',
      all: 'tout faire',
    },
    made: 'Créée',
    lastUse: 'Dernière utilisation',
    never: 'Jamais',
    state: 'État',
    active: 'Valable',
    endsAt: (at) => html`Expire le ${at}`,
    revoked: 'Révoquée',
    none: 'Cette marque n’a pas encore de clé à elle.',
    ended: 'Clés terminées',
    makeTitle: 'Créer une clé',
    make: 'Créer la clé',
    issued: 'La clé est créée. Elle n’est affichée qu’une fois : copiez-la maintenant.',
    rotated:
      'La nouvelle clé est créée. Elle n’est affichée qu’une fois : copiez-la maintenant. L’ancienne fonctionne encore un jour.',
    key: 'Clé',
    tryIt: 'L’essayer dans un terminal',
    rotate: 'Remplacer',
    rotateAdvice:
      'Vous recevez une nouvelle clé avec le même libellé et les mêmes droits. L’ancienne fonctionne encore un jour.',
    rotateNow: 'Créer la nouvelle clé',
    revoke: 'Révoquer',
    revokeAdvice: (label) => html`Ce qui utilise la clé ${label} est aussitôt refusé.`,
    revokeNow: 'Révoquer maintenant',
    full: 'Le nombre maximal de clés d’une marque est atteint. Révoquez-en d’abord une.',
  },
  brands: {
    title: 'Marques',
    lead: 'Toutes les marques de cette plateforme. Ce qu’une marque garde pour elle ne figure pas ici.',
    brand: 'Marque',
    id: 'Identifiant',
    managers: 'Responsables',
    people: 'Personnes',
    none: 'Il n’y a pas encore de marque : invitez le premier responsable d’une marque.',
    noManager: 'Sans responsable',
    hasManager: 'Cette marque a un responsable, qui invite ses personnes.',
    openTitle: 'Invitations ouvertes de premiers responsables',
    withdrawAdvice: 'Le lien ne fonctionnera plus.',
    withdrawNow: 'Retirer maintenant',
    inviteTitle: 'Inviter le premier responsable d’une marque',
    inviteLead:
      'La marque n’a pas besoin d’avoir des événements. Vous recevez un lien : envoyez-le à la personne.',
    idHint:
      'Comme dans l’en-tête X-Tenant-Id : lettres, chiffres, point, tiret bas, trait d’union.',
  },
  operators: {
    title: 'Exploitants',
    lead: 'Qui voit les marques de la plateforme, ses clés, son vérificateur, son journal public et ses témoins.',
    removeAdvice: (name) =>
      html`${name} n’exploite alors plus la plateforme. Ses rôles dans les marques restent tels
      quels.`,
    last: 'La plateforme garde au moins un exploitant. Invitez d’abord quelqu’un d’autre.',
  },
} satisfies Words['console'];
