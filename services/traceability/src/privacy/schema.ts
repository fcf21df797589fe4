// The shapes of erasing and of disclosing (docs/interface/traceability.md#privacy).
import { Type } from '@lothub/kit/json-schema';
import { nullableText, text } from '../http.ts';

const CUSTOMER_MAX = 200;

export const EraseRequestSchema = Type.Object(
  {
    customer_ref: text(
      CUSTOMER_MAX,
      'Exactly as it was sent in `customer_ref` or `consignee_ref`',
      'C-1029',
    ),
  },
  { title: 'EraseRequest', examples: [{ customer_ref: 'C-1029' }] },
);

const count = (description: string) => Type.Integer({ description });

export const EraseAnswerSchema = Type.Object(
  {
    erased_lines: count('Lines of sales that named the customer'),
    erased_changes: count('Private changes of corrections of these sales'),
    erased_notes: count(
      'Notes that quoted the customer: of these sales, and of others as they were before a correction',
    ),
    erased_notifications: count('Notices of recall cases that were addressed to the customer'),
    recommitted_values: count(
      'Values of others that shared a commitment with the customer; a correction commits to them anew',
    ),
    quoted_in: Type.Array(
      Type.Object({
        event_id: Type.Integer(),
        field: Type.String({ description: 'What to correct', examples: ['notes'] }),
      }),
      {
        description:
          'Sales to others, or to nobody named, whose notes quote the customer and are kept; at most ' +
          '1,000',
      },
    ),
    quoted_in_total: count('All of them'),
    erased_at: Type.String(),
    bytes: Type.Enum(['overwritten', 'quoted', 'pending', 'vacuum'], {
      description:
        'Where the bytes of what was erased are. `overwritten`: in no file of the database any more, ' +
        'and no notes of a sale quote the customer. `quoted`: in no file any more, but the notes of ' +
        '`quoted_in` are kept. `pending`: a log that somebody reads holds them until that ends. ' +
        '`vacuum`: unreadable, and in files of the server until its vacuum',
    }),
  },
  {
    title: 'Erased',
    examples: [
      {
        erased_lines: 12,
        erased_changes: 1,
        erased_notes: 0,
        erased_notifications: 1,
        recommitted_values: 0,
        quoted_in: [],
        quoted_in_total: 0,
        erased_at: '2026-03-14T09:26:53.589Z',
        bytes: 'overwritten',
      },
    ],
  },
);

export const DisclosureParams = Type.Object({
  id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Event id' }),
});

export const DisclosureQuery = Type.Object({
  line: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999,
      description: 'One line, counted from 0; without it all lines, and the notes',
    }),
  ),
});

const nullableLine = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'The line that it is about; null for the notes',
});

export const OpeningSchema = Type.Object(
  {
    line: nullableLine,
    field: Type.String({ description: 'What it opens: `lines[0]`, `notes`, or a corrected field' }),
    place: Type.String({ description: 'Where the commitment is in the payload of the block' }),
    block_height: Type.Integer(),
    block_hash: Type.String(),
    commitment: Type.String(),
    erased: Type.Boolean({
      description: 'Values and salt are erased: nobody can open it any more',
    }),
    values: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
      description: 'As they were hashed: what was not sent is absent',
    }),
    salt: nullableText('64 hex digits'),
    canonical: nullableText('The text whose SHA-256 is the commitment'),
  },
  { title: 'Opening' },
);

export const DisclosureSchema = Type.Object(
  {
    event_id: Type.Integer(),
    brand: Type.String(),
    chain_id: Type.String(),
    block_height: Type.Integer(),
    block_hash: Type.String(),
    openings: Type.Array(OpeningSchema, { description: 'In the order of the chain' }),
    truncated: Type.Boolean({ description: 'There are more: ask line by line' }),
    effective: Type.Object(
      {
        notes: nullableText('Not given when one line is asked for'),
        lines: Type.Array(
          Type.Object({
            line: Type.Integer(),
            customer_ref: nullableText('Null when there is none, or when it is erased'),
            consignee_ref: nullableText('The same of a delivery'),
            channel: nullableText('As it was sent'),
            erased: Type.Boolean({ description: 'Something of the line is erased' }),
          }),
        ),
      },
      { description: 'What counts after all corrections' },
    ),
    how_to_check: Type.String(),
    command: Type.String(),
  },
  {
    title: 'Disclosure',
    examples: [
      {
        event_id: 41,
        brand: 'bakery',
        chain_id: '8a6936c02a1b99087aa0c1b770b3c0804105a59c6f579c92cd2948f693798a4f',
        block_height: 41,
        block_hash: 'c384ebcdb438158e76a0339ac5a576867e190a9bca0642126b1239c4c1a7c85f',
        openings: [
          {
            line: 0,
            field: 'lines[0]',
            place: 'event.lines[0].private',
            block_height: 41,
            block_hash: 'c384ebcdb438158e76a0339ac5a576867e190a9bca0642126b1239c4c1a7c85f',
            commitment: '1c9fd1aea2130656d6480ac744e26f4d0a51df96131c9c47c081d53d2e499c68',
            erased: false,
            values: { channel: 'Restaurant Adler', customer_ref: 'C-1029' },
            salt: '7734a48510252ebfc9c5bbbfaf522596fb8352c6076d9872627bc3aa17134143',
            canonical:
              '{"channel":"Restaurant Adler","customer_ref":"C-1029","salt":"7734a48510252ebfc9c5bbbfaf522596fb8352c6076d9872627bc3aa17134143"}',
          },
        ],
        truncated: false,
        effective: {
          notes: null,
          lines: [
            {
              line: 0,
              customer_ref: 'C-1029',
              consignee_ref: null,
              channel: 'Restaurant Adler',
              erased: false,
            },
          ],
        },
        how_to_check: 'Hash each `canonical` with SHA-256: the result is its `commitment`. …',
        command: 'python3 verify.py --url https://HUB --disclosure FILE',
      },
    ],
  },
);
