// The reasons why a sign-on fails, as one closed list: each with its code, and what to do about it. Pages have the
// same sentences in each language (pages/sign-on/words).
import { PeopleProblem, type PeopleProblemCode } from '../errors.ts';

export type SignOnReason =
  /** Used, too old, or begun in another browser. */
  | 'expired'
  | 'no_account'
  | 'email_unverified'
  /** The account with the e-mail is joined with another person of the provider. */
  | 'other_person'
  | 'account_removed'
  | 'provider_refused'
  | 'provider_away'
  | 'answer_wrong'
  | 'clocks_differ';

interface SignOnRefusal {
  readonly code: Extract<PeopleProblemCode, `sign_on_${string}`>;
  readonly message: string;
}

const REFUSALS: Readonly<Record<SignOnReason, SignOnRefusal>> = {
  expired: {
    code: 'sign_on_expired',
    message: 'This log-in was used already, took too long or began in another browser: start again',
  },
  no_account: {
    code: 'sign_on_refused',
    message:
      'You have no account here yet: ask a manager of your brand, or the operator, for an ' +
      'invitation, open its link and log in from there',
  },
  email_unverified: {
    code: 'sign_on_refused',
    message:
      'The provider does not say that your e-mail is verified: have it verified there, then log in ' +
      'again',
  },
  other_person: {
    code: 'sign_on_refused',
    message:
      'The account with your e-mail belongs to somebody else at the provider, who had the e-mail ' +
      'before you: ask the operator to remove that account',
  },
  account_removed: {
    code: 'sign_on_refused',
    message: 'The account was removed at the same moment: ask the operator',
  },
  provider_refused: {
    code: 'sign_on_refused',
    message: 'The provider did not log you in: try again, or ask whoever runs it',
  },
  provider_away: {
    code: 'sign_on_unavailable',
    message: 'The provider of the single sign-on does not answer: try again in a minute',
  },
  answer_wrong: {
    code: 'sign_on_failed',
    message:
      'What the provider of the single sign-on answered cannot be trusted, and nobody was logged ' +
      'in: start again, and ask the operator if that does not help',
  },
  clocks_differ: {
    code: 'sign_on_failed',
    message:
      'The clocks of the provider and of this service differ, or the log-in took too long: start ' +
      'again, and ask the operator if that does not help',
  },
};

export class SignOnProblem extends PeopleProblem {
  readonly reason: SignOnReason;

  /** @param cause for the log alone: what a provider writes may hold what it knows of a person */
  constructor(reason: SignOnReason, cause?: unknown) {
    const { code, message } = REFUSALS[reason];
    super(code, message, { cause });
    this.name = 'SignOnProblem';
    this.reason = reason;
  }
}
