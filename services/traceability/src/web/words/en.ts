// English: all sentences of the pages. The other languages have the same ones, by the type of these.
import { html, type Html } from '@lothub/kit/html';
import type { Severity } from '../../terms.ts';
import { check } from './en/check.ts';
import { console } from './en/console.ts';
import { explorer } from './en/explorer.ts';
import { labels } from './en/labels.ts';
import { lot } from './en/lot.ts';
import { recalls } from './en/recalls.ts';
import { watching } from './en/watching.ts';

export const en = {
  // What a recall notice asks consumers to do: by how bad it is, as of lots/notices/advice.ts.
  advice: {
    what: {
      class_i: 'Do not eat or use the products concerned: they may cause serious harm or death.',
      class_ii: 'Do not eat or use the products concerned: they may cause temporary harm.',
      class_iii:
        'Do not eat or use the products concerned, although they are not likely to cause harm.',
      market_withdrawal:
        'The products concerned are being taken back; they are not likely to cause harm.',
      unclassified: 'Do not eat or use the products concerned.',
      notSettled:
        'Do not eat or use the products concerned until it is known whether they are safe.',
    } satisfies Readonly<Record<Severity | 'notSettled', string>>,
    giveBack: (brand: Html) => html`Take them back to where you got them, or ask ${brand}.`,
    contact: (brand: Html) => html`How to reach ${brand}:`,
  },
  check,
  console,
  // What a reader sees when a page cannot be shown.
  errors: {
    notFound: {
      title: 'Nothing is known of this',
      advice:
        'There is no such lot, open recall or block. Check the spelling: upper and lower case differ in lot codes.',
    },
    noPage: {
      title: 'There is no page at this address',
      advice: 'Check the address, or look up the lot on your package here.',
    },
    invalid: {
      title: 'This address cannot be understood',
      advice: 'Start again from the form below.',
    },
    tooMany: {
      title: 'Too many requests',
      advice: 'This hub answers only so many requests a minute. Wait a minute and try again.',
    },
    otherwise: {
      title: 'This page cannot be shown now',
      advice: 'The hub could not answer. Try again in a minute.',
    },
    didYouMean: (links: Html) => html`Did you mean ${links}?`,
  },
  explorer,
  // Forms that several pages have.
  forms: {
    lotCode: 'Lot code, as printed on the product',
    showLot: 'Show this lot',
  },
  // The frame around every page.
  frame: {
    skip: 'Skip to content',
    pages: 'Pages of this hub',
    lookUp: 'Look up a lot',
    recalls: 'Recalls',
    explorer: 'Explorer',
    guide: 'Guide',
    api: 'API',
    language: 'Language',
    runs: (hub: string, version: string) => `${hub} runs Lothub ${version}.`,
  },
  labels,
  // What pages say of the public log. No more than is so.
  log: {
    heading: 'Public log',
    entry: (height: string) => `Entry ${height} of this hub’s public log.`,
    nobodyElse: 'Signed by the operator only; nobody else has confirmed it yet.',
    firstBlocks: (count: string, seen: Html) => html`The first ${count} blocks: ${seen}`,
    tooFew: 'These are fewer than this hub asks for.',
    seenBy: (quorum: {
      cosigned: string;
      witnesses: string;
      names: string;
      at: Html | undefined;
    }) =>
      html`Seen by ${quorum.cosigned} of ${quorum.witnesses} independent
      ${quorum.witnesses === '1' ? 'witness' : 'witnesses'}
      (${quorum.names})${quorum.at === undefined ? null : html` on ${quorum.at}`}.`,
    witness: (name: string, operator: string | undefined) =>
      operator === undefined
        ? `${name}: this hub does not say who runs it.`
        : `${name}: run by ${operator}.`,
    ownWitness: 'It is under this hub’s own domain and counts as none.',
    notCounted: 'This hub does not count it.',
    signedOn: (at: Html) => html`It signed on ${at}.`,
    newestOfLot: (block: Html) => html`This is ${block}, the newest of this lot.`,
    evidenceFile: 'Evidence file',
    proofFile: 'Proof file',
    trust: 'What this proves, and how to check it without us',
    timeStamped: (service: string, at: Html) =>
      html`Time-stamped by ${service}: it existed on ${at} at the latest.`,
    timeStamp: 'Time stamp',
    stamped: 'What was stamped',
    evidenceUnder: 'Evidence file under it',
    proofUnder: 'Proof file under it',
    off: 'This hub keeps no public log.',
    building: 'The public log of this hub is being built.',
    unsigned: 'This is newer than what the public log has signed.',
    held: 'The operator’s log cannot be confirmed at present.',
  },
  lot,
  // The page of a GTIN.
  product: {
    number: (gtin: string) => `GTIN ${gtin}`,
    chooseBrand: 'Which brand is on your package?',
    severalBrands:
      'Several brands say that this number is theirs. Nothing here says that a product is unchanged or safe: choose its brand first.',
    severalProducts: (brand: Html | string) => [
      '',
      brand,
      ' gives this number to several products:',
    ],
    ofBrand: (brand: Html | string) => ['A product of ', brand, '.'],
    whichLot: 'Which lot is it?',
    whereLot:
      'The lot code is printed on the package, often beside the date. It may begin with L or LOT.',
    lotUnknown: (lot: Html | string) => ['No lot ', lot, ' of this product is known here.'],
    nothingKnown: 'Nothing is known of this number',
    nothingKnownAdvice:
      'No brand has said on this hub that this number is of a product of theirs. Check the number, or look up the lot code that is printed on the package.',
    recalls: 'Recalls of this product',
    otherBrands: (link: Html | string) => ['Other brands use the same lot code: ', link],
    seeThem: 'see them',
    more: 'More products have this number than this page names.',
    notTheirs: 'That this number is of their product is the word of each brand.',
  },
  recalls,
  // The page of a lot code that several brands use.
  sharedCode: {
    title: (code: string) => `Lot ${code}: which brand?`,
    lead: 'Several brands use this lot code. Which brand is your product of?',
    notices: 'Open recalls for this lot code',
    allNotices: 'All recall notices for this lot code',
    choose: 'Choose the brand of your product',
    nothingSaid:
      'Nothing on this page says that a product is unchanged or safe: choose its brand first.',
    openRecall: 'open recall',
    openRecalls: (count: string) => `${count} open recalls`,
    firstBrands: (count: string) => `These are the first ${count} brands that use the code.`,
    lotCode: 'Lot code',
    brandId: 'Brand, by its id on this hub',
  },
  // The page at `/`.
  start: {
    title: 'Where a product comes from',
    lead: (hub: string) =>
      `Brands report to ${hub} what happens to each lot of their products: received, produced, packed, shipped, sold. Each report becomes one block of a public chain of SHA-256 hashes. Whoever keeps the proof of a block can show it if the operator changes or drops the block later. That a report is true is the word of its brand.`,
    readOn: 'Read on',
    recalls: { label: 'Recalls', text: 'Which lots are recalled now, why, and what to do.' },
    explorer: {
      label: 'Chain explorer',
      text: 'Every block of the chain, with its text and how to check it.',
    },
    guide: {
      label: 'Guide',
      text: 'For those who send events or check the chain: from the first event to its proof by hand.',
    },
    api: {
      label: 'API reference',
      text: 'Every endpoint, with examples and a command that calls it.',
    },
    trust: {
      label: 'Whom you have to trust',
      text: 'What is proven and by whom, what the operator can still do, and how to check it without us.',
    },
    format: {
      label: 'Chain format',
      text: 'What is hashed, to the byte: enough to write a verifier of your own.',
    },
    json: {
      label: 'The explorer as JSON',
      text: 'For programs.',
      description: 'Description of the API',
    },
    /** Behind a link to a document that is written in English alone; empty for who reads English. */
    inEnglish: '',
  },
  watching,
};

export type Words = typeof en;
