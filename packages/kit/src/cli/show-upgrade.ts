// Shows the progress of an upgrade on the terminal: a sentence when it begins, then the percentage.
import { systemClock } from '../clock.ts';
import type { UpgradeProgress } from '../upgrade.ts';
import type { Progress, ProgressOptions } from './progress.ts';
import { note, type Output } from './terminal.ts';

const SENTENCES: Readonly<Record<UpgradeProgress['step'], string>> = {
  schema: 'Upgrading: the database of an older version gets the tables of this one.',
  rows:
    'Upgrading: rows that an older version derived are made anew. Until that is done nothing is written, ' +
    'and most reads are refused; /health says how far it is. It may be stopped: the next start begins again.',
  decisions:
    'Upgrading: what was decided before is sealed. Until that is done nothing else is written, and most ' +
    'reads are refused; /health says how far it is. It may be stopped: the next start goes on.',
};

const UNITS = { rows: 'blocks', decisions: 'rows' } as const;

export interface ShownUpgrade extends Disposable {
  readonly update: (progress: UpgradeProgress) => void;
}

export function showUpgrade(output: Output): ShownUpgrade {
  const begun = new Set<UpgradeProgress['step']>();
  let shown: { readonly step: keyof typeof UNITS; readonly progress: LaterProgress } | undefined;
  return {
    update: (progress) => {
      const { step } = progress;
      if (!begun.has(step)) note(output, SENTENCES[step]);
      begun.add(step);
      if (step === 'schema' || progress.place === undefined) return;
      if (shown?.step !== step) {
        shown?.progress[Symbol.dispose]();
        const unit = UNITS[step];
        shown = {
          step,
          progress: new LaterProgress(output, { label: 'upgrading', unit, clock: systemClock }),
        };
      }
      shown.progress.update(progress.place.done, progress.place.total);
    },
    [Symbol.dispose]: () => shown?.progress[Symbol.dispose](),
  };
}

/** Loads what shows progress when there is some: its 17 modules are not loaded by a start that upgrades nothing. */
class LaterProgress implements Progress {
  #progress: Progress | undefined;
  #isEnded = false;

  constructor(output: Output, options: ProgressOptions) {
    void this.#load(output, options);
  }

  update(done: number, total: number): void {
    this.#progress?.update(done, total);
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#progress?.[Symbol.dispose]();
  }

  async #load(output: Output, options: ProgressOptions): Promise<void> {
    const { showProgress } = await import('./progress.ts');
    if (!this.#isEnded) this.#progress = showProgress(output, options);
  }
}
