// The keys of the hub: what each opens, what it may do, when it was used last, and a form for a new one.
import { actionButton, choice, emptyNote, field, moreLink, said } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { HUB_KEY_KINDS, type HubKey, type HubKeys } from '../../../keys/hub-keys.ts';
import { LABEL_MAX } from '../../../keys/key-label.ts';
import { BRAND_MAX, code } from '../../../web/fragments.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { addressWith, filterBar } from '../../filters.ts';
import { headed } from '../../frame.ts';
import { askedBefore, day, issued, moment, renderProblem } from '../../parts.ts';
import { HUB_KEYS } from '../../paths.ts';
import { term } from '../../help/terms.ts';

export interface HubKeysView {
  readonly keys: HubKeys;
  /** The brand whose keys are listed; undefined: all keys. */
  readonly brand: string | undefined;
  /** A key that was just made, and whether it replaces another one. */
  readonly made: { readonly key: string; readonly isInPlace: boolean } | undefined;
  readonly form: FormState;
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function hubKeysPage(view: HubKeysView, reader: Reader): Html {
  const { hubKeys: words } = reader.words.console.operator;
  return headed({
    heading: term('tenantKey', reader, words.title),
    summary: words.lead,
    done: view.done,
    problem: view.problem,
    body: html`${madeKey(view, reader)} ${listSection(view, reader)} ${makeSection(view, reader)}`,
  });
}

function madeKey({ made }: HubKeysView, reader: Reader): Html {
  const { keys: words } = reader.words.console;
  if (made === undefined) return html``;
  return issued(
    {
      said: made.isInPlace ? words.rotated : words.issued,
      secrets: [{ id: 'issued-key', label: words.key, secret: made.key }],
    },
    reader,
  );
}

function listSection({ keys, brand }: HubKeysView, reader: Reader): Html {
  const { keys: words, form, operator } = reader.words.console;
  const { hubKeys } = operator;
  return html`<section class="card" aria-label="${hubKeys.title}">
    ${filterBar({
      action: HUB_KEYS,
      fields: [{ name: 'brand', label: hubKeys.brand, value: brand, maxLength: BRAND_MAX }],
      reader,
    })}
    ${
      keys.items.length === 0
        ? emptyNote(hubKeys.noneFound)
        : rowsTable({
            caption: hubKeys.title,
            head: [
              words.label,
              hubKeys.opens,
              words.limit,
              words.made,
              words.lastUse,
              words.state,
              form.actions,
            ],
            rows: keys.items.map((key) => [
              said(key.label),
              renderOpens(key, reader),
              words.limits[key.limitedTo],
              day(key.createdAt, reader),
              key.lastUsedAt === null ? words.never : moment(key.lastUsedAt, reader),
              renderState(key, reader),
              key.state === 'active' ? actions(key, reader) : null,
            ]),
          })
    }
    ${moreLink(
      keys.next === null ? undefined : addressWith(HUB_KEYS, { brand, before: keys.next }),
      form.more,
    )}
  </section>`;
}

function renderOpens({ role, tenantId, writers }: HubKey, reader: Reader): HtmlValue {
  const { hubKeys: words } = reader.words.console.operator;
  if (role === 'admin') return words.admin;
  if (tenantId !== null) return code(tenantId);
  // Several writers are shown, because the page of the state of the hub warns of them.
  return writers.length > 1
    ? html`${words.anyBrand}<br /><small class="muted"
          >${writers.map((one) => html`${code(one)} `)}</small
        >`
    : words.anyBrand;
}

function renderState(key: HubKey, reader: Reader): Html {
  const { keys: words, operator } = reader.words.console;
  const { state, expiresAt, revokedAt } = key;
  if (state === 'revoked') {
    return html`<span class="chip bad">${words.revoked}</span>
      ${revokedAt === null ? '' : moment(revokedAt, reader)}`;
  }
  if (expiresAt === null) return html`<span class="chip good">${words.active}</span>`;
  return state === 'expired'
    ? html`<span class="chip">${operator.hubKeys.ended}</span> ${moment(expiresAt, reader)}`
    : html`<span class="chip warn">${words.endsAt(moment(expiresAt, reader))}</span>`;
}

function actions(key: HubKey, reader: Reader): Html {
  const { keys: words, operator } = reader.words.console;
  const { label: about, isOfSettings } = key;
  const base = `${HUB_KEYS}/${key.keyId}`;
  // A key that ends by itself has been replaced already.
  const replace =
    key.expiresAt !== null || !key.mayRotate
      ? ''
      : askedBefore({
          label: words.rotate,
          about,
          advice: words.rotateAdvice,
          form: actionButton({ action: `${base}/rotate`, label: words.rotateNow, about }),
        });
  const setting = key.role === 'admin' ? 'ADMIN_API_KEY' : 'TENANT_API_KEY';
  return html`${replace}
  ${askedBefore({
    label: words.revoke,
    about,
    advice: html`${words.revokeAdvice(said(about))}
    ${isOfSettings ? operator.hubKeys.ofSettings(html`<code>${setting}</code>`) : ''}`,
    form: actionButton({
      action: `${base}/revoke`,
      label: words.revokeNow,
      about,
      kind: 'danger',
    }),
  })}`;
}

function makeSection({ form }: HubKeysView, reader: Reader): Html {
  const { keys: words, operator } = reader.words.console;
  const { hubKeys } = operator;
  return html`<section class="card" id="make" aria-labelledby="make-title">
    <h2 id="make-title">${words.makeTitle}</h2>
    <p class="hint">${hubKeys.makeLead}</p>
    ${renderProblem(form, reader)}
    <form method="post" action="${HUB_KEYS}#make">
      ${field({
        name: 'label',
        label: words.label,
        form,
        hint: words.labelHint,
        required: true,
        maxLength: LABEL_MAX,
        scope: 'key',
      })}
      ${choice({
        name: 'kind',
        label: hubKeys.opens,
        form,
        scope: 'key',
        choices: HUB_KEY_KINDS.map((kind) => ({ value: kind, label: hubKeys.kinds[kind] })),
      })}
      ${field({
        name: 'brand',
        label: hubKeys.brand,
        form,
        hint: hubKeys.brandHint,
        maxLength: BRAND_MAX,
        scope: 'key',
      })}
      <button type="submit">${words.make}</button>
    </form>
  </section>`;
}
