// Suppliers: which name stands for which brand of the hub, and those that the newest receipts name and nobody has
// linked.
import { actionButton, choice, emptyNote, field, moreLink, said } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import { LINE_FIELDS } from '../../../ledger/record/fields.ts';
import type { SupplierLink } from '../../../suppliers/links.ts';
import { BRAND_MAX, code } from '../../../web/fragments.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { askedBefore, day, renderProblem } from '../../parts.ts';
import { roomPage, unnamedFold, type RoomView } from '../room.ts';
import { term } from '../../help/terms.ts';

const OFFERED_MAX = 100;

/** A brand of the hub that may be linked. */
export interface LinkableBrand {
  readonly id: string;
  readonly name: string | undefined;
}

export interface SuppliersView extends RoomView {
  readonly path: string;
  readonly mayEdit: boolean;
  readonly links: readonly SupplierLink[];
  readonly next: string | null;
  /** Filled for people who may link them. */
  readonly unlinked: readonly string[];
  /** Undefined: the hub has too many of them to choose from. */
  readonly brands: readonly LinkableBrand[] | undefined;
  readonly form: FormState;
}

export function suppliersPage(view: SuppliersView, reader: Reader): Html {
  const { suppliers: words } = reader.words.console.profile;
  const { path, mayEdit, unlinked } = view;
  const offered = unnamedFold(
    unlinked,
    {
      heading: words.offered,
      one: words.offeredOne,
      lead: words.offeredLead,
      buildPath: (name) => `${path}?${new URLSearchParams({ name }).toString()}#link`,
      shownMax: OFFERED_MAX,
      isOpen: view.links.length === 0,
    },
    reader,
  );
  const body = html`${offered} ${listSection(view, reader)}
  ${mayEdit ? linkSection(view, reader) : ''}`;
  return roomPage(view, { current: 'suppliers', lead: words.lead, body }, reader);
}

function listSection({ links, next, path, mayEdit }: SuppliersView, reader: Reader): Html {
  const { profile, form } = reader.words.console;
  const { suppliers: words } = profile;
  const further = next === null ? undefined : new URLSearchParams({ after: next });
  return html`<section class="card" aria-label="${profile.tabs.suppliers}">
    ${
      links.length === 0
        ? emptyNote(words.none)
        : rowsTable({
            caption: profile.tabs.suppliers,
            head: [words.name, words.brand, words.since, ...(mayEdit ? [form.actions] : [])],
            rows: links.map(({ name, brand, brandName, linkedAt }) => [
              said(name),
              html`${said(brandName)} ${brandName === brand ? '' : code(brand)}`,
              day(linkedAt, reader),
              ...(mayEdit ? [unlinking(name, path, reader)] : []),
            ]),
          })
    }
    ${moreLink(further === undefined ? undefined : `${path}?${further.toString()}`, form.more)}
    <p class="hint">${words.notPublic}</p>
  </section>`;
}

function unlinking(name: string, path: string, reader: Reader): Html {
  const { suppliers: words } = reader.words.console.profile;
  return askedBefore({
    label: words.unlink,
    about: name,
    advice: words.unlinkAdvice(said(name)),
    form: actionButton({
      action: `${path}/unlink`,
      label: words.unlinkNow,
      about: name,
      kind: 'danger',
      fields: { name },
    }),
  });
}

function linkSection({ path, form, brands }: SuppliersView, reader: Reader): Html {
  const { suppliers: words } = reader.words.console.profile;
  return html`<section class="card" id="link" aria-labelledby="link-title">
    <h2 id="link-title">${term('linkOfSupplier', reader, words.linkTitle)}</h2>
    ${renderProblem(form, reader)}
    <form method="post" action="${path}#link">
      ${field({
        name: 'name',
        label: words.name,
        form,
        hint: words.nameHint,
        required: true,
        maxLength: LINE_FIELDS.supplier_name.charsMax,
      })}
      ${
        brands === undefined
          ? field({
              name: 'brand',
              label: words.brand,
              form,
              hint: words.brandHint,
              required: true,
              maxLength: BRAND_MAX,
            })
          : choice({
              name: 'brand',
              label: words.brand,
              form,
              choices: [
                { value: '', label: words.choose },
                ...brands.map(({ id, name }) => ({
                  value: id,
                  label: name === undefined ? id : `${name} (${id})`,
                })),
              ],
            })
      }
      <button type="submit">${words.link}</button>
    </form>
  </section>`;
}
