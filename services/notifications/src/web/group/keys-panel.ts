// Keys of a group and tokens of its senders on its settings: issued, shown once with a command or a
// configuration that is ready to be used, changed, rotated and revoked.
import { writeConfiguration } from '../../adapters/configuration.ts';
import { SENDERS } from '../../adapters/senders/senders.ts';
import { ADAPTERS, choosePrefix, type Adapter } from '../../keys/key-prefix.ts';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { Group } from '../../groups/groups.ts';
import type { IssuedKey, Key } from '../../keys/keys.ts';
import { NAME_MAX } from '@lothub/kit/http/schemas/name-pattern';
import { renderTime } from '../browser/notification-item.ts';
import {
  actionButton,
  choice,
  emptyNote,
  EMPTY_FORM,
  field,
  message,
  moreLink,
  renderProblem,
} from '../fragments.ts';
import { said, shownOnce } from '../fragments.ts';
import type { FormState } from '../fragments.ts';
import { groupPath } from './frame.ts';

export interface KeysView {
  readonly items: readonly Key[];
  readonly next: string | null;
  readonly form: FormState;
  /** A key that was made just now. */
  readonly issued: IssuedKey | undefined;
  /** As programs reach the service. */
  readonly publicUrl: string;
}

/** What a key is for: all else, or one sender in its own form. */
const USES = [
  { value: '', label: 'Any program' },
  ...ADAPTERS.map((adapter) => ({ value: adapter, label: SENDERS[adapter].name })),
];

/** How long the old key is valid after a rotation. */
const OVERLAPS: readonly (readonly [hours: number, label: string])[] = [
  [24, 'for a day'],
  [168, 'for 7 days'],
  [0, 'no longer'],
];

