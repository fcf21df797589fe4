// The pages of the chain, in English: the explorer, one block, the chain of a lot, and search.
import { html, type Html } from '@lothub/kit/html';

export const explorer = {
  title: 'Chain explorer',
  valid: html`<strong>The chain is valid:</strong> no difference is known between what is stored and
    what was hashed.`,
  invalid: html`<strong>The chain is not valid:</strong> what is stored differs from what was
    hashed.`,
  search: {
    title: 'Search the chain',
    of: (text: string) => `Search: ${text}`,
    label: 'Height, beginning of a hash, of a lot code or of a reference',
    button: 'Search',
    nothing: (text: Html) =>
      html`Nothing begins with ${text}. Upper and lower case differ in lot codes and references; of
      a hash give 4 digits or more.`,
    lot: (lot: Html, brand: Html, product: Html) => html`${lot} of ${brand}, product ${product}`,
  },
  figures: { blocks: 'Blocks', transactions: 'Transactions', lots: 'Lots', brands: 'Brands' },
  chain: {
    title: 'This chain',
    newest: 'Newest block',
    name: 'Name of the chain (hash of block 0)',
    verified: 'Read again and found good',
    verifiedThrough: (block: string, at: Html | null) =>
      at === null ? html`up to block ${block}` : html`up to block ${block}, ${at}`,
  },
  list: {
    title: 'Blocks, newest first',
    narrow: 'Narrow the list',
    brand: 'Brand',
    type: 'Type',
    anyType: 'All types',
    from: 'Recorded from (UTC)',
    to: 'to (UTC)',
    show: 'Show these blocks',
    showAll: 'Show all blocks',
    none: 'There is no such block.',
    asJson: 'For programs: the same as JSON',
  },
  columns: { block: 'Block', what: 'What', brand: 'Brand', recorded: 'Recorded', hash: 'Hash' },
  hub: 'the hub',
  pager: {
    label: 'Pages of this list',
    newest: 'Newest',
    newer: 'Newer',
    older: 'Older',
    oldest: 'Oldest',
  },
  copy: { label: 'Copy the hash', done: 'Copied', failed: 'Select it to copy it' },
  block: {
    intact: html`<strong>Intact:</strong> its text has just been hashed again and gives its hash.`,
    notIntact: html`<strong>Not intact:</strong> its text as stored does not give its hash.`,
    notIntactShort: 'Not intact',
    facts: 'What this block says',
    type: 'Type',
    brand: 'Brand',
    occurred: 'When it happened',
    decided: 'When it was decided',
    recorded: 'When it was recorded',
    place: 'Where',
    reference: 'Reference',
    hash: 'Hash (SHA-256)',
    before: 'Hash of the block before',
    lots: 'Lots in this block',
    lines: 'Lines of events',
    lotsNamed: 'Lots it names',
    shown: (shown: string, all: string) =>
      `These are the first ${shown} of ${all}; all stand in the text of the block.`,
    product: 'Product',
    directionName: 'Direction',
    direction: { in: 'in', out: 'out' },
    quantity: 'Quantity',
    chain: 'Chain',
    chainOfLot: 'Its blocks',
    from: 'From',
    soldThrough: 'Sold through',
    raw: 'The text that was hashed, and how to check it',
    indented: 'Line breaks and indents are added here to make it readable; they are not hashed.',
    cut: (shown: string, all: string) => `These are the first ${shown} of ${all} characters.`,
    whole: (link: string) =>
      html`<a href="${link}">The text as it was hashed</a>, without line breaks.`,
    check: 'In a shell, this prints the hash above:',
    checkAll: (link: string) =>
      html`That checks the text. To check that no block before it was changed,
        <a href="${link}">verify the whole chain</a>.`,
    beside: 'Blocks beside this one',
    previous: 'Block before',
    next: 'Block after',
    all: 'All blocks',
  },
  corrected: {
    title: 'Corrected later',
    voided: 'The brand says that this did not happen: the event counts for nothing any more.',
    wrong: 'The brand says that something here was wrong.',
    stays: (count: number): string =>
      count === 1
        ? 'This block stays as it was recorded. The block that corrects it says what was wrong:'
        : 'This block stays as it was recorded. The blocks that correct it say what was wrong:',
    first: (shown: string, all: string) => `These are the first ${shown} of ${all}.`,
    corrects: 'Corrects an earlier block',
    correctsWhich: (block: Html) =>
      html`The brand recorded this to say what was wrong in ${block}, which stays as it is.`,
    reason: 'Reason',
    hashOf: 'Hash of the corrected block',
    changes: 'What was wrong',
    several: 'Corrections',
    before: 'Before',
    after: 'From then on',
    nothing: 'nothing',
    notPublic: 'not public',
    of: 'Corrects',
    recordedIn: 'Recorded in',
  },
  lotChain: {
    title: (lot: Html) => html`Chain of lot ${lot}`,
    titleText: (lot: string) => `Chain of lot ${lot}`,
    lead: (brand: Html) =>
      html`Every block that carries this lot of ${brand}, corrects what does, or says what was
      decided about it; newest first.`,
    lotPage: 'Page of this lot',
    several: 'Several brands use this lot code. Which one is it?',
    link: 'The chain of this lot, block by block',
  },
  /** Types of blocks that are neither events nor decisions. */
  types: {
    AUDIT: 'Seal of the audit',
    UNREADABLE: 'Unreadable block',
  },
  /** A name and its value, or a sentence and what it is about. */
  pair: (name: Html | string, value: Html | string) => html`${name}: ${value}`,
  sentences: {
    genesis: (hub: string) => `Beginning of the chain of ${hub}`,
    unreadable: 'Its text is nothing that was ever sealed here',
    event: (type: string, place: Html, reference: Html) =>
      html`${type} at ${place}, reference ${reference}`,
    more: (count: string) => `and ${count} more`,
    correction: (block: Html, fields: string) => html`Correction of ${block}: ${fields}`,
    audit: (entry: string) => `Audit sealed up to entry ${entry}`,
    lot: (lot: Html) => html`Lot ${lot}`,
    oneLot: '1 lot',
    /** Of more than one. */
    lots: (count: string) => `${count} lots`,
    blocks: (count: string) => `${count} blocks`,
    held: (lots: Html, _count: number) => html`${lots} put on hold`,
    released: (lots: Html, _count: number) => html`${lots} released`,
    releasedFrom: (lots: Html, caseNo: Html, _count: number) =>
      html`${lots} released from the hold of recall ${caseNo}`,
    toldBrand: (change: string) => `What consumers are told of the brand: ${change}`,
    toldProduct: (sku: Html, change: string) =>
      html`What consumers are told of product ${sku}: ${change}`,
    toldPlace: (place: Html, change: string) =>
      html`What consumers are told of place ${place}: ${change}`,
    changed: (members: string) => `${members} changed`,
    unchanged: 'nothing changed',
    removed: 'nothing any more',
    drill: (lot: Html, seconds: string) => html`Recall drill: lot ${lot} traced in ${seconds}`,
    erased: (blocks: Html | string) => html`Private values of ${blocks} erased`,
    response: (answer: {
      caseNo: Html;
      status: string;
      sent: string;
      all: string;
      answered: string;
    }) =>
      html`A notification of recall ${answer.caseNo}: ${answer.status}. ${answer.sent} of
      ${answer.all} sent, ${answer.answered} answered`,
    recall: {
      opened: (recall: { caseNo: Html; brand: Html; title: Html; severity: string }) =>
        html`Recall ${recall.caseNo} opened by ${recall.brand}: ${recall.title}, ${recall.severity}`,
      widened: (caseNo: Html, brand: Html) => html`Scope of recall ${caseNo} of ${brand} changed`,
      edited: (caseNo: Html, brand: Html) => html`Recall ${caseNo} of ${brand} edited`,
      moved: (caseNo: Html, brand: Html, state: string) =>
        html`Recall ${caseNo} of ${brand}: ${state}`,
      confidential: (caseNo: Html, brand: Html) =>
        html`Confidential step of recall ${caseNo} of ${brand}`,
      disclosed: (block: Html, sentence: Html) => html`Disclosed from ${block}: ${sentence}`,
      entered: (_count: number, written: string) => `${written} entered`,
      left: (_count: number, written: string) => `${written} left`,
      added: (_count: number, written: string) => `${written} added by hand`,
      excluded: (_count: number, written: string) => `${written} excluded by hand`,
      restored: (_count: number, written: string) => `${written} no longer excluded`,
      part: (part: string, parts: string) => `part ${part} of ${parts}`,
    },
  },
  decision: {
    title: 'What was decided',
    migrated:
      'Sealed later: it was decided before this hub sealed decisions, and when is what the hub had stored.',
    committed: 'Private, only committed to',
    state: 'State',
    held: 'on hold',
    released: 'released',
    caseNo: 'Recall',
    step: 'Step',
    steps: {
      opened: 'opened',
      moved: 'moved on',
      widened: 'scope changed',
      edited: 'edited',
      confidential: 'confidential: what it says is only committed to',
    },
    partNumber: (part: string, parts: string) => `${part} of ${parts}`,
    part: 'Part',
    reason: 'Reason',
    what: 'Title',
    severity: 'Severity',
    seed: 'Begins at lot',
    supplier: 'Supplier',
    direction: 'Covers besides',
    directions: {
      upstream: 'what the lot was made from',
      downstream: 'what was made from the lot',
      both: 'what the lot was made from, and what was made from it',
    },
    autoHold: 'Holds its lots',
    yes: 'yes',
    no: 'no',
    asOf: 'Lots looked for up to',
    entered: 'Lots that entered',
    left: 'Lots that left',
    concerned: 'Recipients concerned',
    advice: 'What to do',
    contact: 'Contact',
    website: 'Website',
    disclosedFrom: 'Disclosed from',
    about: 'About',
    changed: 'Changed',
    nothing: 'nothing is told',
    drill: 'Drill',
    lot: 'Lot',
    took: 'Traced in',
    erased: 'Blocks whose private values were erased',
    notification: 'Notification',
    status: 'Status',
    counts: 'Notifications of the recall',
    auditHash: 'Hash of the audit',
    auditEntry: 'Entries of the audit, up to',
  },
  members: {
    address: 'address',
    gln: 'GLN',
    gtin: 'GTIN',
    language: 'language',
    name: 'name',
    names: 'names',
    picture: 'picture',
    recall_contact: 'contact for recalls',
    reason: 'reason',
    severity: 'severity',
    time_zone: 'time zone',
    title: 'title',
    website: 'website',
    wording: 'languages of the texts',
  },
  severities: {
    class_i: 'class I',
    class_ii: 'class II',
    class_iii: 'class III',
    market_withdrawal: 'market withdrawal',
    unclassified: 'not classified yet',
  },
  statuses: {
    pending: 'pending',
    ready: 'ready',
    sent: 'sent',
    acknowledged: 'acknowledged',
    resolved: 'resolved',
  },
};
