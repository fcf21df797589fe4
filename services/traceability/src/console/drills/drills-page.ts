// Drills of a brand: a form that starts one, how long ago the last one was, and those that were made.
import { actionButton, emptyNote, field, moreLink, said } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { CODE_MAX, TEXT_MAX } from '../../ledger/record/fields.ts';
import type { Drill } from '../../recall/drill/schema.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { moment, renderProblem } from '../parts.ts';
import { brandPath, drillPagePath } from '../paths.ts';
import { addressWith } from '../filters.ts';

const MS_PER_SECOND = 1_000;

export interface DrillsView {
  readonly brand: string;
  readonly drills: readonly Drill[];
  /** The cursor of the older ones. */
  readonly next: number | null;
  /** Whole days; null when there was no drill. */
  readonly daysSinceLast: number | null;
  readonly mayStart: boolean;
  readonly form: FormState;
  /** The suppliers that the requested lot may belong to. */
  readonly suppliers: readonly string[];
}

export function drillsPage(view: DrillsView, reader: Reader): Html {
  const { brand, daysSinceLast } = view;
  const { drills: words, cases } = reader.words.console;
  return headed({
    crumbs: [{ href: brandPath(brand, 'recalls'), label: cases.title }],
    heading: words.title,
    summary: words.lead,
    body: html`${
      daysSinceLast === null
        ? ''
        : html`<p class="lead">${words.sinceLast(reader.formats.number(daysSinceLast))}</p>`
    }
    ${view.mayStart ? startSection(view, reader) : ''} ${listSection(view, reader)}`,
  });
}

function startSection({ brand, form, suppliers }: DrillsView, reader: Reader): Html {
  const { drills: words } = reader.words.console;
  const action = brandPath(brand, 'drills');
  const typed = form.values['lot_code'] ?? '';
  return html`<section class="card" aria-labelledby="start-title">
    <h2 id="start-title">${words.start}</h2>
    ${renderProblem(form, reader)}
    ${
      suppliers.length === 0
        ? ''
        : html`<p>${words.choose}</p>
            <div class="simulation-choices">
              ${suppliers.map((supplier) =>
                actionButton({
                  action,
                  label: supplier,
                  fields: { lot_code: typed, supplier_name: supplier },
                }),
              )}
            </div>`
    }
    <form method="post" action="${action}">
      <div class="simulation-fields">
        ${field({
          name: 'lot_code',
          label: words.lot,
          form,
          hint: words.lotHint,
          maxLength: CODE_MAX,
        })}
        ${field({
          name: 'supplier_name',
          label: words.supplier,
          form,
          hint: words.supplierHint,
          maxLength: TEXT_MAX,
        })}
      </div>
      <button type="submit">${icon('clock')}${words.run}</button>
    </form>
  </section>`;
}

function listSection({ brand, drills, next, mayStart }: DrillsView, reader: Reader): Html {
  const { drills: words } = reader.words.console;
  const older =
    next === null ? undefined : addressWith(brandPath(brand, 'drills'), { before: next });
  return html`<section class="card" aria-labelledby="list-title">
    <h2 id="list-title">${words.listTitle}</h2>
    ${
      drills.length === 0
        ? emptyNote(mayStart ? words.never : words.neverSeen)
        : rowsTable({
            caption: words.listTitle,
            head: [
              words.drill,
              words.when,
              words.lot,
              { number: words.lots },
              { number: words.took },
              { number: words.accounted },
              words.by,
            ],
            rows: drills.map((drill) => [
              html`<a href="${drillPagePath(brand, drill.id)}"
                ><span class="hidden">${words.drill} </span>${String(drill.id)}</a
              >`,
              moment(drill.drilled_at, reader),
              html`<span class="code">${said(drill.lot_code)}</span>`,
              reader.formats.number(drill.result.lots),
              briefSeconds(drill, reader),
              accountedText(drill, reader),
              said(drill.drilled_by),
            ]),
          })
    }
    ${moreLink(older, words.older)}
  </section>`;
}

export function secondsText({ elapsed_ms: ms }: Pick<Drill, 'elapsed_ms'>, reader: Reader): string {
  return reader.words.console.drills.seconds(reader.formats.number(ms / MS_PER_SECOND));
}

/** Digits of a duration in the list; the certificate has all of them. */
const BRIEF_DIGITS = 3;

function briefSeconds({ elapsed_ms: ms }: Drill, { formats }: Reader): string {
  return formats.quantity(Number((ms / MS_PER_SECOND).toPrecision(BRIEF_DIGITS)), 's');
}

/** Writes the smallest and the largest share that is accounted for, of all products and units. */
function accountedText({ result }: Drill, { words, formats }: Reader): string {
  const { percent, nothingCame, accountedRange } = words.console.drills;
  const parts = result.balance.flatMap(({ accounted_percent: part }) => part ?? []);
  if (parts.length === 0) return nothingCame;
  const [lowest, highest] = [Math.min(...parts), Math.max(...parts)].map((part) =>
    percent(formats.number(part)),
  );
  if (lowest === undefined || highest === undefined || lowest === highest) return lowest ?? '';
  return accountedRange(lowest, highest);
}
