// The public story of a lot: steps, channels and a title, out of its own events and those of its ancestors
// on a way to it, as they count after corrections (docs/interface/traceability.md#journey). No quantities,
// no references.
import type { PlaceProfile } from '../lots/profiles/read-profiles.ts';
import type { CorrectionBlock } from '../ledger/effective-reader.ts';
import type { EffectiveEvent } from '../ledger/record/effective.ts';
import { findFieldPath } from '../ledger/record/field-path.ts';
import type { ChainEvent, ChainLine } from '../ledger/record/payload.ts';
import { comparableInstant } from '../ledger/record/quantities.ts';
import { isSale } from '../ledger/record/event-types.ts';

export interface Step {
  readonly event_type: string;
  /** ISO 8601 in UTC. */
  readonly occurred_at: string;
  readonly location: string;
  readonly product_sku: string;
  readonly lot_code: string;
  /** The event's public notes. */
  readonly note: string | null;
  /** Class of the channel, of a SELL that named one. */
  readonly channel: string | null;
  /** The details of the location for consumers; absent when there are none. */
  readonly place?: PlaceProfile;
  /** Heights of the blocks that corrected what the event says of the lot; absent when none did. */
  readonly corrected_by?: number[];
}

/** Where a step or place is in time; later ones compare greater. */
interface Moment {
  readonly instant: string;
  readonly height: number;
  readonly lineNo: number;
}

interface Placed<Value> {
  readonly moment: Moment;
  readonly value: Value;
}

/** The steps of one event. */
export type StepsOfEvent = readonly [Step, ...Step[]];

/** What a title says when no event can be read any more. */
const NOWHERE = 'an unknown place';
/** The title of a lot whose events were all voided, or corrected to name other lots. */
const WITHDRAWN = 'Corrections have withdrawn everything recorded about this lot';
/** The title when blocks do not verify: what they said may be where the journey begins or ends. */
const UNVERIFIED = 'Blocks of this journey do not verify, so it cannot be shown as a whole';

/** Takes events with their corrections, each once and in any order, and returns them in the order of their times. */
export class Journey {
  readonly #lotCode: string;
  readonly #stepsMax: number;
  /** Sales of one lot in one class at one location are one step; any other step has its own key. */
  readonly #steps = new Map<string, Placed<Step>>();
  readonly #channels = new Set<string>();
  readonly #ownCorrections = new Set<number>();
  #truncated = false;
  #hasWithdrawn = false;
  #hasUnverified = false;
  #firstOrigin: Placed<string> | undefined;
  #firstLocation: Placed<string> | undefined;
  #lastOwnLocation: Placed<string> | undefined;

  constructor(options: { readonly lotCode: string; readonly stepsMax: number }) {
    this.#lotCode = options.lotCode;
    this.#stepsMax = options.stepsMax;
  }

  /**
   * An event that was voided, or that names none of the lots any more, makes no step.
   * @param effective the event as it counts after these corrections
   * @param ancestors codes of the ancestors that the event is a step of; lines of other lots make no step
   */
  add(
    height: number,
    effective: EffectiveEvent,
    {
      ancestors = NO_CODES,
      corrections = [],
    }: {
      readonly ancestors?: ReadonlySet<string> | undefined;
      readonly corrections?: readonly CorrectionBlock[] | undefined;
    } = {},
  ): void {
    const { event, voided } = effective;
    const instant = comparableInstant(event.occurred_at);
    let hasStep = false;
    for (const [lineNo, line] of event.lines.entries()) {
      const isStep = line.lot_code === this.#lotCode || ancestors.has(line.lot_code);
      if (voided || !isStep) continue;
      hasStep = true;
      const moment: Moment = { instant, height, lineNo };
      const correctedBy = correctionsConcerning(line.lot_code, event, corrections);
      this.#place(moment, event.location, line);
      this.#addStep(moment, event, line, correctedBy);
      if (line.lot_code === this.#lotCode) {
        for (const correction of correctedBy) this.#ownCorrections.add(correction);
      }
    }
    if (!hasStep) this.#hasWithdrawn = true;
  }

  /** Notes that a block of the journey does not verify, so that no title is made of the others. */
  addUnverified(): void {
    this.#hasUnverified = true;
  }

