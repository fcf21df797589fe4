// Selects the blocks that a monitor reports: those of watched brands, those that name a watched
// lot, events and decisions alike, and the corrections of these.
import { jsonString, parseBlock } from '@lothub/chain';
import { namesLot } from '@lothub/verify';
import type { EventReport } from './reports.ts';

/** Members of a decision that are lists of codes, and those that are lists of rows with a code. */
const CODES = ['added', 'excluded', 'left', 'lots', 'restored'] as const;
const ROWS = ['changed', 'entered'] as const;

/**
 * Maximum number of reported heights that are remembered; corrections of older events are not
 * noticed.
 */
export const WATCHED_HEIGHTS_MAX = 10_000;

export interface Watched {
  readonly lots: readonly string[];
  readonly brands: readonly string[];
}

const CORRECTION_MEMBER = '"type":"correction"';

/** Reads texts of blocks. Which corrections count is known only once all blocks before them are read. */
export class Watch {
  readonly #watched: Watched;
  /** Texts without any of these are not parsed. */
  readonly #marks: readonly string[];

  constructor(watched: Watched) {
    this.#watched = watched;
    const { lots, brands } = watched;
    this.#marks = [
      ...lots.map((lot) => jsonString(lot)),
      ...brands.map((brand) => `"brand":${jsonString(brand)}`),
      ...(lots.length === 0 ? [] : [CORRECTION_MEMBER]),
    ];
  }

  /** The report of a block that may be about a watched lot or brand. */
  read(block: { readonly canonical: string; readonly blockHash: string }): EventReport | undefined {
    const { canonical, blockHash } = block;
    if (!this.#marks.some((mark) => canonical.includes(mark))) return undefined;
    const { height, payload } = parseBlock(canonical);
    const { type, brand, decision } = payload;
    const kind = isObject(decision) ? 'decision' : type;
    if (typeof brand !== 'string' || !isKind(kind)) return undefined;
    const corrects = readMember(payload['correction'], 'corrects_block_height');
    const report: EventReport = {
      type: 'event',
      height,
      block_hash: blockHash,
      brand,
      kind,
      event_type: toText(readMember(payload['event'], 'event_type')),
      decision: kind === 'decision' ? toText(type) : null,
      case_no: toText(readMember(decision, 'case_no')),
      recorded_at: toText(payload['recorded_at']),
      lots: this.#watched.lots.filter(
        (lot) => namesLot(payload, lot) || namesDecidedLot(decision, lot),
      ),
      corrects: typeof corrects === 'number' ? corrects : null,
    };
    return this.#isAsked(report) || kind === 'correction' ? report : undefined;
  }

  /**
   * Selects the reports that count from those of new blocks, in ascending order.
   * @param heights of blocks that were reported before
   */
  select(
    reports: readonly EventReport[],
    heights: readonly number[],
  ): { readonly events: readonly EventReport[]; readonly heights: readonly number[] } {
    const known = new Set(heights);
    const events = reports.filter((report) => {
      const { height, corrects } = report;
      if (!this.#isAsked(report) && (corrects === null || !known.has(corrects))) return false;
      if (report.kind === 'event') known.add(height);
      return true;
    });
    // Corrections of a watched brand are always reported; only lots need the heights.
    const kept = this.#watched.lots.length === 0 ? [] : [...known].slice(-WATCHED_HEIGHTS_MAX);
    return { events, heights: kept };
  }

  #isAsked({ brand, lots }: EventReport): boolean {
    return lots.length > 0 || this.#watched.brands.includes(brand);
  }
}

function isKind(text: unknown): text is EventReport['kind'] {
  return text === 'event' || text === 'correction' || text === 'decision';
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * Returns whether a block of a decision names a lot: a hold, a recall case with its scope, a drill. The block is of
 * another hub, so nothing of its form is assumed.
 */
function namesDecidedLot(decision: unknown, lotCode: string): boolean {
  if (!isObject(decision)) return false;
  const codes = [
    decision['lot'],
    readMember(decision['seed'], 'lot_code'),
    ...CODES.flatMap((name) => toItems(decision[name])),
    ...ROWS.flatMap((name) => toItems(decision[name]).map((row) => readMember(row, 'lot'))),
  ];
  // The block that discloses a confidential decision contains the whole of it.
  return codes.includes(lotCode) || namesDecidedLot(decision['contents'], lotCode);
}

/** Reads a member of an object; undefined for any other value. */
function readMember(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
