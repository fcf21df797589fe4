// What the routes of this room have in common: what every page shows, and faults said in the reader's words.
import type { FormState } from '@lothub/design/desk-parts';
import { Type } from '@lothub/kit/json-schema';
import { hasBrandRight, weakestRoleWith, type BrandRight } from '@lothub/people/brands/rights';
import { doneWordsIn, withDone } from '@lothub/design/done-mark';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { callerOfPerson } from '../../http.ts';
import { checkDigitFault } from '../../lots/profiles/gs1.ts';
import type { Reader, Words } from '../../web/words/reader.ts';
import { getVisitor } from '../access.ts';
import { getBrand, readName } from '../brand/brand.ts';
import type { ConsoleDeps } from '../deps.ts';
import { brandPath } from '../paths.ts';
import { prepareConsoleReader, type To } from '../send.ts';
import { roomTabs, type RoomView } from './room.ts';

export type RoomDone = keyof Words['console']['profile']['done'];

/** Queries of a page about one thing: what was done, and the page of its history. */
export const SubjectQuery = Type.Object({
  done: Type.Optional(Type.String()),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});

/** Characters of a code in an address, where reading is tolerant. */
export const CODE_LENGTH_MAX = 200;
/** Queries of a list: what is looked for, where the page begins, and a code that is to be opened. */
export const ListQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: CODE_LENGTH_MAX })),
  after: Type.Optional(Type.String({ maxLength: CODE_LENGTH_MAX })),
  open: Type.Optional(Type.String({ maxLength: CODE_LENGTH_MAX })),
  done: Type.Optional(Type.String()),
});
export type ListChanges = Static<typeof ListQuery>;

export const CodeText = Type.String({ minLength: 1, maxLength: CODE_LENGTH_MAX });

export async function roomView(
  deps: Pick<ConsoleDeps, 'database'>,
  to: To,
  said: { readonly done?: string | undefined; readonly problem?: string | undefined } = {},
): Promise<RoomView> {
  const brand = getBrand(to);
  const reader = prepareConsoleReader(to.request, to.reply);
  return {
    brand,
    name: await readName(deps, brand),
    tabs: roomTabs(isAllowed(to, 'erase')),
    done: doneWordsIn(reader.words.console.profile.done, said.done),
    problem: said.problem,
  };
}

export function isAllowed(to: To, right: BrandRight): boolean {
  return hasBrandRight(getVisitor(to.request).rights.brands.get(getBrand(to)), right);
}

/** What the weakest role with a right is called. */
export function roleFor(right: BrandRight, { words }: Reader): string {
  return words.console.roles[weakestRoleWith(right)];
}

/** The entries of the audit on one thing. */
export function buildAuditPath(brand: string, entityType: string, entityId: string): string {
  const query = new URLSearchParams({ entity_type: entityType, entity_id: entityId });
  return `${brandPath(brand, 'audit')}?${query.toString()}`;
}

/** Who changes what, and in which brand. */
export function changeBy(to: To) {
  return {
    tenantId: getBrand(to),
    caller: callerOfPerson(to.request, getVisitor(to.request).person),
  };
}

export async function redirectDone(to: To, path: string, done: RoomDone): Promise<FastifyReply> {
  return await to.reply.redirect(withDone(path, done), 303);
}

/** As many digits as a GTIN or a GLN has. */
const FORM_OF_GS1 = /^(?:\d{8}|\d{12,14})$/;

/** What is wrong with a number of GS1, of which the schema knows the form. */
function gs1Fault(digits: string, form: string, { words }: Reader): string {
  const { faults } = words.console.profile;
  if (!FORM_OF_GS1.test(digits)) return form;
  const others = digits.slice(0, -1);
  const right = [...'0123456789'].find((digit) => checkDigitFault(others + digit) === undefined);
  return right === undefined || right === digits.at(-1) ? form : faults.checkDigit(right);
}

/** A mistyped number is said with the digit that it should end with. */
export function saidDigit(form: FormState, name: 'gtin' | 'gln', reader: Reader): FormState {
  const { [name]: error } = form.errors;
  if (error === undefined) return form;
  const digits = (form.values[name] ?? '').replaceAll(/\s/g, '');
  return { ...form, errors: { ...form.errors, [name]: gs1Fault(digits, error, reader) } };
}
