// The members of an event or a line in each of its forms: as a sender sends it, as the chain has
// it, and as responses show it. All are derived from the tables of fields.
import type { Hidden, NamesWith } from './fields.ts';

/** A value on the chain: always text; for a choice, one of its words. */
type ChainValue<Facts> = Facts extends { readonly kind: 'choice'; readonly choices: infer Choices }
  ? Choices extends readonly (infer Choice)[]
    ? Choice
    : never
  : string;

/** The members on the chain of the fields of a table; a key is absent when nothing was sent. */
export type ChainMembers<Table> = {
  readonly [Name in NamesWith<Table, { required: true }>]: ChainValue<Table[Name]>;
} & {
  readonly [
    Name in Exclude<NamesWith<Table, { required: false }>, NamesWith<Table, Hidden>>
  ]?: string;
};

/** A value as it is sent: decimals are numbers. */
type SentValue<Facts> = Facts extends { readonly kind: 'decimal' } ? number : ChainValue<Facts>;

/** The fields of a table as they are sent; an optional one may be absent or null. */
export type SentMembers<Table> = {
  [Name in NamesWith<Table, { required: true }>]: SentValue<Table[Name]>;
} & {
  [Name in NamesWith<Table, { required: false }>]?: SentValue<Table[Name]> | null;
};

/** The fields of a table as answers show them: null when there is no value. */
export type ShownMembers<Table> = {
  [Name in NamesWith<Table, { required: true }>]: SentValue<Table[Name]>;
} & {
  [Name in NamesWith<Table, { required: false }>]: SentValue<Table[Name]> | null;
};

/** The fields of a table as the public is shown them; what is only committed to is not among them. */
export type PublicMembers<Table> = {
  [Name in Exclude<keyof Table, NamesWith<Table, Hidden>>]: SentValue<Table[Name]> | null;
};
