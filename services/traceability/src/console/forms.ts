// Forms of the console: a route that shows its form again with its errors, or with the values typed before a
// log-in, and the texts of refusals in the language of the page.
import { readFormValues, shownValues, textOrNothing } from '@lothub/design/form-values';
import type { FormValues } from '@lothub/design/form-values';
import type { FormState } from '@lothub/design/desk-parts';
import { DatabaseError } from '@lothub/kit/database';
import { toFieldErrors, type FieldError } from '@lothub/kit/http/field-errors';
import type { FieldProblem } from '@lothub/kit/http/field-problems';
import type { ValueCheck } from '@lothub/kit/http/schemas/request-validation';
import { PeopleProblem, type PeopleProblemCode } from '@lothub/people/errors';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { FieldsRefusal, Refusal, STATUS_OF_REFUSAL } from '../errors.ts';
import type { App } from '../http.ts';
import type { Reader, Words } from '../web/words/reader.ts';
import type { ConsoleRight } from './access.ts';
import { STATUS_OF_PEOPLE } from './statuses.ts';
import { isTypedBefore, typedBefore } from './entrance/typed-before.ts';
import { prepareConsoleReader, type To } from './send.ts';

/** Texts of refusals on one form, where the usual text of a code does not say enough. */
export type RefusalWords = Partial<Record<PeopleProblemCode | 'rule_broken', string>>;

/** Returns the field of a form that a fault is about, and its text; undefined: the usual ones. */
export type SayFault = (
  fault: FieldError,
  reader: Reader,
) => { readonly name: string; readonly words: string } | undefined;

export interface Form {
  readonly path: string;
  readonly right: ConsoleRight;
  readonly params?: TSchema;
  /** Set by a form that is larger than most. */
  readonly bodyLimit?: number;
  /** Does what is requested, and answers. */
  readonly run: (to: To, values: FormValues) => Promise<FastifyReply>;
  /** Answers with the page that has the form. */
  readonly show: (to: To, form: FormState, status: number) => Promise<FastifyReply>;
  readonly refusals?: (words: Words['console']) => RefusalWords;
  readonly sayFault?: SayFault;
}

export function addForm(app: App, form: Form): void {
  const { path, right, params, bodyLimit, run, show } = form;
  const schema = params === undefined ? { hide: true } : { hide: true, params };
  const limit = bodyLimit === undefined ? {} : { bodyLimit };
  app.post(path, { schema, config: { right }, ...limit }, async (request, reply) => {
    const to = { request, reply };
    const values = readFormValues(request.body);
    const reader = prepareConsoleReader(request, reply);
    if (request.isShownAgain) {
      const typed = isTypedBefore(values) ? typedBefore(values) : values;
      const problem = reader.words.console.again.shown;
      return await show(to, { values: typed, errors: {}, problem }, 200);
    }
    try {
      return await run(to, values);
    } catch (error) {
      const words = form.refusals?.(reader.words.console);
      const refused = refusedForm(error, values, reader, { ...words, sayFault: form.sayFault });
      if (refused === undefined) throw error;
      return await show(to, refused.form, refused.status);
    }
  });
}

/** Refusals about what was sent; they are shown with the form. */
const WORDS_OF: Partial<Record<PeopleProblemCode, keyof Words['console']['refusals']>> = {
  login_failed: 'loginFailed',
  conflict: 'conflict',
  link_used_up: 'linkUsedUp',
  limit_reached: 'limitReached',
  rate_limited: 'rateLimited',
  unavailable: 'unavailable',
};

export interface RefusedForm {
  readonly status: number;
  readonly form: FormState;
}

/**
 * Makes the state of a form that is shown again after a refusal.
 * @returns undefined for an error that the form cannot correct
 */
export function refusedForm(
  error: unknown,
  values: FormValues,
  reader: Reader,
  own: RefusalWords & { readonly sayFault?: SayFault | undefined } = {},
): RefusedForm | undefined {
  const { words, formats } = reader;
  const { fields, refusals } = words.console;
  const shown = shownValues(values);
  if (error instanceof DatabaseError && error.code !== 'database_unsure') {
    return { status: 503, form: { values: shown, errors: {}, problem: refusals.unavailable } };
  }
  if (error instanceof Refusal && error.code === 'rule_broken' && own.rule_broken !== undefined) {
    return {
      status: STATUS_OF_REFUSAL.rule_broken,
      form: { values: shown, errors: {}, problem: own.rule_broken },
    };
  }
  if (error instanceof FieldsRefusal) {
    const errors = error.fields.map((fault): readonly [string, string] => {
      const said = own.sayFault?.(fault, reader);
      if (said !== undefined) return [said.name, said.words];
      const name = String(fault.loc.at(-1));
      return [name, textOrNothing(values[name]) === undefined ? fields.required : fields.malformed];
    });
    return {
      status: 422,
      form: { values: shown, errors: Object.fromEntries(errors.reverse()), problem: undefined },
    };
  }
  if (!(error instanceof PeopleProblem)) return undefined;
  const status = STATUS_OF_PEOPLE[error.code];
  if (error.code === 'fields_invalid') {
    const errors = error.fields
      .map((field) => [toFieldName(field), chooseWords(field)] as const)
      .reverse();
    return {
      status,
      form: { values: shown, errors: Object.fromEntries(errors), problem: undefined },
    };
  }
  const name = WORDS_OF[error.code];
  const problem = own[error.code] ?? (name === undefined ? undefined : refusals[name]);
  if (problem === undefined) return undefined;
  return { status, form: { values: shown, errors: {}, problem } };

  function chooseWords({ code, limit }: FieldProblem): string {
    const count = typeof limit === 'number' ? formats.number(limit) : undefined;
    switch (code) {
      case 'required':
        return fields.required;
      case 'blank':
        return fields.blank;
      case 'not_one_of':
        return fields.notOneOf;
      case 'too_short':
        return count === undefined || limit === 1 ? fields.required : fields.tooShort(count);
      case 'too_long':
        return count === undefined ? fields.malformed : fields.tooLong(count);
      case 'text_refused':
        return fields.refused;
      case 'guessable':
        return fields.guessable;
      case 'too_small':
      case 'too_large':
      case 'too_many':
      case 'unknown':
      case 'wrong_type':
      case 'wrong_form':
        return fields.malformed;
    }
  }
}

/**
 * Checks the values of a form with the schema of the interface.
 * @throws FieldsRefusal with places below `body`, like a route of the interface
 */
export function checkInput<Value>(check: ValueCheck<Value>, sent: unknown): Value {
  const checked = check(sent);
  if (checked.kind === 'valid') return checked.value;
  throw new FieldsRefusal(toFieldErrors(checked.errors, ['body']));
}

/** `/title` and `/person/title` as `title`. */
function toFieldName({ pointer }: FieldProblem): string {
  return pointer.replace(/^.*[/:]/, '');
}
