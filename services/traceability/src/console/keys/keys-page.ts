// The keys of a brand: those that are valid with what may be done with them, those that ended, and a form for
// a new one.
import { actionButton, choice, emptyNote, field, moreLink, said } from '@lothub/design/desk-parts';
import type { FormState } from '@lothub/design/desk-parts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { BrandKey, BrandKeys } from '../../keys/brand-keys.ts';
import { LABEL_MAX } from '../../keys/key-label.ts';
import { KEY_LIMITS } from '../../ledger/tables/off-chain.ts';
import type { Reader } from '../../web/words/reader.ts';
import { headed } from '../frame.ts';
import { askedBefore, day, issued, moment, renderProblem } from '../parts.ts';
import { term } from '../help/terms.ts';

export interface KeysView {
  /** Address of the page. */
  readonly path: string;
  readonly brand: string;
  readonly name: string;
  readonly publicUrl: string;
  readonly keys: BrandKeys;
  /** A key that was just made, and whether it replaces another one. */
  readonly made: { readonly key: string; readonly isInPlace: boolean } | undefined;
  readonly form: FormState;
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

export function keysPage(view: KeysView, reader: Reader): Html {
  const { name, done, problem } = view;
  const { keys: words } = reader.words.console;
  return headed({
    heading: term('tenantKey', reader, words.title),
    summary: html`${said(name)} · ${words.lead}`,
    done,
    problem,
    body: html`${madeKey(view, reader)} ${activeSection(view, reader)} ${makeSection(view, reader)}
    ${endedSection(view, reader)}`,
  });
}

function madeKey({ made, brand, publicUrl }: KeysView, reader: Reader): Html {
  const { keys: words } = reader.words.console;
  if (made === undefined) return html``;
  const { key, isInPlace } = made;
  const command = `curl '${publicUrl}/v1/lots' \\\n  -H 'X-Api-Key: ${key}' \\\n  -H 'X-Tenant-Id: ${brand}'`;
  return issued(
    {
      said: isInPlace ? words.rotated : words.issued,
      secrets: [
        { id: 'issued-key', label: words.key, secret: key },
        { id: 'issued-command', label: words.tryIt, secret: command },
      ],
    },
    reader,
  );
}

function activeSection(view: KeysView, reader: Reader): Html {
  const { keys: words, form } = reader.words.console;
  const { active } = view.keys;
  return html`<section class="card" aria-label="${words.title}">
    ${
      active.length === 0
        ? emptyNote(words.none)
        : rowsTable({
            caption: words.title,
            head: [words.label, words.limit, words.made, words.lastUse, words.state, form.actions],
            rows: active.map((key) => [
              said(key.label),
              words.limits[key.limitedTo],
              day(key.createdAt, reader),
              lastUse(key, reader),
              renderState(key, reader),
              actions(key, view, reader),
            ]),
          })
    }
  </section>`;
}

function actions(key: BrandKey, { path }: KeysView, reader: Reader): Html {
  const { keys: words } = reader.words.console;
  const base = `${path}/${key.keyId}`;
  // A key that ends by itself has been replaced already.
  const replace =
    key.expiresAt !== null
      ? ''
      : askedBefore({
          label: words.rotate,
          about: key.label,
          advice: words.rotateAdvice,
          form: actionButton({
            action: `${base}/rotate`,
            label: words.rotateNow,
            about: key.label,
          }),
        });
  return html`${replace}
  ${askedBefore({
    label: words.revoke,
    about: key.label,
    advice: words.revokeAdvice(said(key.label)),
    form: actionButton({
      action: `${base}/revoke`,
      label: words.revokeNow,
      about: key.label,
      kind: 'danger',
    }),
  })}`;
}

function makeSection({ path, form }: KeysView, reader: Reader): Html {
  const { keys: words } = reader.words.console;
  return html`<section class="card" id="make" aria-labelledby="make-title">
    <h2 id="make-title">${words.makeTitle}</h2>
    ${renderProblem(form, reader)}
    <form method="post" action="${path}">
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
        name: 'limit',
        label: words.limit,
        form,
        scope: 'key',
        choices: KEY_LIMITS.map((limit) => ({ value: limit, label: words.limits[limit] })),
      })}
      <button type="submit">${words.make}</button>
    </form>
  </section>`;
}

function endedSection({ path, keys }: KeysView, reader: Reader): Html {
  const { keys: words, form } = reader.words.console;
  if (keys.ended.length === 0) return html``;
  const next = keys.next === null ? undefined : new URLSearchParams({ before: keys.next });
  return html`<section class="card" aria-labelledby="ended-title">
    <h2 id="ended-title">${words.ended}</h2>
    ${rowsTable({
      caption: words.ended,
      head: [words.label, words.limit, words.made, words.lastUse, words.state],
      rows: keys.ended.map((key) => [
        said(key.label),
        words.limits[key.limitedTo],
        day(key.createdAt, reader),
        lastUse(key, reader),
        renderState(key, reader),
      ]),
    })}
    ${moreLink(next === undefined ? undefined : `${path}?${next.toString()}`, form.more)}
  </section>`;
}

function lastUse({ lastUsedAt }: BrandKey, reader: Reader): Html {
  const { never } = reader.words.console.keys;
  return lastUsedAt === null ? html`${never}` : moment(lastUsedAt, reader);
}

function renderState({ state, expiresAt, revokedAt }: BrandKey, reader: Reader): Html {
  const { keys: words } = reader.words.console;
  if (state === 'revoked') {
    return html`<span class="chip bad">${words.revoked}</span>
      ${revokedAt === null ? '' : moment(revokedAt, reader)}`;
  }
  if (expiresAt === null) return html`<span class="chip good">${words.active}</span>`;
  return html`<span class="chip warn">${words.endsAt(moment(expiresAt, reader))}</span>`;
}
