// What a reader sees when a page cannot be shown: what happened, and what to do.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import { DatabaseError } from '@lothub/kit/database';
import { FieldsRefusal, Refusal, STATUS_OF_DATABASE_ERROR, STATUS_OF_REFUSAL } from '../errors.ts';
import { lotForm, lotLink } from './fragments.ts';
import type { Page } from './layout.ts';

/** The status that a failed page is sent with. */
export function pageStatusOf(error: unknown): number {
  if (error instanceof Refusal) return STATUS_OF_REFUSAL[error.code];
  if (error instanceof DatabaseError) return STATUS_OF_DATABASE_ERROR[error.code];
  const isInvalid = error instanceof Error && 'validation' in error;
  return error instanceof FieldsRefusal || isInvalid ? 422 : 500;
}

interface Words {
  readonly title: string;
  readonly advice: string;
}

const WORDS: ReadonlyMap<number, Words> = new Map([
  [
    404,
    {
      title: 'Nothing is known of this',
      advice:
        'There is no such lot, open recall or block. Check the spelling: upper and lower case differ in lot codes.',
    },
  ],
  [422, { title: 'This address cannot be understood', advice: 'Start again from the form below.' }],
  [
    429,
    {
      title: 'Too many requests',
      advice: 'This hub answers only so many requests a minute. Wait a minute and try again.',
    },
  ],
]);

const OTHERWISE: Words = {
  title: 'This page cannot be shown now',
  advice: 'The hub could not answer. Try again in a minute.',
};

/** What was asked for in vain, written as it is known. */
export function similarOf(error: unknown): readonly string[] {
  return error instanceof Refusal ? (error.facts.similar ?? []) : [];
}

export function errorPage(status: number, similar: readonly string[] = []): Page {
  const { title, advice } = WORDS.get(status) ?? OTHERWISE;
  return {
    title,
    body: html`
      <h1>${title}</h1>
      <p>${advice}</p>
      ${similar.length === 0 ? null : didYouMean(similar)} ${lotForm()}
    `,
  };
}

function didYouMean(codes: readonly string[]): Html {
  const links = codes.map((code, index) => html`${index === 0 ? null : ', '}${lotLink(code)}`);
  return html`<p>Did you mean ${links}?</p>`;
}
