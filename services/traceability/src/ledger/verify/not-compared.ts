// The one list of what a verification does not compare, and why; the page for operators repeats it.

/** Columns of compared tables whose values no block says. At most five. */
export const COLUMNS_NOT_COMPARED: Readonly<Record<string, string>> = {
  'recall_cases.revision':
    'counts changes of a case, so that two of them do not meet; nobody is shown it',
  'lot_holds.hold_no':
    'a number that the database gives; compared are the order of the holds of a case on a lot, and that it is above 0, without which lists leave a hold out',
  'import_keys.height':
    'which events came in files without ids is stored nowhere else: a row that is gone is not missed, and the same file adds its events again',
};

interface TablesApart {
  /** What they are, as a heading. */
  readonly kind: string;
  /** Why none of them is compared, though somebody could change it. */
  readonly because: string;
  readonly tables: readonly string[];
}

/** Tables that say nothing about a lot, a case, a brand or the rights of a key, by kind. */
export const TABLES_NOT_COMPARED: readonly TablesApart[] = [
  {
    kind: 'who posted',
    because:
      'the brand alone is shown who posted an event and what the post was warned of; no block says it, so that it can be erased: whoever writes to the database can change it unseen',
    tables: ['postings'],
  },
  {
    kind: 'signed elsewhere',
    because:
      'each row carries the signatures of others, which whoever relies on it checks; sizes and roots of signed trees are compared with the blocks, and a process whose key is another than that of the log does not start',
    tables: ['log_epochs', 'log_checkpoints', 'log_witnesses', 'log_timestamps'],
  },
  {
    kind: 'how far programs have come',
    because:
      'set back, the same blocks, entries or lots are looked at again; set forward, what lies between is left out; late events that `recall_progress` leaves out are found by `lothub verify` and by the hub itself, which trace open cases anew',
    tables: [
      ...['recall_progress', 'audit_progress', 'verifier_progress', 'webhook_looks'],
      ...['lot_search_through', 'block_hashes_through', 'schema_versions'],
    ],
  },
  {
    kind: 'what was found',
    because: 'the next verification, and the next look at the clock, finds it again',
    tables: ['chain_alarms', 'clock_alarms'],
  },
  {
    kind: 'what is to be sent',
    because:
      'addresses, and what is still to be sent to each about a block or an entry of the audit; the audit says who set a webhook up',
    tables: [
      ...['webhooks', 'webhook_deliveries', 'webhook_attempts'],
      ...['watches', 'watch_messages', 'watch_deliveries', 'watch_keys'],
    ],
  },
  {
    kind: 'files on their way in',
    because: 'what became of a file, and what its columns are; what it brought is on the chain',
    tables: ['imports', 'import_mappings'],
  },
  {
    kind: 'indexes',
    because: 'what they find is looked up in the tables that are compared',
    tables: [
      ...['lot_search', 'lot_search_config', 'lot_search_data', 'lot_search_docsize'],
      ...['lot_search_idx', 'block_hashes'],
    ],
  },
  {
    kind: 'turns and counts',
    because: 'which process does what, how often callers have asked, when keys were used last',
    tables: ['leases', 'rate_counts', 'key_uses'],
  },
];

const APART: ReadonlySet<string> = new Set(TABLES_NOT_COMPARED.flatMap(({ tables }) => tables));

export function isCompared(table: string): boolean {
  return !APART.has(table);
}
