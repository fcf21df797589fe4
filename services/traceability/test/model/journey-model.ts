// What the plain model says to consumers of a lot (docs/interface/traceability.md#journey): its own events
// and those of its ancestors on a way to it, oldest first, with sales of one lot, class and location told
// once.
import { byOccurrence, type ChainModel } from './chain-model.ts';
import type { ModelLine, RecordedEvent } from './records.ts';
import { buildGraph, distancesFrom } from './genealogy-model.ts';
import { compareInstants } from './instants.ts';

export interface ModelStep {
  readonly event_type: string;
  readonly occurred_at: string;
  readonly location: string;
  readonly product_sku: string;
  readonly lot_code: string;
  readonly note: string | null;
  readonly channel: string | null;
  /** Corrections of the event itself and of lines that name the lot now; absent without any. */
  readonly corrected_by?: readonly number[];
}

export interface ModelJourney {
  readonly journey_title: string;
  readonly steps: readonly ModelStep[];
  readonly channels_reached: readonly string[];
}

/** The public class of each channel text that the random chains use. */
export const CHANNELS: Readonly<Record<string, string>> = {
  webshop: 'online',
  'Restaurant Adler': 'food_service',
  supermarket: 'retail',
  'by the moon': 'other',
};

/** The title of a lot of which nothing counts any more. */
const WITHDRAWN = 'Corrections have withdrawn everything recorded about this lot';

export function buildJourney(model: ChainModel, tenantId: string, lotCode: string): ModelJourney {
  const counting = model.listCountingEvents(tenantId);
  const way = wayTo(lotCode, counting);
  const lines = counting
    .toSorted(byOccurrence)
    .flatMap((event) => event.effective.lines.map((line) => ({ event, line })));
  const placed = lines.filter(
    ({ event, line }) => line.lot_code === lotCode || way.has(buildKey(line.lot_code, event)),
  );
  const steps = new Map<string, ModelStep>();
  for (const { event, line } of placed) {
    const step = buildStep(event, line);
    const key =
      step.event_type === 'SELL'
        ? [step.lot_code, step.channel, step.location]
        : [step.lot_code, event.height];
    const known = JSON.stringify(key);
    if (!steps.has(known)) steps.set(known, step);
  }
  const own = placed.filter(({ line }) => line.lot_code === lotCode);
  const { edges } = buildGraph(model, tenantId);
  const made = distancesFrom(edges, [lotCode], 'downstream');
  const classes = lines
    .filter(({ line }) => made.has(line.lot_code))
    .map(({ event, line }) => buildStep(event, line).channel);
  const channels = [...new Set(classes.filter((one) => one !== null))].sort();
  return {
    journey_title: buildTitle(placed, own, channels),
    steps: [...steps.values()],
    channels_reached: channels,
  };
}

function buildKey(lotCode: string, event: RecordedEvent): string {
  return JSON.stringify([lotCode, event.height]);
}

interface LotInEvent {
  readonly code: string;
  readonly event: RecordedEvent;
}

