// The fields of a webhook's forms, and their values.
import { field, tickBox, TICKED, type FormState } from '@lothub/design/desk-parts';
import type { FormValues } from '@lothub/design/form-values';
import { html, type Html } from '@lothub/kit/html';
import { WEBHOOK_URL_MAX } from '@lothub/delivery/sending/webhook-url';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../ledger/webhooks/event-types.ts';
import type { Reader } from '../../web/words/reader.ts';
import { WEBHOOK_NAME_MAX } from '../../webhooks/webhooks.ts';

interface FieldsOptions {
  readonly form: FormState;
  readonly scope: string;
  readonly reader: Reader;
}

export function nameField({ form, scope, reader }: FieldsOptions, value?: string): Html {
  const { webhooks: words } = reader.words.console;
  return field({
    ...{ name: 'name', label: words.name, hint: words.nameHint, form, scope },
    required: true,
    maxLength: WEBHOOK_NAME_MAX,
    ...(value === undefined ? {} : { value }),
  });
}

export function urlField({ form, scope, reader }: FieldsOptions, value?: string): Html {
  const { webhooks: words } = reader.words.console;
  return field({
    ...{ name: 'url', label: words.url, hint: words.urlHint, form, scope },
    type: 'url',
    required: true,
    maxLength: WEBHOOK_URL_MAX,
    ...(value === undefined ? {} : { value }),
  });
}

/** One box for each type. */
export function typeFields(
  { form, scope, reader }: FieldsOptions,
  chosen: readonly WebhookEvent[] = WEBHOOK_EVENTS,
): Html {
  const { webhooks: words } = reader.words.console;
  const wrong = form.errors[TYPES];
  const problemId = `${scope}-types-problem`;
  return html`<fieldset
    class="boxes"
    ${wrong === undefined ? '' : html`aria-describedby="${problemId}"`}
  >
    <legend>${words.sends}</legend>
    ${wrong === undefined ? '' : html`<p class="field-error" id="${problemId}">${wrong}</p>`}
    ${WEBHOOK_EVENTS.map((type) =>
      tickBox({
        ...{ name: type, label: words.types[type], form, scope },
        isTicked: chosen.includes(type),
      }),
    )}
  </fieldset>`;
}

/** The name that refusals have for all boxes together. */
export const TYPES = 'event_types';

export function chosenTypes(values: FormValues): readonly WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((type) => values[type] === TICKED);
}

/** Replaces the texts of a wrong address and of a missing type by more exact ones. */
export function withOwnWords(form: FormState, { words }: Reader): FormState {
  const { typeNeeded, urlRefused } = words.console.webhooks;
  const { errors } = form;
  const { required } = words.console.fields;
  return {
    ...form,
    errors: {
      ...errors,
      ...(errors[TYPES] === undefined ? {} : { [TYPES]: typeNeeded }),
      ...(errors['url'] === undefined || errors['url'] === required ? {} : { url: urlRefused }),
    },
  };
}
