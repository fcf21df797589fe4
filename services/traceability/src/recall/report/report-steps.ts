// The section of a report on the blocks that the steps of its case are sealed in.
import { html, type Html } from '@lothub/kit/html';
import { blockPath, code, hash } from '../../web/fragments.ts';
import type { BlockPlace, CaseReport, ReportStep } from './case-report.ts';
import { count, formatTotal, listTable, minute, plural, words } from './report-fragments.ts';
import type { Part } from './report-fragments.ts';

export function stepSection(report: CaseReport): Part {
  const { hub, caseNo } = report;
  return [
    html`<p>
      Each step of the case is sealed in blocks of the chain, public except for persons, notes and
      recipients, of which the chain holds commitments. The last section says how to check a block;
      its proof in the hub’s public log is linked from its page.
    </p>`,
    listTable(report.steps, {
      caption: `Steps of the case, as sealed (${formatTotal(report.steps)}), oldest first`,
      columns: [
        { head: 'Decided', share: 17 },
        { head: 'Step', share: 39 },
        { head: 'Block and its hash (SHA-256)', share: 44 },
      ],
      row: (step) => [minute(step.at), words(step.summary), renderBlocks(report, step)],
      none: 'This case was opened before the hub sealed steps.',
      rest: html`All steps: ${code(`${hub.publicUrl}/public/notices/${caseNo}/history`)}.`,
    }),
  ];
}

/** The first block of a step; further blocks are folded. */
function renderBlocks(report: CaseReport, { blocks: [first, ...others] }: ReportStep): Html {
  if (others.length === 0) return place(report, first);
  return html`${place(report, first)}
    <details>
      <summary>${plural(others.length, 'further part', 'further parts')}</summary>
      ${others.map((one) => html`<div>${place(report, one)}</div>`)}
    </details>`;
}

function place({ hub }: CaseReport, { height, hash: digest }: BlockPlace): Html {
  return html`<a href="${hub.publicUrl}${blockPath(height)}">${count(height)}</a> ${hash(digest)}`;
}