/** Which events of which ancestors are on a way to a lot: searched again and again until nothing is added. */
function wayTo(lotCode: string, counting: readonly RecordedEvent[]): ReadonlySet<string> {
  const events = counting.filter((event) => event.effective.event_type !== 'CORRECTION');
  const listSide = (event: RecordedEvent, side: 'in' | 'out'): readonly LotInEvent[] =>
    event.effective.lines
      .filter(({ direction }) => direction === side)
      .map(({ lot_code: code }) => ({ code, event }));
  const isAlone = (event: RecordedEvent): boolean =>
    listSide(event, 'in').length === 0 || listSide(event, 'out').length === 0;
  const isAnyType = (event: RecordedEvent, ...types: readonly string[]): boolean =>
    types.includes(event.effective.event_type);
  const links = (event: RecordedEvent): boolean =>
    !isAlone(event) && new Set(event.effective.lines.map((line) => line.lot_code)).size > 1;

  const references = new Set(events.map((event) => event.effective.reference));
  const transformations = [
    ...events
      .filter(links)
      .map((event) => ({ ins: listSide(event, 'in'), outs: listSide(event, 'out') })),
    ...[...references].map((reference) => {
      const alone = events.filter(
        (event) => event.effective.reference === reference && isAlone(event),
      );
      return {
        ins: alone
          .filter((event) => isAnyType(event, 'CONSUME'))
          .flatMap((event) => listSide(event, 'in')),
        outs: alone
          .filter((event) => isAnyType(event, 'PRODUCE', 'PACK'))
          .flatMap((event) => listSide(event, 'out')),
      };
    }),
  ];
  const births = [
    ...events
      .filter((event) => isAnyType(event, 'RECEIVE'))
      .flatMap((event) => listSide(event, 'in')),
    ...events
      .filter((event) => isAnyType(event, 'PRODUCE', 'PACK', 'CONSUME') || links(event))
      .flatMap((event) => listSide(event, 'out')),
  ];
  const moves = events
    .filter((event) => isAnyType(event, 'TRANSFER') && !links(event))
    .flatMap((event) => [...listSide(event, 'in'), ...listSide(event, 'out')]);

  const uses = new Map<string, LotInEvent>();
  const isBefore = (a: RecordedEvent, b: RecordedEvent): boolean =>
    compareInstants(a.effective.occurred_at, b.effective.occurred_at) < 0;
  const isUsedAfter = ({ code, event }: LotInEvent): boolean =>
    code === lotCode ||
    [...uses.values()].some((use) => use.code === code && !isBefore(use.event, event));
  const isOnWay = (birth: LotInEvent): boolean => {
    const { code, event } = birth;
    if (isUsedAfter(birth)) return true;
    const isReached = [...uses.values()].some((use) => use.code === code);
    const isFirst = births.every((one) => one.code !== code || !isBefore(one.event, event));
    return isReached && isFirst;
  };
  for (let size = -1; size < uses.size;) {
    size = uses.size;
    for (const { ins, outs } of transformations) {
      for (const out of outs.filter(isOnWay)) {
        for (const use of ins.filter(({ code }) => code !== out.code)) {
          uses.set(buildKey(use.code, use.event), use);
        }
      }
    }
  }
  const all = [...uses.values(), ...births.filter(isOnWay), ...moves.filter(isUsedAfter)];
  return new Set(all.map(({ code, event }) => buildKey(code, event)));
}

interface Placed {
  readonly event: RecordedEvent;
  readonly line: ModelLine;
}

/** From the first origin, or else the first location, to the channels or the lot's last location. */
function buildTitle(
  placed: readonly Placed[],
  own: readonly Placed[],
  channels: readonly string[],
): string {
  const [first, last] = [placed[0], own.at(-1)];
  // A lot that nothing counts of has no ancestors either.
  if (first === undefined || last === undefined) return WITHDRAWN;
  const origins = placed.map(({ line }) => line.origin_facility).filter((one) => one !== null);
  const to = channels.length > 0 ? channels.join(', ') : last.event.effective.location;
  return `From ${origins[0] ?? first.event.effective.location} to ${to}`;
}

function buildStep({ effective, corrections }: RecordedEvent, line: ModelLine): ModelStep {
  const correctedBy = corrections
    .filter(({ changes }) =>
      changes.some(({ field }) => {
        const [, lineNo] = /^lines\[(\d+)\]/.exec(field) ?? [];
        return lineNo === undefined || effective.lines[Number(lineNo)]?.lot_code === line.lot_code;
      }),
    )
    .map(({ height }) => height);
  const isSell = effective.event_type === 'SELL';
  return {
    event_type: effective.event_type,
    occurred_at: effective.occurred_at,
    location: effective.location,
    product_sku: line.product_sku,
    lot_code: line.lot_code,
    // The notes of a sale are private.
    note: isSell ? null : effective.notes,
    channel: isSell && line.channel !== null ? (CHANNELS[line.channel] ?? 'other') : null,
    ...(correctedBy.length === 0 ? {} : { corrected_by: correctedBy }),
  };
}
