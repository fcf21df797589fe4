// The largest bodies that POST /v1/events and its batch take, and the worst that an attacker sends
// instead: each as large as its endpoint allows.
import { BATCH_BYTES_MAX, BODY_BYTES_MAX } from '@lothub/traceability/events/schema';

export interface HostileBody {
  readonly name: string;
  readonly path: '/v1/events' | '/v1/events/batch' | '/v1/events/batch?on_error=proceed';
  /** The text of a body; another series makes another body of the same kind. */
  readonly body: (series: string) => string;
}

const LINES_MAX = 1_000;
const EVENTS_MAX = 1_000;
const MEMBERS_MAX = 1_000;

interface Line {
  readonly lot_code: string;
  readonly product_sku: string;
  readonly direction: 'in' | 'out';
  readonly quantity: number;
  readonly unit: string;
  readonly customer_ref?: string;
  readonly channel?: string;
  readonly supplier_name?: string;
}

function eventText(options: {
  readonly id: string;
  readonly type: 'SELL' | 'RECEIVE';
  readonly lines: readonly string[];
}): string {
  return (
    `{"external_id":"${options.id}","event_type":"${options.type}",` +
    `"occurred_at":"2026-03-02T07:15:00+01:00","location":"PLANT-1","reference":"WO-1",` +
    `"lines":[${options.lines.join(',')}]}`
  );
}

/** A line of a sale: what costs most to prepare, because each has a salt and a commitment. */
function saleLine(lot: string, filler = ''): string {
  const line: Line = {
    lot_code: lot,
    product_sku: 'S',
    direction: 'out',
    quantity: 1.25,
    unit: 'kg',
    customer_ref: `C${filler}`,
    channel: 'web',
  };
  return JSON.stringify(line);
}

const shortLine = (lot: string): string =>
  `{"lot_code":"${lot}","product_sku":"S","direction":"out","quantity":1,"unit":"k"}`;

/** As many of one item as fit into so many bytes, at most `most`. */
function filled(bytes: number, item: (index: number) => string, most = Infinity): string {
  const items: string[] = [];
  for (let left = bytes; items.length < most;) {
    const text = item(items.length);
    left -= Buffer.byteLength(text) + 1;
    if (left < 0) break;
    items.push(text);
  }
  return items.join(',');
}

const ROOM = 1_024;

function sameFor(
  bytes: number,
  path: HostileBody['path'],
  wrap: (text: string) => string,
): readonly HostileBody[] {
  const room = bytes - ROOM;
  const one = (name: string, text: () => string): HostileBody => ({
    name: `${name}, ${path}`,
    path,
    body: () => wrap(text()),
  });
  const inLines = (text: string): string => eventText({ id: 'h', type: 'SELL', lines: [text] });
  return [
    one('unknown members', () => `{${filled(room, (n) => `"k${n}":0`)}}`),
    one('objects of many unknown members', () => {
      const object = `{${Array.from({ length: MEMBERS_MAX }, (_, n) => `"k${n}":0`).join(',')}}`;
      return inLines(filled(room, () => object));
    }),
    one('lines of 0', () => inLines(filled(room, () => '0'))),
    one('empty lines', () => inLines(filled(room, () => '{}'))),
    one('lines with every field wrong', () =>
      inLines(
        filled(
          room,
          () =>
            '{"lot_code":0,"product_sku":0,"direction":0,"quantity":"","unit":0,"customer_ref":0,"channel":0,"supplier_name":0,"origin_facility":0,"supplier_lot_code":0}',
        ),
      ),
    ),
    one('nested lists', () => '['.repeat(room / 2) + ']'.repeat(room / 2)),
    one('lists that are not closed', () => '['.repeat(room)),
    one('a text of escapes', () => inLines(`"${'\\u00e9'.repeat(Math.floor(room / 6))}"`)),
    one('a text of quotes', () => inLines(`"${'\\"'.repeat(Math.floor(room / 2))}"`)),
    one('a number of zeros between ones', () => inLines(`1${'0'.repeat(room - 2)}1`)),
    one('numbers of many digits', () => inLines(filled(room, () => '0.1234567890123456'))),
    one('exponents', () => inLines(filled(room, () => '1e400'))),
    one('one member twice', () => `{"a":"${'x'.repeat(room - 100)}","a":0}`),
    one('small objects', () => inLines(filled(room, (n) => `{"k${n}":0}`))),
  ];
}

export function hostileBodies(): readonly HostileBody[] {
  const bodyRoom = BODY_BYTES_MAX - ROOM;
  const batchRoom = BATCH_BYTES_MAX - ROOM;
  const inBatch = (text: string): string => `{"events":[${text}]}`;
  const makeLines = (lines: number, series: string, event: number) =>
    Array.from({ length: lines }, (_, n) => shortLine(`${series}${event}-${n}`));
  return [
    {
      name: 'valid: a sale of 1,000 lines of a kilobyte',
      path: '/v1/events',
      body: (series) => {
        const rest = 'é'.repeat(199);
        const lines = filled(bodyRoom, (n) => saleLine(`${series}-${n}`, rest), LINES_MAX);
        return eventText({ id: series, type: 'SELL', lines: [lines] });
      },
    },
    ...sameFor(BODY_BYTES_MAX, '/v1/events', (text) => text),
    {
      name: 'valid: 1,000 events of as many lines as fit',
      path: '/v1/events/batch',
      body: (series) =>
        inBatch(
          filled(
            batchRoom,
            (n) =>
              eventText({
                id: `many-${series}-${n}`,
                type: 'RECEIVE',
                lines: makeLines(115, series, n),
              }),
            EVENTS_MAX,
          ),
        ),
    },
    {
      name: 'valid: sales of 1,000 lines each',
      path: '/v1/events/batch',
      body: (series) =>
        inBatch(
          filled(batchRoom, (event) =>
            eventText({
              id: `sale-${series}-${event}`,
              type: 'SELL',
              lines: Array.from({ length: LINES_MAX }, (_, n) => saleLine(`${series}-${n}`)),
            }),
          ),
        ),
    },
    {
      name: 'valid: 1,000 events of long notes',
      path: '/v1/events/batch',
      body: (series) =>
        inBatch(
          filled(
            batchRoom,
            (n) =>
              `${eventText({ id: `notes-${series}-${n}`, type: 'RECEIVE', lines: makeLines(1, series, n) }).slice(0, -1)},"notes":"${'é'.repeat(2_000)}"}`,
            EVENTS_MAX,
          ),
        ),
    },
    {
      name: '1,000 events of 1,000 wrong lines',
      path: '/v1/events/batch',
      body: () =>
        inBatch(
          filled(
            batchRoom,
            () =>
              eventText({
                id: 'h',
                type: 'SELL',
                lines: Array.from({ length: LINES_MAX }, () => '0'),
              }),
            EVENTS_MAX,
          ),
        ),
    },
    ...sameFor(BATCH_BYTES_MAX, '/v1/events/batch', inBatch),
    ...sameFor(BATCH_BYTES_MAX, '/v1/events/batch?on_error=proceed', inBatch),
  ];
}
