// The posters of the events of a group: one row for each run of blocks that one caller posted, so
// that a batch and the single posts of a busy key cost one row.
import { classifyCaller, type Draft, type Submission } from '../draft.ts';
import { warningsText, type StoredWarning } from './find-posting.ts';
import type { PostingRow } from '../tables/postings.ts';

interface Run {
  readonly firstHeight: number;
  lastHeight: number;
  readonly tenantId: string;
  readonly actor: string;
  readonly came: PostingRow['came'];
  readonly warnings: StoredWarning[];
}

export class PostingRuns {
  #runs: Run[] = [];

  begin(): void {
    this.#runs = [];
  }

  add(height: number, { tenantId, caller }: Submission, { warnings }: Draft): void {
    const last = this.#runs.at(-1);
    const came = classifyCaller(caller);
    const stored = warnings.map(({ code, line }): StoredWarning => [height, code, line ?? null]);
    if (
      last !== undefined &&
      last.lastHeight === height - 1 &&
      last.tenantId === tenantId &&
      last.actor === caller.actor &&
      last.came === came
    ) {
      last.lastHeight = height;
      last.warnings.push(...stored);
      return;
    }
    this.#runs.push({
      ...{ firstHeight: height, lastHeight: height, tenantId, actor: caller.actor, came },
      warnings: stored,
    });
  }

  rows(): readonly PostingRow[] {
    return this.#runs.map(({ firstHeight, lastHeight, actor, came, warnings }) => ({
      first_height: firstHeight,
      last_height: lastHeight,
      ...{ actor, came },
      warnings: warningsText(warnings),
    }));
  }
}
