// The page of a lot, in German.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const lot = {
  title: (code) => `Charge ${code}`,
  verdicts: {
    recalled: 'Halt: Diese Charge wird zurückgerufen',
    examined: 'Halt: Diese Charge wird möglicherweise zurückgerufen',
    withdrawn: 'Diese Charge wird vom Markt genommen',
    onHold: 'Bitte warten: Diese Charge ist gesperrt',
    unconfirmed: 'Diese Charge lässt sich nicht bestätigen',
    clear: 'Gegen diese Charge liegt nichts vor',
  },
  onHold: (brand) =>
    html`${brand} hat diese Charge gesperrt. Verzehren oder verwenden Sie sie nicht, bis sie
    freigegeben ist.`,
  clear: (brand) =>
    html`Es gibt keinen offenen Rückruf für diese Charge, und was ${brand} über sie aufgezeichnet
    hat, ist unverändert.`,
  whetherRecalled: (brand) =>
    html`Ob diese Charge zurückgerufen wird, lässt sich hier nicht sagen. Fragen Sie ${brand}, bevor
    Sie sie verwenden.`,
  whetherFurther: (brand) =>
    html`Ob es weitere Rückrufe dieser Charge gibt, lässt sich hier nicht sagen. Fragen Sie
    ${brand}, bevor Sie sie verwenden.`,
  why: 'Grund:',
  furtherRecalls: 'Weitere Rückrufe dieser Charge:',
  aboutRecall: 'Alles zu diesem Rückruf',
  aboutRecalls: 'Alles zu diesen Rückrufen',

  lotCode: 'Charge',
  product: 'Produkt',
  brand: 'Marke',
  status: 'Status',
  sharing: 'Auch andere Marken verwenden diese Chargennummer.',
  sharingRecalled: html`Auch andere Marken verwenden diese Chargennummer, und
    <strong class="bad">einige dieser Chargen werden zurückgerufen</strong>.`,
  chooseBrand: 'Andere Marke wählen',

  story: 'Woher sie kommt',
  stages: {
    received: 'Angenommen',
    made: 'Hergestellt',
    packed: 'Verpackt',
    moved: 'Transportiert',
    sold: 'Verkauft',
    disposed: 'Entsorgt',
  },
  ingredients: 'Zutaten angenommen',
  places: (count) => `${count} Orte`,
  more: (count) => `${count} weitere`,
  utc: (date) => `${date} (UTC)`,
  allEvents: (count) => `Alle Ereignisse (${count})`,
  noStepCounts:
    'Kein Schritt dieser Charge zählt derzeit. Was aufgezeichnet wurde, steht mit den Korrekturen in den Blöcken unten.',
  partOfStory:
    'Diese Schritte stehen in Blöcken, die sich bestätigen lassen. Andere können fehlen.',
  noStepVerifies:
    'Aus keinem Block, der sich bestätigen lässt, geht ein Schritt dieser Charge hervor.',
  event: (what, where) => html`${what}: ${where}`,
  through: (channels) => `, über ${channels}`,
  thisLot: (product) => html`Diese Charge, Produkt ${product}`,
  sourceLot: (lot, product) => html`Ausgangscharge ${lot}, Produkt ${product}`,
  corrected: (blocks) => html`So, wie die Marke es später korrigiert hat: ${blocks}`,

  sold: 'Wo sie verkauft wurde',
  soldThrough: (channels) => `Diese Charge oder was daraus wurde: ${channels}.`,
  noSale: 'Es ist kein Verkauf mit bekanntem Vertriebsweg aufgezeichnet.',
  noSaleVerifies:
    'Aus keinem Block, der sich bestätigen lässt, geht ein Verkauf mit bekanntem Vertriebsweg hervor.',

  decisions: 'Entscheidungen zu dieser Charge',

  proof: 'Was bewiesen ist',
  verified: (brand) =>
    html`<strong>Bestätigt.</strong> Was ${brand} über diese Charge aufgezeichnet hat, ist
      unverändert. Ob es wahr und vollständig war, kann kein Computer beweisen.`,
  notVerified: html`<strong>Nicht bestätigt.</strong> Was gespeichert ist, stimmt nicht mit der
    Kette überein. Bis der Betreiber das geprüft hat, ist nichts auf dieser Seite bewiesen.`,
  blocksNotVerified: (blocks) =>
    html`<strong>Nicht bestätigt.</strong> Was gespeichert ist, stimmt nicht mit der Kette überein.
      Blöcke dieser Charge, die sich nicht bestätigen lassen: ${blocks}. Auf das, was sie sagten,
      ist kein Verlass, bis der Betreiber es geprüft hat.`,
  proofInDetail: 'Der Nachweis im Einzelnen',
  owner: 'Wer das angibt',
  keeper: 'Wer die Kette führt',
  chainState: 'Zustand der ganzen Kette',
  chainValid:
    'Zwischen dem, was gespeichert ist, und dem, was gehasht wurde, ist kein Unterschied bekannt.',
  chainInvalid: 'Was gespeichert ist, weicht von dem ab, was gehasht wurde.',
  newestBlock: 'Neuester Block',
  chainName: 'Name der Kette',
  blocks: 'Blöcke zu dieser Charge',
  blocksIntro:
    'Diese Blöcke enthalten die Charge, korrigieren solche Blöcke oder sagen, was über sie entschieden wurde. Jeder ist für diese Seite neu gehasht worden. Das können Sie auch selbst: Die Seite eines Blocks zeigt seinen Text und wie man ihn hasht.',
  block: 'Block',
  hash: 'Hash (SHA-256)',
  truncated: 'Über diese Charge gibt es mehr, als diese Seite zeigt: siehe Explorer.',

  otherBrands: 'Andere Marken mit dieser Chargennummer',
  otherBrandsIntro:
    'Ist Ihr Produkt von einer anderen Marke? Diese verwenden dieselbe Chargennummer:',
} satisfies Words['lot'];