export function keysPanel(group: Group, view: KeysView): Html {
  const path = `${groupPath(group.id, 'settings')}/keys`;
  return html`<section class="card" id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <p class="hint">
      A key posts into this group and can do nothing else. Give each system one of its own, so that
      the inbox says who sent what. Alertmanager, Grafana, GitHub, CloudEvents and what was made for
      Slack post in their own form: choose them, and what they need is shown with the key.
    </p>
    ${view.issued === undefined ? '' : issuedKey(group, view.issued, view.publicUrl)}
    ${
      view.items.length === 0
        ? emptyNote('There is no key yet.')
        : rowsTable({
            caption: 'Keys of this group',
            head: ['Name', 'State', 'Last used', 'Ends', 'Actions'],
            rows: view.items.map((key) => keyRow(key, path)),
          })
    }
    ${moreLink(
      view.next === null
        ? undefined
        : `?${new URLSearchParams({ keys_after: view.next }).toString()}#keys`,
    )}
    <h3>New key</h3>
    ${renderProblem(view.form)}
    <form method="post" action="${path}#keys">
      <div class="fields">
        ${field({
          name: 'name',
          label: 'Who posts with it',
          form: view.form,
          required: true,
          maxLength: NAME_MAX,
          scope: 'key',
        })}
        ${choice({
          name: 'adapter',
          label: 'What sends',
          form: view.form,
          choices: USES,
          scope: 'key',
        })}
        ${field({
          name: 'expires_at',
          label: 'Ends after (optional)',
          type: 'date',
          form: view.form,
          scope: 'key',
        })}
        <button type="submit">Issue a key</button>
      </div>
    </form>
  </section>`;
}

function issuedKey(group: Group, issued: IssuedKey, publicUrl: string): Html {
  return html`<div class="issued">
    ${message(
      'good',
      html`The key ${said(issued.name)} is made. It is shown this once: copy it now.`,
    )}
    ${shownOnce({ id: 'issued-key', label: 'Key', secret: issued.key })}
    ${issued.adapter === undefined ? commandToTry(issued, publicUrl) : forSender(issued, issued.adapter, publicUrl)}
    ${actionButton({
      action: `${groupPath(group.id, 'settings')}/test`,
      label: 'Send a test notification from here',
      kind: 'plain',
    })}
  </div>`;
}

function commandToTry({ key }: IssuedKey, publicUrl: string): Html {
  return shownOnce({
    id: 'issued-command',
    label: 'Try it from a terminal',
    secret: commandWith(key, publicUrl),
  });
}

function forSender({ id, key: token }: IssuedKey, adapter: Adapter, publicUrl: string): Html {
  return shownOnce({
    id: 'issued-configuration',
    label: CONFIGURATION_LABELS[adapter],
    secret: writeConfiguration(adapter, { id, token }, publicUrl),
  });
}

const CONFIGURATION_LABELS: Readonly<Record<Adapter, string>> = {
  alertmanager: 'For the configuration of Alertmanager',
  grafana: 'For a contact point of Grafana',
  github: 'For a new webhook on GitHub',
  cloudevents: 'Try it from a terminal',
  slack: 'In place of the address of a Slack webhook',
};

/** Writes a command that posts to the interface; nothing in it needs escaping for a shell. */
export function commandWith(key: string, publicUrl: string): string {
  return [
    `curl -X POST '${publicUrl}/api/v1/ingest' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -H 'X-Api-Key: ${key}' \\`,
    `  -d '{"command": "notify", "title": "It works", "severity": "info"}'`,
  ].join('\n');
}

function keyRow(key: Key, path: string): readonly HtmlValue[] {
  const isActive = key.state === 'active';
  return [
    html`${said(key.name)} ${renderUse(key)}
      <code class="id">${choosePrefix(key.adapter ?? null)}${key.id}…</code>`,
    stateTag(key),
    key.last_used_at === null ? 'Never' : renderTime(key.last_used_at, 'ago'),
    key.expires_at === null ? 'Never' : renderTime(key.expires_at),
    isActive ? keyActions(key, `${path}/${key.id}`) : '',
  ];
}

function renderUse({ adapter }: Key): HtmlValue {
  return adapter === undefined ? '' : html`<span class="chip">${SENDERS[adapter].name}</span>`;
}

function stateTag(key: Key): Html {
  if (key.state === 'revoked') return html`<span class="chip bad">Revoked</span>`;
  if (key.state === 'expired') return html`<span class="chip">Ended</span>`;
  return key.rotated_to === null
    ? html`<span class="chip good">Active</span>`
    : html`<span class="chip warn">Being replaced</span>`;
}

function keyActions(key: Key, path: string): Html {
  const about = `key ${key.name}`;
  return html`<div class="row-actions">
    ${actionButton({
      action: `${path}/revoke`,
      label: 'Revoke',
      about,
      kind: 'danger',
      confirm: `Revoke the key "${key.name}"? Posts with it are refused at once.`,
    })}
    <details class="edit">
      <summary>Change or rotate<span class="hidden"> ${about}</span></summary>
      ${changeForm(key, path)} ${key.rotated_to === null ? rotationForm(key, path) : ''}
    </details>
  </div>`;
}

function changeForm(key: Key, path: string): Html {
  const scope = `key-${key.id}`;
  return html`<form method="post" action="${path}">
    ${field({
      name: 'name',
      label: 'Name',
      form: EMPTY_FORM,
      value: key.name,
      required: true,
      maxLength: NAME_MAX,
      scope,
    })}
    ${
      key.rotated_to === null
        ? field({
            name: 'expires_at',
            label: 'Ends after (empty: never)',
            type: 'date',
            form: EMPTY_FORM,
            value: key.expires_at?.slice(0, 'YYYY-MM-DD'.length) ?? '',
            scope,
          })
        : ''
    }
    <button type="submit">Save</button>
  </form>`;
}

function rotationForm(key: Key, path: string): Html {
  return html`<form method="post" action="${path}/rotate#keys">
    ${choice({
      name: 'overlap_hours',
      label: 'Put a new key in its place; the old one still works',
      form: EMPTY_FORM,
      choices: OVERLAPS.map(([hours, label]) => ({ value: String(hours), label })),
      scope: `key-${key.id}`,
    })}
    <button class="quiet" type="submit">Rotate<span class="hidden"> key ${key.name}</span></button>
  </form>`;
}
