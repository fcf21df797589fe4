// The shapes of erasing (service page, section 3).
import { Type } from 'typebox';
import { text } from '../http.ts';

const CUSTOMER_MAX = 200;

export const EraseRequestSchema = Type.Object(
  { customer_ref: text(CUSTOMER_MAX, 'Exactly as it was sent in `customer_ref`', 'C-1029') },
  { title: 'EraseRequest', examples: [{ customer_ref: 'C-1029' }] },
);

const count = (description: string) => Type.Integer({ description });

export const EraseAnswerSchema = Type.Object(
  {
    erased_lines: count('Lines of sales that named the customer'),
    erased_changes: count('Private changes of corrections of these sales'),
    erased_notes: count('Notes of these sales that quoted the customer'),
    erased_notifications: count('Notices of recall cases that were addressed to the customer'),
    recommitted_values: count(
      'Values of others that shared a commitment with the customer; a correction commits to them anew',
    ),
    erased_at: Type.String(),
    bytes: Type.Enum(['overwritten', 'pending', 'vacuum'], {
      description:
        '`overwritten`: no file of the database holds them any more. `pending`: a log that somebody ' +
        'reads holds them until that ends. `vacuum`: unreadable, and in files of the server until its ' +
        'vacuum',
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
        erased_at: '2026-03-14T09:26:53.589Z',
        bytes: 'overwritten',
      },
    ],
  },
);
