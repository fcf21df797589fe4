// Writes the report of `lothub verify --policy`, as JSON and as text.
import { countText } from '@lothub/kit/cli/terminal';
import type { Report } from '@lothub/verify';

/** The words of `lothub verify --policy --json`. */
export function policyJson(report: Report): object {
  const { outcome, sentence, steps, blocks, contradiction, lost } = report;
  return {
    ok: outcome.verdict !== 'refused',
    sentence,
    ...outcome,
    blocks: blocks.length,
    contents_not_judged: countUnjudged(report),
    steps: steps.map(({ name, isGood, text }) => ({ name, ok: isGood, text })),
    ...(lost === undefined ? {} : { lost }),
    ...(contradiction === undefined ? {} : { checkpoints: contradiction }),
  };
}

/** Steps, the verdict, and both checkpoints when they contradict each other. */
export function policyText(report: Report): string {
  const { steps, sentence, contradiction, lost } = report;
  const unjudged = countUnjudged(report);
  return [
    ...steps.map(({ isGood, text }) => `${isGood ? 'ok    ' : 'FAILED'} ${text}`),
    ...(unjudged === 0 ? [] : [`Contents not judged of ${countText(unjudged, 'block')}.`]),
    sentence,
    ...(lost === undefined
      ? []
      : [
          `LOST: entries of ${lost.origin} from ${lost.from} on, of ${lost.below} that were signed.`,
        ]),
    ...(contradiction === undefined
      ? []
      : [
          '',
          'Kept before:',
          '',
          contradiction.kept,
          'Shown now:',
          '',
          contradiction.seen.trimEnd(),
        ]),
  ].join('\n');
}

function countUnjudged({ blocks }: Report): number {
  return blocks.filter(({ contents }) => contents === 'not judged').length;
}
