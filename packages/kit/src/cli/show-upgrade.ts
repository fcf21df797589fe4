// The progress of an upgrade for whoever watches the console: a sentence when it begins, then how far it is.
import { systemClock } from '../clock.ts';
import type { UpgradeProgress } from '../upgrade.ts';
import { showProgress } from './progress.ts';
import { note } from './terminal.ts';
import type { Output } from './terminal.ts';

const SENTENCES: Readonly<Record<UpgradeProgress['step'], string>> = {
  schema: 'Upgrading: the database of an older version gets the tables of this one.',
  rows:
    'Upgrading: rows that an older version derived are made anew. Until that is done nothing is written, ' +
    'and most reads are refused; /health says how far it is. It may be stopped: the next start begins again.',
};

export interface ShownUpgrade extends Disposable {
  readonly update: (progress: UpgradeProgress) => void;
}

export function showUpgrade(output: Output): ShownUpgrade {
  const shown = showProgress(output, { label: 'upgrading', unit: 'blocks', clock: systemClock });
  const begun = new Set<UpgradeProgress['step']>();
  return {
    update: (progress) => {
      if (!begun.has(progress.step)) note(output, SENTENCES[progress.step]);
      begun.add(progress.step);
      if (progress.step === 'schema' || progress.place === undefined) return;
      shown.update(progress.place.done, progress.place.total);
    },
    [Symbol.dispose]: () => shown[Symbol.dispose](),
  };
}
