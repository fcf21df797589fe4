// What a reader sees when a page cannot be shown, in English.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';

export const errors = {
  notFound: {
    title: 'Nothing is known of this',
    advice:
      'There is no such lot, open recall or block. Check the spelling: upper and lower case differ in lot codes.',
  },
  noPage: {
    title: 'There is no page at this address',
    advice: 'Check the address, or look up the lot on your package here.',
  },
  invalid: {
    title: 'This address cannot be understood',
    advice: 'Start again from the form below.',
  },
  tooMany: {
    title: 'Too many requests',
    advice: 'This hub answers only so many requests a minute. Wait a minute and try again.',
  },
  otherwise: {
    title: 'This page cannot be shown now',
    advice: 'The hub could not answer. Try again in a minute.',
  },
  didYouMean: (links: Html) => html`Did you mean ${links}?`,
};
