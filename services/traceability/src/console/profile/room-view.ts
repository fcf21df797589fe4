// Shared code of the routes of this room: the content of every page, and faults in the language of the
// reader.
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

/** Query of a page about one subject: what was done, and the page of its history. */
export const SubjectQuery = Type.Object({
  done: Type.Optional(Type.String()),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});

/** Characters of a code in an address, where reading is tolerant. */
export const CODE_LENGTH_MAX = 200;
/** Query of a list: the searched text, where the page begins, and a code to open. */
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

/** Returns the name of the weakest role with a right. */
export function roleFor(right: BrandRight, { words }: Reader): string {
  return words.console.roles[weakestRoleWith(right)];
}

/** Returns the path of the audit entries about one subject. */
export function buildAuditPath(brand: string, entityType: string, entityId: string): string {
  const query = new URLSearchParams({ entity_type: entityType, entity_id: entityId });
  return `${brandPath(brand, 'audit')}?${query.toString()}`;
}

/** Returns the caller of a change, and the brand. */
export function changeBy(to: To) {
  return {
    tenantId: getBrand(to),
    caller: callerOfPerson(to.request, getVisitor(to.request).person),
  };
}

export async function redirectDone(to: To, path: string, done: RoomDone): Promise<FastifyReply> {
  return await to.reply.redirect(withDone(path, done), 303);
}

/** The numbers of digits of a GTIN or a GLN. */
const FORM_OF_GS1 = /^(?:\d{8}|\d{12,14})$/;

/** Returns the fault of a GS1 number. The schema knows only its form. */
function gs1Fault(digits: string, form: string, { words }: Reader): string {
  const { faults } = words.console.profile;
  if (!FORM_OF_GS1.test(digits)) return form;
  const others = digits.slice(0, -1);
  const right = [...'0123456789'].find((digit) => checkDigitFault(others + digit) === undefined);
  return right === undefined || right === digits.at(-1) ? form : faults.checkDigit(right);
}

/** For a mistyped number, adds the digit that it should end with. */
export function saidDigit(form: FormState, name: 'gtin' | 'gln', reader: Reader): FormState {
  const { [name]: error } = form.errors;
  if (error === undefined) return form;
  const digits = (form.values[name] ?? '').replaceAll(/\s/g, '');
  return { ...form, errors: { ...form.errors, [name]: gs1Fault(digits, error, reader) } };
}
