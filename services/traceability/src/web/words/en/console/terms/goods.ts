// Terms of the glossary: goods, in English.

export const goods = {
  words: {
    lot: 'lot',
    lotCode: 'lot code',
    sku: 'SKU',
    event: 'event',
    line: 'line',
    direction: 'direction',
    reference: 'reference',
    externalId: 'external id',
    consignee: 'consignee',
    customerReference: 'customer reference',
    channel: 'channel',
    provenance: 'provenance',
    supplierLot: 'supplier lot',
    genealogy: 'genealogy',
    upstream: 'upstream, downstream',
    basis: 'basis',
    distance: 'distance, depth',
    frontier: 'frontier',
    cycle: 'cycle',
    journey: 'journey',
    massBalance: 'mass balance',
    account: 'account',
    remaining: 'remaining',
    overIssued: 'over-issued',
    yield: 'yield',
    status: 'status',
    hold: 'hold',
    gtin: 'GTIN',
    digitalLink: 'Digital Link',
    symbol: 'symbol',
    holdBreach: 'hold breach',
  },
  sentences: {
    lot: 'A quantity of one product made, packed or received under the same conditions, and traced as one. Identified by tenant and lot code.',
    lotCode:
      "The tenant's name for a lot. Upper and lower case differ; any printable character is allowed.",
    sku: 'Stock keeping unit: the code of a product, as `product_sku`. A lot code may carry several.',
    event:
      'Something that happened to lots at a time and place: `RECEIVE`, `PRODUCE`, `CONSUME`, `PACK`, `TRANSFER`, `SHIP`, `SELL`, `DISPOSE` or `CORRECTION`.',
    line: "One lot's part in an event: which lot, in or out, how much, in which unit.",
    direction:
      'Of a line: `in` (consumed or received) or `out` (produced, shipped or sold). Of a recall: `upstream`, `downstream` or `both`.',
    reference:
      "The tenant's business document behind an event, such as an order or a delivery note.",
    externalId:
      "The tenant's own id of an event, unique within the tenant. It makes sending twice harmless.",
    consignee: 'Who goods are sent to. In an event this is the customer reference of a line.',
    customerReference: "The tenant's name for a customer, kept for `SELL` only and never public.",
    channel:
      "The way goods reach consumers. The tenant's own text is private; its class (`retail`, `online`, …) is public.",
    provenance:
      "Where a received lot comes from: supplier's name, facility of origin, supplier's lot code.",
    supplierLot: 'A lot known only from provenance: a leaf of the genealogy.',
    genealogy:
      'The graph of lots and what they were made from. An event links each of its in-lots to each of its out-lots.',
    upstream: 'Towards what a lot was made from; towards what was made from it.',
    basis:
      'Why two lots are linked: by one event (`event`), or by a shared reference of two events (`reference`).',
    distance: 'Hops from the lot asked about; the most hops that are followed.',
    frontier:
      'Lots at which a walk stopped although it could have gone on. An answer names them: nothing is cut silently.',
    cycle: 'Lots that are their own ancestors, by rework or returns. Legal, and counted.',
    journey:
      'The public story of a lot: its own events and those of its ancestors on the way to it, oldest first, without quantities or references.',
    massBalance:
      'Comparison of what went into a lot and what came out of it, for each SKU and unit.',
    account:
      'The sums of a lot for one SKU and one unit. A lot has as many accounts as it has been seen in pairs of both.',
    remaining: 'What should still be there of a lot, by its mass balance.',
    overIssued:
      'More went out of a lot than ever came in: remaining is negative. Accepted and flagged, because the fact was reported.',
    yield: 'Quantity out of a production divided by quantity in.',
    status:
      'Of a lot: `active`, `depleted` or `disposed` by what is left of it; `recalled` as soon as a case that covers it has reached `notification`, whatever is left.',
    hold: 'A lot may not be used until it is released. Set by a recall case or by hand; a lot is free when its last hold is gone.',
    gtin: 'The number of GS1 for a product. Whose it is is the claim of a brand, and several may make the same one.',
    digitalLink:
      'An address of GS1 that names a product by its GTIN, and a lot and a serial number of it; the hub leads from there to the page of the lot.',
    symbol: 'A QR code or DataMatrix; a label has one, and beside it what people read.',
    holdBreach:
      'An event that moves a lot on hold. Recorded, warned about and shown on the dashboard; never refused, because it happened.',
  },
};
