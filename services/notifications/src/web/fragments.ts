// Pieces that several pages are made of, with the words of the inbox: the pieces themselves are those of the
// design package.
import * as parts from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import type { Html } from '@lothub/kit/html';

export {
  EMPTY_FORM,
  actionButton,
  attribute,
  choice,
  emptyNote,
  field,
  flag,
  message,
  said,
} from '@lothub/design/desk-parts';
export type { Choice, FieldOptions, FormState } from '@lothub/design/desk-parts';

const COPYING: parts.CopyingWords = {
  copy: 'Copy',
  done: 'Copied',
  failed: 'Select it and copy',
};

/** What is wrong with a form, above its fields; read out at once. */
export function renderProblem(form: FormState): Html {
  return parts.renderProblem(form, 'Please look at the marked fields.');
}

/** A secret that is shown this once, in a field from which it can be copied. */
export function shownOnce(secret: {
  readonly id: string;
  readonly label: string;
  readonly secret: string;
}): Html {
  return parts.shownOnce({ ...secret, words: COPYING });
}

/** The link to the rest of a list. */
export function moreLink(href: string | undefined, label = 'Older'): Html {
  return parts.moreLink(href, label);
}
