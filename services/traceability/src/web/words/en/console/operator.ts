// The console, the pages of operators, in English.
import { html, type Html } from '@lothub/kit/html';

export const operator = {
  title: 'State of the hub',
  lead: 'What is wrong, and what to do; then how far everything is.',
  needs: 'Needs somebody now',
  fine: 'Nothing is wrong',
  fineAdvice: 'The chain verifies, the clock is believed, and nobody is behind.',
  finding: (code: string, height: string) => `Block ${height}: ${code}`,
  clock: 'A clock is not believed: nothing is written',
  clockDo:
    'Put the clock of the machine right; writing goes on by itself. If the clock is right, accept it.',
  sharedKey: 'Several brands write with one key',
  sharedKeyDo: 'Issue a key for each brand and revoke this one, or accept it.',
  behind: 'The witnesses are behind',
  behindDo: 'Look at what each answered last, and whether they can be reached.',
  stamps: 'Time stamps fail',
  stampsDo: 'Look at whether the service (TSA_URL) can be reached; the hub asks again by itself.',
  still: 'The verifier does not come round',
  stillDo: 'For minutes it has checked nothing. Look at the log of the service.',
  building: 'The public log is being built',
  buildingDo: 'Nothing to do: it signs when it has caught up with the chain.',
  guide: 'More in the operating guide, docs/operating.md.',
  verifierTitle: 'The chain and its verifier',
  height: 'Height',
  recentBlocks: 'Blocks in 24 hours',
  through: 'Checked through',
  checkedAt: 'Checked at',
  round: 'A round takes',
  otherProcess: 'another process verifies, or the first round goes on',
  firstBad: 'First bad block',
  notYet: 'The first check has not ended yet',
  logTitle: 'The public log',
  logState: 'State',
  origin: 'Origin',
  signed: 'Signed blocks',
  signedAt: 'Newest signed block',
  never: 'not yet',
  witnessTitle: 'Witnesses',
  noPolicy: 'No policy is set (WITNESS_POLICY_FILE): nobody outside confirms what this hub signs.',
  quorum: 'Cosigned by',
  quorumShare: (cosigned: string, counting: string) => `${cosigned} of ${counting}`,
  behindSince: 'Behind',
  inStep: 'in step',
  witness: 'Witness',
  runBy: 'Run by',
  answer: 'Last answer',
  since: 'Since',
  tree: 'Blocks cosigned',
  own: 'of this operator: does not count',
  stampTitle: 'Time stamps',
  stampOff: 'No service is set (TSA_URL).',
  stampAt: 'Newest',
  stampSize: 'Blocks',
  failures: 'Failed tries since',
  clockTitle: 'Clocks',
  clockFine: 'The clock of every machine is believed.',
  brandsTitle: 'Brands',
  brandsLead: 'How much each records. What a brand keeps to itself is not shown.',
  brand: 'Brand',
  recent: 'Events in 24 hours',
  events: 'Events',
  lastEvent: 'Newest event',
  noBrands: 'No brand has recorded anything yet.',
  refusedTitle: 'Refused keys',
  refusedLead: 'The newest ones, among the last thousand entries of the audit.',
  refusedNone: 'No key was refused.',
  when: 'When',
  client: 'Client',
  path: 'Path',
  reason: 'Reason',
  times: 'Times',
  key: 'Key',
  seconds: (seconds: string) => `${seconds} s`,
  // What to do about a finding of the verifier.
  advice: {
    restore:
      'A stored block is not the one that was sealed, or is missing. Find out who changed the database, and restore the newest backup that verifies.',
    restorePrivate:
      'Private values are gone or do not fit their block. They cannot be made from the blocks: restore a backup that verifies.',
    program:
      'A block is nothing that this version seals. Is the program older than the one that wrote it? If not, report it, and restore.',
    report:
      'What a confidential recall disclosed is not what it had sealed. Keep a copy, say publicly which case it is, and report it.',
    rebuild:
      'Rows beside the chain are not what the blocks say. The blocks are sound: make the rows anew from them.',
    picture:
      'A picture is gone or is another one. Let the brand send it again, or restore a backup.',
    audit:
      'The audit is not what was chained: somebody changed the database beside the hub. Put its rows back from a backup, and find out who it was.',
    key: 'A stored key is not what the audit says of it. Put the row back or delete it, rotate the key, and take for forged what came with it.',
    supplier:
      'The link of a supplier is not what the audit says of it. Put the row back or delete it, and inform the brand.',
    follow:
      'An open case lacked what its blocks give: how far the cases were followed had been set forward. A running hub adds it. Find out who changed the database, then verify.',
    decision:
      'What says that older decisions are sealed is gone or differs. Find out who changed the database, then rebuild.',
    tip: 'The end of the chain was cut off or replaced. If you put a backup back on purpose, accept it; if not, find out before you restore.',
    tipRecord:
      'The record of the tip is gone or cannot be read. Compare the tip with that of your last backup, then accept it.',
    log: 'The blocks are not those that the log has signed, and nothing is signed any more. Put the signed blocks back, or end the log.',
    logRecord:
      'The record of what was signed is damaged. Put it back from a backup, or make sure that the chain is whole, remove it and verify.',
    unconfirmed:
      'Too few witnesses say what they have seen. Mend what keeps them away; when the database holds all that was ever signed, accept it.',
    witnessAhead:
      'A witness has cosigned a larger tree: blocks were lost, or the hub runs from an older copy. Look at the log, and ask the witness’s operator.',
    witnessRefuses:
      'A witness says that the newest tree does not follow on its own. Compare with its operator which tree it has cosigned.',
    storage:
      'The database is damaged, most often by its disk. Stop the service, look at the disk, and restore onto another one.',
    unknown:
      'This version does not know the finding. Look it up in the operating guide of the version that found it.',
  },
  hubKeys: {
    title: 'Keys of the hub',
    lead: 'With a key a program writes and reads; each is for one brand, for any brand, or for the administration of the hub.',
    opens: 'Opens',
    admin: 'the administration of the hub',
    anyBrand: 'any brand',
    kinds: {
      admin: 'the administration of the hub',
      brand: 'one brand, to post events',
      any: 'any brand, to post events',
    },
    brand: 'Brand',
    brandHint: 'The id of the brand, where the key is for one.',
    makeLead:
      'A key that reads what a brand keeps to itself is made by the managers of the brand. A key that is made here for a brand is listed among its keys and in its audit.',
    ended: 'Ended',
    ofSettings: (name: Html) =>
      html`It comes from the settings: change ${name} as well, or the next start makes it valid
      again.`,
    noneFound: 'There is no such key.',
    full: 'There are as many keys as may be valid. Revoke one first.',
  },
};
