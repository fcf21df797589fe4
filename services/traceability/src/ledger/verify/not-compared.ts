// The one list of what a verification does not compare, and why; the page for operators repeats it.

/** Columns of which no block says anything. At most five. */
export const COLUMNS_NOT_COMPARED: Readonly<Record<string, string>> = {
  'recall_cases.revision':
    'counts changes of a case, so that two of them do not meet; nobody is shown it',
  'lot_holds.hold_no': 'a number that the database gives; it says only which hold came first',
  'import_keys.height':
    'which events came in files without ids stands nowhere else: a row that is gone is not missed, and the same file adds its events again',
};

/** Tables that say nothing of lots, cases, people or what keys open: what the programs note for themselves. */
export const TABLES_NOT_COMPARED: Readonly<Record<string, string>> = {
  recall_progress:
    'how far open cases have followed the chain; set back, the same blocks are followed again',
  audit_progress:
    'how far entries have got places in the chain of the audit; set back, they are looked at again',
  chain_alarms: 'what verifications have found; the next one finds it again',
  clock_alarms: 'what machines have found of their clocks',
  log_epochs:
    'signed trees are compared with the blocks; of names and keys, a process whose key is another does not start',
  log_checkpoints:
    'sizes and roots are compared with the blocks; each is signed: whoever reads one checks its signatures',
  log_witnesses: 'what each witness has cosigned; it says so itself when it is asked',
  log_timestamps: 'each is signed by its service: whoever relies on one checks it',
  key_uses: 'when keys were used last, to the minute; it opens nothing',
  webhooks: 'where managers have the hub send what happens; who set one up stands in the audit',
  webhook_deliveries: 'what is still to be sent and what was; each tells of a block or an entry',
  webhook_attempts: 'tries to send, with what was answered',
  webhook_looks: 'how far was looked for what is to be sent; set back, it is sent again',
  watches: 'addresses of those who are told of recalls; of people, and so no part of the record',
  watch_messages: 'steps of recalls that are still to be told; each stands in a block',
  watch_deliveries: 'what each of those addresses is still to be told',
  watch_keys: 'keys that open nothing of the record; other ones end the links in mails sent before',
  imports:
    'which files were imported, by whom, and what became of them; what they brought is on the chain',
  import_mappings: 'what the columns of files are; it adds nothing by itself',
  postings: 'who posted which events and with which warnings; the events are on the chain',
  schema_versions: 'which schema the tables have',
  lot_search: 'an index over the texts of lots; what it finds is looked up there',
  lot_search_config: 'a part of `lot_search`',
  lot_search_data: 'a part of `lot_search`',
  lot_search_docsize: 'a part of `lot_search`',
  lot_search_idx: 'a part of `lot_search`',
  lot_search_through: 'how far `lot_search` reaches',
  block_hashes:
    'the first bytes of hashes; what it finds is looked up, and `lothub verify` misses what is not there',
  block_hashes_through: 'how far `block_hashes` reaches',
  leases: 'which process does what',
  verifier_progress: 'how far the chain was verified',
  rate_counts: 'how often callers have asked',
};
