// Examples of the explorer's answers that verify: the hash in them is that of the text beside it.

const EXAMPLE_CHAIN_ID = 'a348f228991ce760cba679ef24a445deaf61a64e63e18903cf7b67722e8c55e7';
const EXAMPLE_PREV_HASH = '303355e09c21d799a94af02fc88498c6363c018997cbda595cc98972fcf3b5b1';

export const EXAMPLE_BLOCK = {
  height: 4711,
  block_hash: '09b873dda0d77ad1e22f3ef38970b5e1a4d23ba8b9127093669e904f382b2cbe',
  prev_hash: EXAMPLE_PREV_HASH,
  recorded_at: '2026-03-02T03:31:07.412Z',
  brand: 'bakery',
  event_type: 'PRODUCE',
  tx_count: 2,
  summary: 'PRODUCE at BAKERY-1, ref WO-77: 1 in, 1 out (FLOUR-0711 -> BREAD-0302)',
  canonical:
    '{"height":4711,"payload":{"brand":"bakery","event":{"event_type":"PRODUCE","lines":[' +
    '{"direction":"in","lot_code":"FLOUR-0711","product_sku":"FLOUR-T55","quantity":"120.5",' +
    '"unit":"kg"},{"direction":"out","lot_code":"BREAD-0302","product_sku":"RYE-750",' +
    '"quantity":"160","unit":"pcs"}],"location":"BAKERY-1",' +
    '"occurred_at":"2026-03-02T03:30:00Z","reference":"WO-77"},' +
    '"recorded_at":"2026-03-02T03:31:07.412Z","type":"event","v":1},' +
    `"prev_hash":"${EXAMPLE_PREV_HASH}"}`,
  intact: true,
};

export const EXAMPLE_TRANSACTION = {
  height: EXAMPLE_BLOCK.height,
  index: 1,
  block_hash: EXAMPLE_BLOCK.block_hash,
  brand: EXAMPLE_BLOCK.brand,
  event_type: EXAMPLE_BLOCK.event_type,
  occurred_at: '2026-03-02T03:30:00Z',
  recorded_at: EXAMPLE_BLOCK.recorded_at,
  location: 'BAKERY-1',
  reference: 'WO-77',
  lot_code: 'BREAD-0302',
  product_sku: 'RYE-750',
  direction: 'out',
  quantity: 160,
  unit: 'pcs',
  channel: null,
  supplier_name: null,
  origin_facility: null,
  supplier_lot_code: null,
};

export const EXAMPLE_OTHER_TRANSACTION = {
  ...EXAMPLE_TRANSACTION,
  index: 0,
  lot_code: 'FLOUR-0711',
  product_sku: 'FLOUR-T55',
  direction: 'in',
  quantity: 120.5,
  unit: 'kg',
};

export const EXAMPLE_DECISION = {
  at: '2026-03-02T06:15:00.000Z',
  lots: ['BREAD-0302'],
  state: 'held',
};

export const EXAMPLE_CHANGE = { field: 'lines[0].quantity', from: '120.5', to: '121.5' };

export const EXAMPLE_CORRECTION = {
  height: 4712,
  block_hash: '00271c5c1d70ce2fd3456b443aa0efa5ac7f6faf3cffd1ffab276657c591637e',
  prev_hash: EXAMPLE_BLOCK.block_hash,
  recorded_at: '2026-03-02T04:10:55.031Z',
  brand: 'bakery',
  event_type: 'CORRECTION',
  tx_count: 1,
  summary: 'CORRECTION of event 4711: lines[0].quantity',
  canonical:
    '{"height":4712,"payload":{"brand":"bakery","correction":{"changes":[' +
    '{"field":"lines[0].quantity","from":"120.5","to":"121.5"}],' +
    `"corrects_block_hash":"${EXAMPLE_BLOCK.block_hash}","corrects_block_height":4711,` +
    '"corrects_event_id":4711,' +
    '"private":"b1946ac92492d2347c6235b4d2611184c5e0f3c3b1f6a7a2b9d8e7f605142332",' +
    '"reason":"misread the scale"},"recorded_at":"2026-03-02T04:10:55.031Z",' +
    `"type":"correction","v":1},"prev_hash":"${EXAMPLE_BLOCK.block_hash}"}`,
  intact: true,
};

export const EXAMPLE_CORRECTION_TRANSACTION = {
  height: EXAMPLE_CORRECTION.height,
  index: 0,
  block_hash: EXAMPLE_CORRECTION.block_hash,
  brand: EXAMPLE_CORRECTION.brand,
  event_type: EXAMPLE_CORRECTION.event_type,
  occurred_at: null,
  recorded_at: EXAMPLE_CORRECTION.recorded_at,
  location: null,
  reference: null,
  lot_code: 'FLOUR-0711',
  product_sku: 'FLOUR-T55',
  direction: null,
  quantity: null,
  unit: null,
  channel: null,
  supplier_name: null,
  origin_facility: null,
  supplier_lot_code: null,
  corrects_height: EXAMPLE_BLOCK.height,
  ...EXAMPLE_CHANGE,
};

export const EXAMPLE_STATS = {
  chain_id: EXAMPLE_CHAIN_ID,
  height: EXAMPLE_BLOCK.height,
  tip_hash: EXAMPLE_BLOCK.block_hash,
  blocks: 4712,
  transactions: 13_290,
  lots: 1_804,
  brands: 3,
  chain_valid: true,
  verified_through: 4_600,
  verified_at: '2026-03-02T03:31:00.000Z',
};
