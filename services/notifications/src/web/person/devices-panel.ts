// Devices on the page of one's own settings: this browser, the others, and quiet hours for all of them.
import { rowsTable } from '@lothub/design/tables';
import { html, type Html } from '@lothub/kit/html';
import type { Device } from '../../devices/devices.ts';
import type { QuietHoursText } from '../../devices/preferences.ts';
import { NAME_MAX } from '@lothub/kit/http/schemas/name-pattern';
import { SEVERITIES, type Severity } from '../../store/post.ts';
import {
  actionButton,
  emptyNote,
  field,
  flag,
  message,
  renderProblem,
  said,
} from '../fragments.ts';
import type { FormState } from '../fragments.ts';

const DEVICES = '/inbox/me/devices';

export interface DevicesView {
  readonly devices: readonly Device[];
  /** The public key that a browser subscribes with. */
  readonly pushKey: string;
  readonly quietHours: QuietHoursText | null;
  readonly timeZone: string | undefined;
  /** The form of the quiet hours. */
  readonly form: FormState;
}

const FROM_WORDS: Readonly<Record<Severity, string>> = {
  info: 'Everything',
  warning: 'Warning and critical',
  critical: 'Critical only',
};

export function devicesPanel(view: DevicesView): Html {
  return html`<section class="card" id="devices" aria-labelledby="devices-title">
    <h2 id="devices-title">Devices</h2>
    <p class="hint">
      Notifications come to your devices also while no page is open. Each device is one browser.
    </p>
    ${ownDevice(view.pushKey)} ${deviceList(view.devices)} ${quietHoursForm(view)}
  </section>`;
}

/** What applies is shown by a script, which alone can ask the browser. */
function ownDevice(pushKey: string): Html {
  return html`<div class="own-device" data-device="${pushKey}">
    <div data-when="offered" hidden>
      <button type="button" data-device-add>Notify me on this device</button>
      <div data-device-failed hidden>
        ${message('bad', html`It did not work. <span data-device-why></span>`, 'alert')}
      </div>
    </div>
    <p data-when="added" hidden>This device gets notifications.</p>
    <div data-when="denied" hidden>
      ${message(
        'note',
        'Notifications are denied for this site. The settings of your browser, at the left of the address, allow them again.',
      )}
    </div>
    <div data-when="install-first" hidden>
      ${message(
        'note',
        'On iPhone and iPad install the inbox first: Share, then "Add to Home Screen". Open it from there and come back to this page.',
      )}
    </div>
    <div data-when="impossible" hidden>
      ${message('note', 'This browser cannot be notified here. It needs a page served by https.')}
    </div>
    <noscript
      ><p class="hint">A browser is added as a device with scripts switched on.</p></noscript
    >
  </div>`;
}

function deviceList(devices: readonly Device[]): Html {
  if (devices.length === 0) return emptyNote('There is no device.');
  return rowsTable({
    caption: 'Your devices',
    head: ['Device', 'Is sent', 'Actions'],
    rows: devices.map((device) => [
      html`<div data-device-id="${device.id}">
        ${said(device.name)} <span class="hint" data-own hidden>(this one)</span>
        <p class="hint">${describeState(device)}</p>
        ${nameForm(device)}
      </div>`,
      severityForm(device),
      renderActions(device),
    ]),
  });
}

function describeState(device: Device): string {
  switch (device.status) {
    case 'active':
      return `by ${device.push_service}`;
    case 'paused':
      return 'Paused';
    case 'disabled':
      return `Disabled: ${device.disabled_reason ?? ''}`;
  }
}

function severityForm({ id, name, min_severity: minSeverity }: Device): Html {
  return html`<form method="post" action="${DEVICES}/${id}#devices" class="row-actions">
    <label class="hidden" for="from-${id}">What ${name} is sent</label>
    <select id="from-${id}" name="min_severity">
      ${SEVERITIES.map(
        (severity) =>
          html`<option value="${severity}" ${flag('selected', severity === minSeverity)}>
            ${FROM_WORDS[severity]}
          </option>`,
      )}
    </select>
    <button class="quiet" type="submit">Save<span class="hidden">, for ${name}</span></button>
  </form>`;
}

function nameForm({ id, name }: Device): Html {
  return html`<details class="rename">
    <summary>Rename<span class="hidden"> ${name}</span></summary>
    <form method="post" action="${DEVICES}/${id}#devices">
      <label class="hidden" for="name-${id}">Name</label>
      <input id="name-${id}" name="name" value="${name}" maxlength="${NAME_MAX}" required />
      <button class="quiet" type="submit">Save</button>
    </form>
  </details>`;
}

function renderActions({ id, name, status }: Device): Html {
  const isActive = status === 'active';
  const about = `device ${name}`;
  return html`<div class="row-actions">
    ${actionButton({ action: `${DEVICES}/${id}/test`, label: 'Send a test', about })}
    ${actionButton({
      action: `${DEVICES}/${id}/${isActive ? 'pause' : 'resume'}`,
      label: isActive ? 'Pause' : 'Resume',
      about,
    })}
    ${actionButton({
      action: `${DEVICES}/${id}/remove`,
      label: 'Remove',
      about,
      kind: 'danger',
      confirm: `Send nothing to "${name}" any more?`,
    })}
  </div>`;
}

function quietHoursForm({ quietHours, timeZone, form }: DevicesView): Html {
  const isSet = quietHours !== null;
  return html`<h3>Quiet hours</h3>
    <p class="hint">
      ${
        isSet
          ? `From ${quietHours.from} until ${quietHours.until} (${quietHours.time_zone}) devices stay quiet. What comes in then is in the inbox.`
          : 'There are none. What comes in during quiet hours is in the inbox, and is not sent later.'
      }
    </p>
    ${renderProblem(form)}
    <form method="post" action="/inbox/me/quiet-hours#devices">
      <div class="fields" ${flag('data-zone-unsaid', !isSet && timeZone === undefined)}>
        ${field({
          name: 'from',
          label: 'From',
          type: 'time',
          form,
          value: quietHours?.from ?? '22:00',
          required: true,
          scope: 'quiet',
        })}
        ${field({
          name: 'until',
          label: 'Until',
          type: 'time',
          form,
          value: quietHours?.until ?? '07:00',
          required: true,
          scope: 'quiet',
        })}
        ${field({
          name: 'time_zone',
          label: 'Time zone',
          form,
          value: quietHours?.time_zone ?? timeZone ?? 'UTC',
          required: true,
          maxLength: 64,
          scope: 'quiet',
        })}
      </div>
      <p>
        <label class="check" for="quiet-critical">
          <input
            id="quiet-critical"
            type="checkbox"
            name="lets_critical"
            value="true"
            ${flag('checked', quietHours?.lets_critical ?? true)}
          />
          Critical ones come all the same
        </label>
      </p>
      <button type="submit">${isSet ? 'Save' : 'Keep quiet at these hours'}</button>
      ${
        isSet
          ? html`<button
              class="quiet"
              type="submit"
              formaction="/inbox/me/quiet-hours/end#devices"
              formnovalidate
            >
              End quiet hours
            </button>`
          : ''
      }
    </form>`;
}
