// What the plain model tells consumers of a lot (service page, section 8): the events of its ancestors
// and itself, oldest first, with sales of one lot, class and location told once.
import { byOccurrence } from './chain-model.ts';
import type { ChainModel, ModelLine, RecordedEvent } from './chain-model.ts';
import { distancesFrom, graphOf } from './genealogy-model.ts';

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

export function journeyOf(model: ChainModel, tenantId: string, lotCode: string): ModelJourney {
  const { edges } = graphOf(model, tenantId);
  const codes = distancesFrom(edges, [lotCode], 'upstream');
  const placed = model
    .countingEventsOf(tenantId)
    .toSorted(byOccurrence)
    .flatMap((event) => event.effective.lines.map((line) => ({ event, line })))
    .filter(({ line }) => codes.has(line.lot_code));
  const steps = new Map<string, ModelStep>();
  for (const { event, line } of placed) {
    const step = stepOf(event, line);
    const key =
      step.event_type === 'SELL'
        ? [step.lot_code, step.channel, step.location]
        : [step.lot_code, event.height];
    const known = JSON.stringify(key);
    if (!steps.has(known)) steps.set(known, step);
  }
  const own = placed.filter(({ line }) => line.lot_code === lotCode);
  const classes = own.map(({ event, line }) => stepOf(event, line).channel);
  const channels = [...new Set(classes.filter((one) => one !== null))].sort();
  return {
    journey_title: titleOf(placed, own, channels),
    steps: [...steps.values()],
    channels_reached: channels,
  };
}

interface Placed {
  readonly event: RecordedEvent;
  readonly line: ModelLine;
}

/** From the first origin, or else the first location, to the channels or the lot's last location. */
function titleOf(
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

function stepOf({ effective, corrections }: RecordedEvent, line: ModelLine): ModelStep {
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
