// A report of a case made by hand: a mill's delivery, batches of dough, loaves, packs, customers. As
// large as a test wants it, and the same each time.
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type {
  CaseReport,
  DrawnLink,
  DrawnNode,
  Listed,
  ReportLot,
} from '../../src/recall/report/case-report.ts';

export function whole<Item>(items: readonly Item[]): Listed<Item> {
  return { items, total: items.length, isExact: true };
}

const AT = '2026-03-04T08:00:12.507Z';

/** @param lotCount lots covered, 3 or more */
export function sampleReport(lotCount: number): CaseReport {
  const lots = Array.from({ length: lotCount }, (_, index) => sampleLot(index, lotCount));
  const makeHash = (height: number): string => sha256Hex(`block ${height}`);
  const customers = Array.from({ length: Math.ceil(lotCount / 4) }, (_, index) => index);
  return {
    hub: { name: 'Lothub', publicUrl: 'https://trace.example.com' },
    madeAt: '2026-03-05T14:21:07.318Z',
    brand: {
      id: 'bakery',
      name: 'Old Mill Bakery',
      website: 'https://bakery.example',
      recallContact: 'recall@bakery.example, 0800 111 222',
    },
    caseNo: 'RC-2026-0001',
    title: 'Metal in rye bread',
    reason:
      'A customer found a piece of wire, 8 mm long, in a loaf. The wire is from a sieve at the mill ' +
      'that was found broken on 3 March.',
    severity: 'class_ii',
    status: 'containment',
    direction: 'both',
    autoHold: true,
    seed: { lotCode: lots[1]!.lotCode, kind: 'own' },
    openedBy: 'Ada Miller',
    openedAt: AT,
    openedOn: { height: 4_711, hash: makeHash(4_711) },
    notifiedAt: '2026-03-04T09:30:41.220Z',
    endedAt: null,
    isComplete: true,
    chain: {
      chainId: sha256Hex('genesis'),
      tip: { height: 4_802, hash: makeHash(4_802) },
      isValid: true,
      verifiedThrough: 4_799,
    },
    moves: [
      { at: AT, from: null, to: 'investigation', by: 'Ada Miller', note: null, edited: undefined },
      {
        at: '2026-03-04T09:30:41.220Z',
        from: 'investigation',
        to: 'notification',
        by: 'Ada Miller',
        note: 'The laboratory confirms that the wire is of the sieve.',
        edited: undefined,
      },
      {
        at: '2026-03-05T07:02:00.000Z',
        from: 'notification',
        to: 'containment',
        by: 'Ben Carter',
        note: null,
        edited: undefined,
      },
    ],
    editsLeftOut: 0,
    scopeChanges: whole([{ at: '2026-03-04T16:40:03.001Z', height: 4_788, entered: 1, left: 0 }]),
    steps: whole([
      {
        at: AT,
        summary: 'Recall RC-2026-0001 opened by Old Mill Bakery: Metal in rye bread, class II',
        blocks: [
          { height: 4_712, hash: makeHash(4_712) },
          { height: 4_713, hash: makeHash(4_713) },
        ],
      },
    ]),
    products: whole(
      [...Map.groupBy(lots, (lot) => lot.productSku)].map(([productSku, group]) => ({
        productSku,
        lots: group.length,
      })),
    ),
    lots: whole(lots),
    leftLots: whole([]),
    lotsOnHold: lots.filter((lot) => lot.holdStatus === 'on_hold').length,
    snapshotLots: lotCount - 1,
    genealogy: { ...drawLots(lots), by: 'lot', nodesLeftOut: 0, linksLeftOut: 0 },
    shipments: whole(
      lots.slice(2).map((lot, index) => ({
        occurredAt: '2026-03-03T05:30:00Z',
        height: 4_600 + index,
        location: 'BAKERY-1',
        reference: `DN-2026-${4000 + index}`,
        lotCode: lot.lotCode,
        productSku: lot.productSku,
        quantity: String(40 + index),
        unit: 'pcs',
      })),
    ),
    customerCount: customers.length,
    customers: whole(
      customers.map((index) => ({
        customerRef: index === 2 ? null : `CUST-${4000 + index}`,
        lots: 1 + (index % 3),
        amount: { quantity: String(12 + index), unit: 'pcs' },
        channels: index % 2 === 0 ? ['Webshop Nord'] : ['Market hall', 'Shop 7'],
        firstSoldAt: '2026-03-03T08:00:00Z',
        lastSoldAt: '2026-03-03T17:45:00Z',
      })),
    ),
    channels: whole([
      { channel: 'Webshop Nord', channelClass: 'online' },
      { channel: 'Market hall', channelClass: 'direct' },
      { channel: 'Shop 7', channelClass: 'retail' },
    ]),
    suppliers: whole([
      {
        supplier_name: 'Mill Brandt',
        origin_facility: 'Silo 3',
        supplier_lot_code: 'BR-2026-118',
        productSku: 'FLOUR-T55',
        lotCodes: whole(['FLOUR-0711']),
      },
    ]),
    reconciliation: whole([
      {
        productSku: 'FLOUR-T55',
        unit: 'kg',
        lots: 1,
        supplied: '1250.5',
        onHand: '200.5',
        used: '1050',
        disposed: '0',
        distributed: '0',
        answered: '0',
        unanswered: '0',
        overIssued: '0',
        percent: 100,
      },
      {
        productSku: 'RYE-750',
        unit: 'pcs',
        lots: lotCount - 1,
        supplied: '120000',
        onHand: '31000',
        used: '0',
        disposed: '1200',
        distributed: '87802',
        answered: '54000',
        unanswered: '33802',
        overIssued: '2',
        percent: 71.8,
      },
    ]),
    notifications: whole([
      ...(['internal_qa', 'regulator', 'public'] as const).map((audience, index) => ({
        id: index + 1,
        audience,
        recipient: audience,
        status: 'sent' as const,
        lots: lotCount,
        amounts: [],
        readyAt: '2026-03-04T09:30:41.220Z',
        sentAt: '2026-03-04T09:41:00.000Z',
        answeredAt: null,
        response: null,
      })),
      ...customers.map((index) => ({
        id: 10 + index,
        audience: 'customer' as const,
        recipient: index === 2 ? null : `CUST-${4000 + index}`,
        status: index % 3 === 0 ? ('acknowledged' as const) : ('sent' as const),
        lots: 1 + (index % 3),
        amounts: [{ quantity: String(12 + index), unit: 'pcs' }],
        readyAt: '2026-03-04T09:30:41.220Z',
        sentAt: '2026-03-04T09:41:00.000Z',
        answeredAt: index % 3 === 0 ? '2026-03-04T11:02:00.000Z' : null,
        response: index % 3 === 0 ? '11 loaves taken back, 1 eaten' : null,
      })),
    ]),
    answers: {
      notifications: 3 + customers.length,
      notified: 3 + customers.length,
      responded: Math.ceil(customers.length / 3),
      silent: 3 + customers.length - Math.ceil(customers.length / 3),
    },
    corrections: whole([
      {
        height: 4_780,
        hash: makeHash(4_780),
        recordedAt: '2026-03-04T12:10:00.000Z',
        reason: 'Counted again: 48 loaves, not 84',
        corrects: { height: 4_655, hash: makeHash(4_655) },
        changes: whole([{ field: 'lines[1].quantity', from: '84', to: '48' }]),
      },
    ]),
    evidence: whole(
      Array.from({ length: lotCount + 20 }, (_, index) => 4_600 + index).map((height) => ({
        height,
        hash: makeHash(height),
      })),
    ),
  };
}

