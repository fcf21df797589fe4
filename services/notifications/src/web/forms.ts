// What a form sends and how it is refused: fields as text, checked by the schemas of the API, and every
// error in words beside its field.
import { shownValues, textOrNothing, type FormValues } from '@lothub/design/form-values';
import type { ValueCheck } from '@lothub/kit/http/schemas/request-validation';
import { PeopleProblem } from '@lothub/people/errors';
import { PROBLEMS, Problem, problemOfPeople, type ProblemCode } from '../errors.ts';
import { toFieldProblems, type FieldProblem } from '@lothub/kit/http/field-problems';
import { fieldsProblem } from '../http-errors.ts';
import type { FormState } from './fragments.ts';

export { readFormValues, textOrNothing } from '@lothub/design/form-values';
export type { FormValues } from '@lothub/design/form-values';

/**
 * The value, once it is as a schema says.
 * @throws Problem `fields_invalid`
 */
export function checked<Value>(check: ValueCheck<Value>, value: unknown): Value {
  const found = check(value);
  if (found.kind === 'valid') return found.value;
  throw fieldsProblem(toFieldProblems(found.errors, 'body'));
}

/** A number as typed; what is none stays text, and its schema refuses it. */
export function parseNumber(text: string | undefined): number | string | undefined {
  const given = textOrNothing(text);
  return given !== undefined && /^\s*-?\d{1,15}\s*$/.test(given) ? Number(given) : given;
}

/** The end of the day that was picked (UTC); what is no date stays text, and its schema refuses it. */
export function endOfDay(date: string | undefined): string | undefined {
  const given = textOrNothing(date);
  if (given === undefined) return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T23:59:59Z` : given;
}

/** Problems that say something about what was sent: they are shown with the form. */
const OF_A_FORM: ReadonlySet<ProblemCode> = new Set([
  'login_failed',
  'group_paused',
  'conflict',
  'link_used_up',
  'fields_invalid',
  'limit_reached',
  'rate_limited',
  'unavailable',
]);

export interface RefusedForm {
  readonly status: number;
  readonly form: FormState;
}

/**
 * How a form is shown again after it was refused.
 * @returns undefined for what no form can mend
 */
export function refusedForm(error: unknown, values: FormValues): RefusedForm | undefined {
  if (error instanceof PeopleProblem) return refusedForm(problemOfPeople(error), values);
  if (!(error instanceof Problem) || !OF_A_FORM.has(error.code)) return undefined;
  const errors = Object.fromEntries(
    error.fields.map((field) => [toFieldName(field), chooseWords(field)] as const).reverse(),
  );
  return {
    status: PROBLEMS[error.code].status,
    form: {
      values: shownValues(values),
      errors,
      // Errors of fields are shown beside the fields.
      problem: error.fields.length > 0 ? undefined : wordsOfProblem(error),
    },
  };
}

function wordsOfProblem(problem: Problem): string {
  switch (problem.code) {
    case 'login_failed':
      return 'E-mail or password is wrong.';
    case 'rate_limited':
      return 'Too many tries. Wait a minute, then go on.';
    case 'unavailable':
      return 'Nothing was stored: the service cannot write at the moment. Try again in a minute.';
    case 'outcome_unknown':
      return 'It may be stored or not. Look whether it was, before trying again.';
    default:
      return problem.message;
  }
}

/** `/title` and `/person/title` as `title`. */
function toFieldName({ pointer }: FieldProblem): string {
  return pointer.replace(/^.*[/:]/, '');
}

function chooseWords({ code, limit }: FieldProblem): string {
  const most = limit === null ? '' : `: ${limit}`;
  switch (code) {
    case 'required':
      return 'Please fill this in.';
    case 'blank':
      return 'Please write something that can be seen.';
    case 'not_one_of':
      return 'Please pick one of the choices.';
    case 'too_short':
      return limit === null || limit === 1
        ? 'Please fill this in.'
        : `Please use at least ${limit} characters.`;
    case 'too_long':
      return limit === null ? 'This is too long.' : `Please use at most ${limit} characters.`;
    case 'too_small':
      return limit === null ? 'This is too small.' : `It must be at least ${limit}.`;
    case 'too_large':
      return limit === null ? 'This is too large.' : `It must be at most ${limit}.`;
    case 'too_many':
      return `There are too many${most}.`;
    case 'text_refused':
      return 'It holds characters that cannot be used here.';
    case 'guessable':
      return 'This is guessed early. Please take another one: a few words that nobody expects.';
    case 'wrong_form':
      return typeof limit === 'string' && limit.includes(' ')
        ? `It has to be ${limit}.`
        : 'This is not in the right form.';
    case 'unknown':
    case 'wrong_type':
      return 'This is not in the right form.';
  }
}
