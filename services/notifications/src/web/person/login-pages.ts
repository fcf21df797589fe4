// Pages for people who are not logged in, as the inbox shows them: set-up, log-in and what an invitation
// leads to.
import * as pages from '@lothub/people/pages/entrance-pages';
import { PEOPLE_WORDS } from '@lothub/people/pages/words';
import { PAGES_PREFIX } from '../../http.ts';
import type { FormState } from '../fragments.ts';
import type { Page } from '../layout.ts';

const INBOX = { words: PEOPLE_WORDS.en, prefix: PAGES_PREFIX };

export function loginPage(options: {
  readonly waysIn: pages.WaysIn;
  readonly next: string;
  readonly form?: FormState;
  readonly done?: string | undefined;
}): Page {
  return pages.loginPage({ ...INBOX, ...options });
}

export function setUpPage(options: { readonly token: string; readonly form?: FormState }): Page {
  return pages.setUpPage({ ...INBOX, ...options, service: 'inbox' });
}

/** For somebody without an account, or with one and not logged in. */
export function invitationPage(options: {
  readonly waysIn: pages.WaysIn;
  readonly invited: pages.Invited;
  readonly form?: FormState;
}): Page {
  return pages.invitationPage({ ...INBOX, ...options });
}

/** For somebody who is logged in. */
export function joinPage(options: {
  readonly invited: pages.Invited;
  readonly name: string;
  readonly form?: FormState;
}): Page {
  return pages.joinPage({ ...INBOX, ...options });
}