  /** Notes classes of the channels through which lots were sold that were made of this one. */
  addChannels(channels: Iterable<string>): void {
    for (const channel of channels) this.#channels.add(channel);
  }

  /** Ascending by the instant; events of one instant in the order of their blocks. */
  get events(): readonly StepsOfEvent[] {
    const sorted = [...this.#steps.values()].sort((a, b) => compareMoments(a.moment, b.moment));
    const events: { readonly height: number; readonly steps: [Step, ...Step[]] }[] = [];
    for (const { moment, value } of sorted) {
      const last = events.at(-1);
      if (last?.height === moment.height) last.steps.push(value);
      else events.push({ height: moment.height, steps: [value] });
    }
    return events.map(({ steps }) => steps);
  }

  /** True when there were more steps than `stepsMax`. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** Heights of the corrections that made the lot's own steps what they are. */
  get ownCorrections(): ReadonlySet<number> {
    return this.#ownCorrections;
  }

  /** Classes of the channels through which the lot was sold, and what was made of it; sorted. */
  get channelsReached(): readonly string[] {
    return [...this.#channels].sort();
  }

  /** From the first origin, or else the first location, to the channels or the lot's last location. */
  get title(): string {
    if (this.#hasUnverified) return UNVERIFIED;
    if (this.#hasWithdrawn && this.#steps.size === 0) return WITHDRAWN;
    const from = this.#firstOrigin?.value ?? this.#firstLocation?.value ?? NOWHERE;
    const channels = this.channelsReached;
    const to = channels.length > 0 ? channels.join(', ') : this.#lastOwnLocation?.value;
    return `From ${from} to ${to ?? NOWHERE}`;
  }

  #place(moment: Moment, place: string, line: ChainLine): void {
    const location = { moment, value: place };
    if (isBefore(moment, this.#firstLocation)) this.#firstLocation = location;
    if (line.origin_facility !== undefined && isBefore(moment, this.#firstOrigin)) {
      this.#firstOrigin = { moment, value: line.origin_facility };
    }
    if (line.lot_code !== this.#lotCode) return;
    if (this.#lastOwnLocation === undefined || !isBefore(moment, this.#lastOwnLocation)) {
      this.#lastOwnLocation = location;
    }
    if (line.channel !== undefined) this.#channels.add(line.channel);
  }

  #addStep(
    moment: Moment,
    event: ChainEvent,
    line: ChainLine,
    correctedBy: readonly number[],
  ): void {
    const channel = line.channel ?? null;
    const key = JSON.stringify(
      isSale(event.event_type)
        ? [line.lot_code, channel, event.location]
        : [line.lot_code, moment.height],
    );
    const known = this.#steps.get(key);
    // A lot with several lines in an event has one step; a sale that came earlier takes its place.
    if (known !== undefined && !isBefore(moment, known)) return;
    if (known === undefined && this.#steps.size >= this.#stepsMax) {
      this.#truncated = true;
      return;
    }
    this.#steps.set(key, {
      moment,
      value: {
        event_type: event.event_type,
        occurred_at: event.occurred_at,
        location: event.location,
        product_sku: line.product_sku,
        lot_code: line.lot_code,
        note: event.notes ?? null,
        channel,
        ...(correctedBy.length === 0 ? {} : { corrected_by: [...correctedBy] }),
      },
    });
  }
}

const NO_CODES: ReadonlySet<string> = new Set();

/** Corrections of the event itself, or of a line that names the lot now. */
function correctionsConcerning(
  lotCode: string,
  event: ChainEvent,
  corrections: readonly CorrectionBlock[],
): readonly number[] {
  return corrections
    .filter(({ payload }) =>
      payload.correction.changes.some(({ field }) => {
        const path = findFieldPath(field);
        return path?.kind !== 'line' || event.lines[path.lineNo]?.lot_code === lotCode;
      }),
    )
    .map(({ height }) => height);
}

function isBefore(moment: Moment, other: Placed<unknown> | undefined): boolean {
  return other === undefined || compareMoments(moment, other.moment) < 0;
}

function compareMoments(a: Moment, b: Moment): number {
  if (a.instant !== b.instant) return a.instant < b.instant ? -1 : 1;
  return a.height - b.height || a.lineNo - b.lineNo;
}
