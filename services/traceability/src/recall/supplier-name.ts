// Whose lot is meant, as requests say it: several suppliers may use one lot code.
import { optionalText } from '../http.ts';
import { TEXT_MAX } from '../ledger/record/fields.ts';

export const SupplierNameSchema = optionalText(
  TEXT_MAX,
  'That the lot of this supplier is meant, whatever own lot has the code. Needed when several ' +
    'suppliers use the code: without it the answer is a 409 with their names.',
  'Mill Brandt',
);
