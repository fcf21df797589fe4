// The console, what a person reads when something was refused or failed, in English.

export const errors = {
  forbidden: {
    title: 'Your role does not allow this',
    advice: (role: string) => `This needs the role ${role}. Ask a manager of the brand for it.`,
    adviceOfHub: (role: string) =>
      `This needs the role ${role}. Ask somebody who operates the hub for it.`,
  },
  notFound: {
    title: 'There is nothing here',
    advice: 'It was removed, or it belongs to a brand that you are not in.',
  },
  linkUsedUp: {
    title: 'This link is no longer good',
    advice: 'It was used, has expired or was withdrawn. Ask for a new one.',
  },
  crossSite: {
    title: 'This did not come from a page of this hub',
    advice: 'For your safety nothing was done. Open the console and try it there.',
  },
  conflict: {
    title: 'This was not done',
    advice: 'It was changed at the same moment, or it cannot be done now. Look at it again.',
  },
  limitReached: {
    title: 'There are as many as there may be',
    advice: 'Remove one first.',
  },
  invalid: {
    title: 'This request cannot be understood',
    advice: 'Start again from the console.',
  },
  tooLarge: {
    title: 'That is more than a form takes',
    advice: 'Nothing was changed. Go back and send it in several steps.',
  },
  signOn: {
    title: 'Single sign-on did not work',
    advice: 'Start again from the log-in. If it happens again, ask the operator of this hub.',
  },
  signOnRefused: {
    title: 'Single sign-on does not let you in',
    advice:
      'Your provider did not confirm your e-mail, or it names no brand of this hub. Ask a manager of your brand to invite you.',
  },
  signOnAway: {
    title: 'Single sign-on does not answer',
    advice: 'Your provider does not answer now. Try again in a minute.',
  },
  passwordsOff: {
    title: 'Passwords are turned off here',
    advice: 'Log in by single sign-on.',
  },
  tooMany: { title: 'Too many requests', advice: 'Wait a minute, then go on.' },
  unavailable: {
    title: 'Nothing was stored',
    advice: 'The service cannot write now. Go back and try again in a minute.',
  },
  otherwise: {
    title: 'This page cannot be shown now',
    advice: 'The service could not answer. Try again in a minute.',
  },
  toConsole: 'To the console',
  request: (id: string) => `Request ${id}`,
};
