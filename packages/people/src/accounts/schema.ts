// Shapes of people in requests: the same for the interface, the pages and the command line.
import { toFieldProblems, type FieldProblem } from '@lothub/kit/http/field-problems';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import type { FormValues } from '@lothub/design/form-values';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { EMAIL_LENGTH_MAX, EMAIL_PATTERN } from '../access/email.ts';
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  findPasswordProblem,
} from '../passwords/password-rules.ts';
import { fieldsProblem } from '../errors.ts';

/** Room for both ways of writing an accent; no account has a longer one. */
const SECRET_TEXT_MAX = 2 * PASSWORD_LENGTH_MAX;

export const emailText = Type.String({
  minLength: 3,
  maxLength: EMAIL_LENGTH_MAX,
  pattern: EMAIL_PATTERN,
  description: 'In any case; an account has it in lower case',
  examples: ['ada@example.com'],
});

export const personNameText = nameText('What the person is called, for the others', 'Ada');

export const newPasswordText = Type.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
  description: 'Refused are those that are guessed first, such as the e-mail',
  examples: ['correct horse battery staple'],
});

/** The secret of a link or a log-in. It may be any text, because it is only compared. */
export const secretText = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: SECRET_TEXT_MAX, description, examples: [example] });

export const NewPersonSchema = Type.Object(
  { name: personNameText, email: emailText, password: newPasswordText },
  { title: 'NewPerson', additionalProperties: false },
);
export type NewPerson = Static<typeof NewPersonSchema>;

/** Reads the person that a form describes; a field that the form lacks is empty. */
export function readNewPerson(values: FormValues): NewPerson {
  const { name = '', email = '', password = '' } = values;
  return { name, email, password };
}

export const PersonSchema = Type.Object(
  {
    id: Type.String({ examples: ['usr_8sKw0bNc5Rqa'] }),
    email: Type.String({ examples: ['ada@example.com'] }),
    name: Type.String({ examples: ['Ada'] }),
  },
  { title: 'Person', description: 'A person, as that person sees it' },
);

export const NameChangeSchema = Type.Object(
  { name: personNameText },
  { title: 'NameChange', additionalProperties: false },
);

export const PasswordChangeSchema = Type.Object(
  {
    old_password: secretText('The password until now', 'wrong cow capacitor clip'),
    new_password: newPasswordText,
  },
  { title: 'PasswordChange', additionalProperties: false },
);

export const SessionParams = Type.Object({
  session_id: Type.String({ minLength: 1, maxLength: 64, examples: ['9f86d081884c7d65'] }),
});

export const SessionSchema = Type.Object(
  {
    id: Type.String({ examples: ['9f86d081884c7d65'] }),
    agent: Type.String({ description: 'What the browser called itself' }),
    created_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
    last_seen_at: Type.String({ description: 'To the minute' }),
    expires_at: Type.String({ description: 'When it ends unless it is used before' }),
    is_current: Type.Boolean({ description: 'It is the one that asks' }),
  },
  { title: 'Session' },
);

/** The `next` of lists with few items, which have one page. */
export const nextOfWhole = Type.Null({ description: 'There is no further page' });

export const SessionListSchema = Type.Object(
  {
    items: Type.Array(SessionSchema),
    next: nextOfWhole,
  },
  { title: 'SessionList' },
);

export const instantOrNull = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description,
    examples: ['2026-01-02T03:04:05.678Z'],
  });

export const LogInSchema = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: EMAIL_LENGTH_MAX,
      examples: ['ada@example.com'],
    }),
    password: secretText('The password of the account', 'correct horse battery staple'),
  },
  { title: 'LogIn', additionalProperties: false },
);

const checkPerson = compileValueSchema<NewPerson>(NewPersonSchema);
const checkEmailOnly = compileValueSchema(emailText);
const checkNameOnly = compileValueSchema(personNameText);

/**
 * @param pointer the place of the values in the request, such as `/person`
 * @throws PeopleProblem `fields_invalid`, naming all that is wrong
 */
export function checkNewPerson(values: NewPerson, pointer: string): void {
  const checked = checkPerson(values);
  const found = checked.kind === 'valid' ? [] : toFieldProblems(checked.errors, 'body');
  const hasPasswordProblem = found.some((problem) => problem.pointer === '/password');
  const password = hasPasswordProblem
    ? undefined
    : findPasswordProblem(values.password, { email: values.email, pointer: '/password' });
  refuse([...found, ...(password === undefined ? [] : [password])], pointer);
}

/** @throws PeopleProblem `fields_invalid` */
export function checkNewPassword(
  password: string,
  account: { readonly email: string; readonly pointer: string },
): void {
  const found = findPasswordProblem(password, account);
  refuse(found === undefined ? [] : [found], '');
}

/** @throws PeopleProblem `fields_invalid` */
export function checkName(name: string, pointer: string): void {
  const checked = checkNameOnly(name);
  refuse(checked.kind === 'valid' ? [] : toFieldProblems(checked.errors, 'body'), pointer);
}

/** @throws PeopleProblem `fields_invalid` */
export function checkEmail(email: string, pointer: string): void {
  const checked = checkEmailOnly(email);
  refuse(checked.kind === 'valid' ? [] : toFieldProblems(checked.errors, 'body'), pointer);
}

function refuse(found: readonly FieldProblem[], pointer: string): void {
  if (found.length === 0) return;
  throw fieldsProblem(found.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` })));
}
