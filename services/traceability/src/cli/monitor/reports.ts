// The reports of `lothub monitor`: the JSON of a line, and the same in words.
import { countText } from '@lothub/kit/cli/terminal';
import type { Contradiction, Outcome } from '@lothub/verify';

/** The vkey was taken from the hub itself, because nothing pins it. */
export interface TrustedReport {
  readonly type: 'trusted_on_first_use';
  readonly vkey: string;
}

/** A block about a watched lot or brand: an event, a decision, or a correction of one. */
export interface EventReport {
  readonly type: 'event';
  readonly height: number;
  readonly block_hash: string;
  readonly brand: string;
  readonly kind: 'event' | 'correction' | 'decision';
  /** The type of an event. */
  readonly event_type: string | null;
  /** The type of a decision, such as `hold`, `recall` or `brand`. */
  readonly decision: string | null;
  /** The recall case that a decision is about, if any. */
  readonly case_no: string | null;
  readonly recorded_at: string | null;
  /** The watched lots that the block names. */
  readonly lots: readonly string[];
  /** Height of the block that a correction corrects. */
  readonly corrects: number | null;
}

/** Something that an honest hub does not do. */
export interface FindingReport {
  readonly type: 'finding';
  readonly code: string;
  readonly height: number | null;
  readonly message: string;
  /** Two checkpoints that cannot both be true, each signed by the log: the proof. */
  readonly contradiction: Contradiction | null;
}

/** A text that must not be published any more; its entry is in the tree. */
export interface WithheldReport {
  readonly type: 'text_withheld';
  readonly height: number;
}

/** The log continued under another name. */
export interface EpochReport {
  readonly type: 'epoch';
  readonly old: string;
  readonly new: string;
  readonly reason: string;
  readonly at: string;
  readonly last_size: number;
  readonly common_size: number;
  /** The statement as it was signed. */
  readonly statement: string;
}

/** The progress of a pass. */
export interface PassReport {
  readonly type: 'pass';
  readonly source: string;
  readonly origin: string;
  /** Blocks under the checkpoint. */
  readonly size: number;
  /** Height of the first block that the pass read. */
  readonly from_height: number;
  /** Blocks that it read. */
  readonly blocks: number;
  /**
   * Number of these blocks that have a later format: only hash, link and canonical form were
   * judged.
   */
  readonly contents_not_judged: number;
  readonly withheld: number;
  readonly events: number;
  readonly findings: number;
  readonly signed_by: Exclude<Outcome['verdict'], 'refused'>;
  readonly elapsed_ms: number;
}

/** The hub could not be read; a monitor that continues tries again. */
export interface UnreadReport {
  readonly type: 'not_read';
  readonly code: string;
  readonly message: string;
}

export type MonitorReport =
  | TrustedReport
  | EventReport
  | FindingReport
  | WithheldReport
  | EpochReport
  | PassReport
  | UnreadReport;

/** A report as one or several lines for people. */
export function reportText(report: MonitorReport): string {
  switch (report.type) {
    case 'trusted_on_first_use':
      return (
        `Trusted on first use: ${report.vkey}\n` +
        'Nothing but the hub says that this is its key. Compare it with the one that the operator ' +
        'published elsewhere, and pin it by --vkey.'
      );
    case 'event':
      return eventText(report);
    case 'finding':
      return findingText(report);
    case 'text_withheld':
      return `Block ${report.height}: text withheld. Its entry is in the log.`;
    case 'epoch':
      return `The log ${report.old} goes on as ${report.new} (${report.reason}, ${report.at}), with ${report.common_size} of the ${report.last_size} entries that were signed.`;
    case 'pass':
      return passText(report);
    case 'not_read':
      return `Not read: ${report.message}`;
  }
}

function eventText(report: EventReport): string {
  const { height, brand, lots } = report;
  const what = describeReport(report);
  const about = lots.length === 0 ? '' : `, lot ${lots.join(', ')}`;
  return `Block ${height}: ${what} by ${brand}${about}, recorded ${report.recorded_at ?? 'at no known time'}`;
}

function describeReport(report: EventReport): string {
  switch (report.kind) {
    case 'event':
      return report.event_type ?? 'event';
    case 'correction':
      return `correction of block ${String(report.corrects)}`;
    case 'decision':
      return [report.decision, report.case_no].filter((word) => word !== null).join(' ');
  }
}

function findingText({ code, height, message, contradiction }: FindingReport): string {
  const place = height === null ? '' : `block ${height}, `;
  const notes =
    contradiction === null
      ? ''
      : `\nKept:\n${contradiction.kept}\nSeen:\n${contradiction.seen}\nKeep both: whoever has the key can check them.`;
  return `WRONG (${place}${code}): ${message}${notes}`;
}

function passText(report: PassReport): string {
  const signed =
    report.signed_by === 'operator_only' ? 'signed by the operator alone' : 'witnessed';
  const counts = [
    report.blocks === 0 ? 'no new block' : `${countText(report.blocks, 'new block')} read`,
    countText(report.events, 'watched event'),
    ...(report.withheld === 0 ? [] : [`${countText(report.withheld, 'text')} withheld`]),
    ...(report.contents_not_judged === 0
      ? []
      : [`contents not judged of ${countText(report.contents_not_judged, 'block')}`]),
    report.findings === 0 ? 'nothing wrong' : countText(report.findings, 'finding'),
  ];
  return `${report.origin}: ${countText(report.size, 'block')}, ${signed}; ${counts.join(', ')}.`;
}
