// Writes the report of `lothub verify` about a chain: as JSON, and in words.
import { systemClock } from '@lothub/kit/clock';
import { countText, tableText } from '@lothub/kit/cli/terminal';
import type { VerificationReport } from '../../ledger/operate/verify-database.ts';
import type { epochJson } from '../log/new-epoch.ts';
import type { ChainVerdict, Finding } from './judge-chain.ts';

/** The output of `--json`. */
export interface VerifyReport extends ChainVerdict {
  /** The log that was begun after one that cannot continue. */
  readonly new_epoch?: ReturnType<typeof epochJson>;
  readonly source: string;
  /** `links` for the hub of the settings when only hashes and links were judged. */
  readonly depth?: 'links';
  readonly alarms_cleared: number;
  readonly elapsed_ms: number;
}

export function localReport(report: VerificationReport, source: string): VerifyReport {
  return {
    ok: report.ok,
    source,
    ...(report.depth === 'links' ? { depth: 'links' } : {}),
    from_height: 0,
    blocks: report.blocks,
    contents_not_judged: report.contentsNotJudged,
    head: report.head,
    first_bad_height: report.firstBad,
    mismatch_count: report.mismatchCount,
    mismatches: report.mismatches,
    alarms_cleared: report.alarmsCleared,
    elapsed_ms: report.elapsedMs,
  };
}

export function finished(verdict: ChainVerdict, source: string, startedMs: number): VerifyReport {
  const elapsedMs = systemClock.nowMs() - startedMs;
  return { ...verdict, source, alarms_cleared: 0, elapsed_ms: elapsedMs };
}

export function chainText(report: VerifyReport): string {
  const { head, from_height: fromHeight } = report;
  if (!report.ok || head === null) return brokenText(report);
  const lines = [
    `The chain verifies: ${countText(report.blocks, 'block')}, height ${fromHeight} to ${head.height}.`,
    `Tip: ${head.height}:${head.hash}`,
  ];
  if (report.depth === 'links') {
    lines.push(
      'Hashes and links alone: contents and the rows beside the blocks were not compared, and no alarm is cleared.',
    );
  }
  if (report.contents_not_judged > 0) {
    lines.push(
      `Contents not judged of ${countText(report.contents_not_judged, 'block')} of a later format: ` +
        'hash and link are good.',
    );
  }
  if (fromHeight > 0) {
    lines.push(`It begins at height ${fromHeight}; nothing is proven of what came before.`);
  }
  if (report.alarms_cleared > 0) {
    lines.push(`${countText(report.alarms_cleared, 'alarm')} cleared.`);
  }
  return lines.join('\n');
}

function brokenText(report: VerifyReport): string {
  const rows = report.mismatches.map(({ height, code, message }: Finding) => [
    String(height),
    code,
    message,
  ]);
  const unlisted = report.mismatch_count - report.mismatches.length;
  return [
    `THE CHAIN DOES NOT VERIFY. First bad height: ${report.first_bad_height ?? 'unknown'}.`,
    '',
    tableText(['height', 'code', 'what is wrong'], rows),
    ...(unlisted > 0 ? [`and ${countText(unlisted, 'more finding')}`] : []),
    '',
    'What to do: docs/operating.md, "When the chain does not verify".',
  ].join('\n');
}
