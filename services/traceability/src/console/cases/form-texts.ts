// Texts of the forms about recall cases. They are checked like requests of the interface, and all errors are
// shown at once.
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import type { FieldProblem } from '@lothub/kit/http/field-problems';
import { fieldsProblem } from '@lothub/people/errors';

const TEXT = new RegExp(TEXT_PATTERN, 'u');

export class FormTexts {
  readonly #values: FormValues;
  readonly #problems: FieldProblem[] = [];

  constructor(values: FormValues) {
    this.#values = values;
  }

  /** Undefined where nothing was written. */
  optional(name: string, lengthMax: number): string | undefined {
    // A form sends line breaks as CRLF.
    const text = textOrNothing(this.#values[name]?.replaceAll('\r\n', '\n').trim());
    if (text === undefined) return undefined;
    const { length: actual } = [...text];
    if (actual > lengthMax) this.#note(name, 'too_long', { limit: lengthMax, actual });
    else if (!TEXT.test(text)) this.#note(name, 'text_refused');
    return text;
  }

  required(name: string, lengthMax: number): string {
    const text = this.optional(name, lengthMax);
    if (text === undefined) this.#note(name, 'required');
    return text ?? '';
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const found = words.find((word) => word === this.#values[name]);
    if (found === undefined) this.#note(name, 'not_one_of');
    return found;
  }

  /** @throws PeopleProblem `fields_invalid` that names each field that is wrong */
  check(): void {
    if (this.#problems.length > 0) throw fieldsProblem(this.#problems);
  }

  #note(
    name: string,
    code: FieldProblem['code'],
    { limit = null, actual = null }: Partial<Pick<FieldProblem, 'limit' | 'actual'>> = {},
  ): void {
    this.#problems.push({ pointer: `/${name}`, code, limit, actual });
  }
}
