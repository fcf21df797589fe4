// The preview of a correction: old beside new values, the lots whose quantities change, the open cases that
// cover them, and the button that does it.
import { attribute, said } from '@lothub/design/desk-parts';
import type { FormValues } from '@lothub/design/form-values';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { CorrectionPreview, LotEffect } from '../../corrections/preview.ts';
import type { RecordedEvent } from '../../lots/chain/recorded-event.ts';
import { eventWords, fieldWords } from '../../web/labels.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { lotLink, lotStatusChip } from '../lots/lot-chips.ts';
import { casePagePath, eventPagePath } from '../paths.ts';
import { fieldValue } from './event-parts.ts';
import type { NamedCase } from './queries.ts';

export interface PreviewView {
  readonly brand: string;
  readonly event: RecordedEvent;
  readonly preview: CorrectionPreview;
  readonly cases: readonly NamedCase[];
  readonly reason: string;
  /** The values that the form sends again to do it. */
  readonly values: FormValues;
}

export function previewPage(view: PreviewView, reader: Reader): Html {
  const { brand, event, preview, reason, values } = view;
  const { events: words } = reader.words.console;
  const { height, payload } = event.block;
  const path = eventPagePath(brand, String(height));
  return headed({
    crumbs: [
      {
        href: path,
        label: html`${eventWords(payload.event.event_type, reader)} ·
        ${words.numbered(String(height))}`,
      },
    ],
    heading: words.previewTitle,
    summary: words.previewLead,
    body: html`<section class="card" aria-labelledby="changes-title">
        <h2 id="changes-title">${words.changes}</h2>
        ${rowsTable({
          caption: words.changes,
          head: [words.field, words.before, words.after],
          rows: preview.changes.map((change) => [
            fieldWords(change.field, reader),
            html`<del>${fieldValue(change.field, change.old_value, reader)}</del>`,
            html`<ins>${fieldValue(change.field, change.new_value, reader)}</ins>`,
          ]),
        })}
        <p>${words.reason}: ${said(reason)}</p>
      </section>
      ${lotsSection(view, reader)} ${casesSection(view, reader)}
      <form class="row" method="post" action="${path}/correct">
        ${Object.entries(values).map(
          ([name, value]) =>
            html`<input type="hidden" ${attribute('name', name)} value="${value}" />`,
        )}
        <button type="submit" name="step" value="confirm">${words.confirm}</button>
        <button class="quiet" type="submit" name="step" value="back">${words.back}</button>
      </form>`,
  });
}

function lotsSection({ brand, preview }: PreviewView, reader: Reader): Html {
  const { events: words } = reader.words.console;
  const rows = preview.lots.flatMap((lot) => listRows(lot));
  return html`<section class="card" aria-labelledby="lots-title">
    <h2 id="lots-title">${words.lotsTitle}</h2>
    ${
      rows.length === 0
        ? html`<p>${preview.more > 0 ? words.notCounted : words.noQuantities}</p>`
        : rowsTable({
            caption: words.lotsTitle,
            head: [words.lot, words.product, { number: words.before }, { number: words.after }],
            rows,
          })
    }
    ${
      preview.more > 0 && rows.length > 0
        ? html`<p class="hint">${words.moreLots(reader.formats.number(preview.more))}</p>`
        : ''
    }
    ${preview.changesLinks ? html`<p>${icon('mix')} ${words.linksChange}</p>` : ''}
  </section>`;

  function listRows(lot: LotEffect): readonly (readonly Html[])[] {
    const name = html`${lotLink(brand, lot.lotCode)}
    ${lot.isNew ? html`<span class="chip info">${words.newLot}</span>` : ''}
    ${
      lot.statusBefore === lot.statusAfter
        ? ''
        : html`<br />${lotStatusChip(lot.statusBefore, reader)} ${icon('next')}
            ${lotStatusChip(lot.statusAfter, reader)}`
    }`;
    if (lot.quantities.length === 0) {
      const same = html`<span class="muted">${words.sameQuantity}</span>`;
      return [[name, html`–`, same, same]];
    }
    return lot.quantities.map(({ productSku, unit, before, after }, index) => [
      index === 0 ? name : html`<span class="hidden">${said(lot.lotCode)}</span>`,
      said(productSku),
      html`${reader.formats.quantity(before, unit)}`,
      html`<b>${reader.formats.quantity(after, unit)}</b>${
          after.startsWith('-')
            ? html` <span class="bad">${icon('warning')}${words.overIssued}</span>`
            : ''
        }`,
    ]);
  }
}

function casesSection({ brand, cases, preview }: PreviewView, reader: Reader): Html {
  const { events: words } = reader.words.console;
  return html`<section class="card" aria-labelledby="cases-title">
    <h2 id="cases-title">${words.casesTitle}</h2>
    ${
      cases.length === 0
        ? html`<p>${words.noCases}</p>`
        : html`<p>${preview.changesLinks ? words.casesWiden : words.casesSame}</p>
            <ul>
              ${cases.map(
                ({ caseNo, title }) =>
                  html`<li>
                    <a href="${casePagePath(brand, caseNo)}">${caseNo}</a> ${said(title)}
                  </li>`,
              )}
            </ul>`
    }
  </section>`;
}