/** Lot 0 is flour, every seventh a dough, the others loaves of the dough before them. */
function sampleLot(index: number, lotCount: number): ReportLot {
  const isDough = index % 7 === 1;
  const productSku =
    index === 0 ? 'FLOUR-T55' : isDough ? 'DOUGH-RYE' : index % 2 === 0 ? 'RYE-750' : 'RYE-1000';
  return {
    lotCode:
      index === 0
        ? 'FLOUR-0711'
        : `${isDough ? 'DOUGH' : 'BREAD'}-0302-${String(index).padStart(4, '0')}`,
    productSku,
    relation: index === 1 ? 'self' : index === 0 ? 'upstream' : 'downstream',
    bothWays: false,
    distance: index === 1 ? 0 : isDough ? 1 : 2,
    status: index % 5 === 4 ? 'disposed' : 'recalled',
    holdStatus: index % 5 === 4 ? 'released' : 'on_hold',
    remaining: [
      {
        productSku,
        quantity: index === 0 ? '200.5' : String(index % 40),
        unit: index < 2 ? 'kg' : 'pcs',
      },
    ],
    inSnapshot: index < lotCount - 1,
    enteredAt: index < lotCount - 1 ? AT : '2026-03-04T16:40:03.001Z',
  };
}

function drawLots(lots: readonly ReportLot[]): {
  readonly nodes: readonly DrawnNode[];
  readonly links: readonly DrawnLink[];
} {
  const supplier: DrawnNode = {
    kind: 'supplier_lot',
    label: 'BR-2026-118',
    detail: 'Mill Brandt',
    lots: 1,
    isSeed: false,
    held: 0,
    recalled: 0,
  };
  const nodes = lots.map((lot, index): DrawnNode => ({
    kind: 'lot',
    label: lot.lotCode,
    detail: lot.productSku,
    lots: 1,
    isSeed: index === 1,
    held: lot.holdStatus === 'on_hold' ? 1 : 0,
    recalled: lot.status === 'recalled' ? 1 : 0,
  }));
  const doughs = lots.flatMap((lot, index) => (lot.productSku === 'DOUGH-RYE' ? [index] : []));
  const links: DrawnLink[] = [
    { ins: [lots.length], outs: [0] },
    { ins: [0], outs: doughs },
  ];
  for (const dough of doughs) {
    const outs = [2, 3, 4, 5, 6, 7]
      .map((step) => dough + step - 1)
      .filter((lot) => lot < lots.length);
    if (outs.length > 0) links.push({ ins: [dough], outs });
  }
  return { nodes: [...nodes, supplier], links };
}
