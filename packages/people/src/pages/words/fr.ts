// Pages about oneself, in French.
import { html } from '@lothub/kit/html';
import type { PeopleWords } from './en.ts';

export const fr = {
  fields: {
    name: 'Votre nom',
    nameHint: 'Tel que les autres le voient.',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    passwordHint: (characters) =>
      `Au moins ${characters} caractères ; plusieurs mots ensemble conviennent bien.`,
    lookAtFields: 'Veuillez regarder les champs signalés.',
  },
  logIn: {
    signOn: 'Se connecter par connexion unique',
    title: 'Se connecter',
    noRegistration: 'Il n’y a pas d’inscription : quelqu’un vous invite par un lien.',
    lostPassword:
      'Vous n’avez plus votre mot de passe ? L’exploitant de ce service en crée un nouveau.',
  },
  signOn: {
    advice: {
      expired:
        'Cette connexion a déjà servi, a duré trop longtemps ou a commencé dans un autre navigateur. Recommencez.',
      no_account:
        'Vous n’avez pas encore de compte ici. Demandez une invitation à un responsable de votre marque ou à l’exploitant ; ouvrez son lien et connectez-vous depuis là.',
      email_unverified:
        'Le fournisseur ne dit pas que votre adresse e-mail est vérifiée. Faites-la vérifier chez lui, puis reconnectez-vous.',
      other_person:
        'Le compte avec votre adresse e-mail appartient chez le fournisseur à une autre personne, qui avait l’adresse avant vous. Demandez à l’exploitant de supprimer ce compte.',
      account_removed: 'Le compte a été supprimé au même moment. Demandez à l’exploitant.',
      provider_refused:
        'Le fournisseur ne vous a pas connecté. Réessayez, ou demandez à celui qui l’exploite.',
      provider_away: 'Le fournisseur ne répond pas. Réessayez dans une minute.',
      answer_wrong:
        'La réponse du fournisseur n’est pas digne de confiance, et personne n’a été connecté. Recommencez, et prévenez l’exploitant si cela n’aide pas.',
      clocks_differ:
        'Les horloges du fournisseur et de ce service diffèrent, ou la connexion a duré trop longtemps. Recommencez, et prévenez l’exploitant si cela n’aide pas.',
    },
  },
  setUp: {
    title: 'Mise en service',
    send: 'Mettre en service',
    hub: {
      heading: 'Mettre cette plateforme en service',
      lead: 'Vous en devenez l’exploitant : vous invitez le premier responsable de chaque marque.',
    },
    inbox: {
      heading: 'Mettre cette boîte de réception en service',
      lead: 'Vous en êtes la première personne, et son premier groupe est à vous.',
      group: 'Premier groupe',
      groupName: 'Avis',
      groupHint: 'Les membres d’un groupe voient ce qui y est publié.',
    },
  },
  invitation: {
    title: 'Votre invitation',
    join: (place) => html`Rejoindre ${place}`,
    operate: 'Exploiter cette plateforme',
    operatorsInvite: 'Vous êtes invité',
    into: {
      member: (by) =>
        html`${by} vous invite dans ce groupe. Vous verrez alors ce qui y est publié, au fur et à
        mesure.`,
      owner: (by) =>
        html`${by} vous invite dans ce groupe comme l’un de ses propriétaires. Vous verrez alors ce
        qui y est publié, au fur et à mesure.`,
      viewer: (by) =>
        html`${by} vous invite dans cette marque, en lecture. Vous lirez alors tout ce qu’elle
        contient.`,
      quality: (by) =>
        html`${by} vous invite dans cette marque, pour la qualité. Vous pourrez bloquer des lots,
        simuler, rappeler, corriger et importer.`,
      manager: (by) =>
        html`${by} vous invite dans cette marque comme responsable. Vous gérerez aussi ses personnes
        et ses clés.`,
      operator: (by) =>
        html`${by} vous invite à exploiter cette plateforme. Vous verrez toutes les marques, et rien
        de ce qu’elles gardent pour elles.`,
    },
    commandLine: 'L’exploitant',
    makeAccount: 'Créer un compte et rejoindre',
    haveAccount: 'Vous avez un compte ?',
    logInFirst: 'Connectez-vous',
    thenJoin: ', puis rejoignez avec ce compte.',
    joinAs: (name) => html`Rejoindre en tant que ${name}`,
  },
  account: {
    name: 'Nom',
    save: 'Enregistrer',
    password: 'Mot de passe',
    passwordEnds: 'Un nouveau mot de passe met fin à toutes vos autres sessions.',
    oldPassword: 'Mot de passe actuel',
    newPassword: 'Nouveau mot de passe',
    changePassword: 'Changer le mot de passe',
    notYourPassword: 'Ce n’est pas votre mot de passe.',
    sessions: 'Vos sessions',
    whereLoggedIn: 'Où vous êtes connecté',
    browser: 'Navigateur',
    since: 'Depuis',
    lastSeen: 'Vu la dernière fois',
    actions: 'Opérations',
    thisOne: 'Celle-ci',
    end: 'Terminer',
    endAbout: (browser) => `la session de ${browser}`,
    endOthers: 'Terminer toutes les autres sessions',
    endOthersAsked: 'Vraiment terminer toutes les autres sessions ?',
    unknownBrowser: 'Navigateur inconnu',
    browserOn: (browser, system) => `${browser} sous ${system}`,
    data: 'Vos données',
    dataLead: 'Tout ce qui est conservé sur votre compte, dans un fichier (JSON).',
    export: 'Enregistrer le fichier',
    erase: 'Effacer le compte',
    eraseLead:
      'Toutes vos sessions se terminent ; votre adresse e-mail et votre mot de passe sont effacés. Votre nom reste là où il est une preuve : dans le journal et dans ce que vous avez décidé.',
    eraseHow:
      'Enregistrez d’abord vos données. Saisissez ensuite votre adresse e-mail pour effacer le compte.',
    eraseNow: 'Effacer mon compte',
    notYourEmail: 'Ce n’est pas votre adresse e-mail.',
  },
} satisfies PeopleWords;
