// Pages about oneself, in English: log-in, set-up, invitation, one's own account.
import { html, type Html } from '@lothub/kit/html';
import type { SignOnReason } from '../../sign-on/problems.ts';

export const en = {
  fields: {
    name: 'Your name',
    nameHint: 'As the others see it.',
    email: 'E-mail',
    password: 'Password',
    passwordHint: (characters: number) =>
      `At least ${characters} characters; a few words together are good.`,
    lookAtFields: 'Please look at the marked fields.',
  },
  logIn: {
    signOn: 'Log in with single sign-on',
    title: 'Log in',
    noRegistration: 'There is no registration: somebody invites you with a link.',
    lostPassword: 'Without a password any more? The operator of this service makes a new one.',
  },
  signOn: {
    /** What to do, by the reason of a refusal. */
    advice: {
      expired:
        'This log-in was used already, took too long or began in another browser. Start again.',
      no_account:
        'You have no account here yet. Ask a manager of your brand, or the operator, for an invitation; open its link and log in from there.',
      email_unverified:
        'The provider does not say that your e-mail is verified. Have it verified there, then log in again.',
      other_person:
        'The account with your e-mail belongs to somebody else at the provider, who had the e-mail before you. Ask the operator to remove that account.',
      account_removed: 'The account was removed at the same moment. Ask the operator.',
      provider_refused: 'The provider did not log you in. Try again, or ask whoever runs it.',
      provider_away: 'The provider does not answer. Try again in a minute.',
      answer_wrong:
        'What the provider answered cannot be trusted, and nobody was logged in. Start again, and ask the operator if that does not help.',
      clocks_differ:
        'The clocks of the provider and of this service differ, or the log-in took too long. Start again, and ask the operator if that does not help.',
    } satisfies Record<SignOnReason, string>,
  },
  setUp: {
    title: 'Set up',
    send: 'Set up',
    hub: {
      heading: 'Set up this hub',
      lead: 'You become its operator: you invite the first manager of each brand.',
    },
    inbox: {
      heading: 'Set up this inbox',
      lead: 'You become its first person, and the owner of its first group.',
      group: 'First group',
      groupName: 'Notifications',
      groupHint: 'Whoever is in a group sees what is posted into it.',
    },
  },
  invitation: {
    title: 'Invitation',
    join: (place: Html) => html`Join ${place}`,
    operate: 'Operate this hub',
    operatorsInvite: 'You are invited',
    into: {
      member: (by: Html) =>
        html`${by} invites you to this group. You then see what is posted into it, as it comes.`,
      owner: (by: Html) =>
        html`${by} invites you to this group as one of its owners. You then see what is posted into
        it, as it comes.`,
      viewer: (by: Html) =>
        html`${by} invites you to this brand as a viewer. You then read everything of it.`,
      quality: (by: Html) =>
        html`${by} invites you to this brand for quality. You then hold lots, simulate, recall,
        correct and import.`,
      manager: (by: Html) =>
        html`${by} invites you to this brand as a manager. You then also manage its people and keys.`,
      operator: (by: Html) =>
        html`${by} invites you to operate this hub. You then see all brands, and nothing of what
        they keep to themselves.`,
    },
    commandLine: 'The operator',
    makeAccount: 'Make an account and join',
    haveAccount: 'You have an account?',
    logInFirst: 'Log in',
    thenJoin: ', and join with it.',
    joinAs: (name: Html) => html`Join as ${name}`,
  },
  account: {
    name: 'Name',
    save: 'Save',
    password: 'Password',
    passwordEnds: 'With a new one all your other sessions end.',
    oldPassword: 'Password until now',
    newPassword: 'New password',
    changePassword: 'Change the password',
    notYourPassword: 'This is not your password.',
    sessions: 'Sessions',
    whereLoggedIn: 'Where you are logged in',
    browser: 'Browser',
    since: 'Since',
    lastSeen: 'Last seen',
    actions: 'Actions',
    thisOne: 'This one',
    end: 'End',
    endAbout: (browser: string) => `the session of ${browser}`,
    endOthers: 'End all other sessions',
    endOthersAsked: 'End all other sessions?',
    unknownBrowser: 'Unknown browser',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    data: 'Your data',
    dataLead: 'All that is kept about your account, as one file (JSON).',
    export: 'Save as a file',
    erase: 'Erase the account',
    eraseLead:
      'All your sessions end, and your e-mail and your password are erased. Your name stays where it is evidence: in the audit, and in what you decided.',
    eraseHow: 'Save your data before it. Then type your e-mail to erase the account.',
    eraseNow: 'Erase my account',
    notYourEmail: 'This is not your e-mail.',
  },
};

export type PeopleWords = typeof en;
