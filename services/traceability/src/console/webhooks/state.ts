// The states of a webhook and of its deliveries, as chips and texts.
import { instantText } from '@lothub/kit/clock';
import { html, type Html } from '@lothub/kit/html';
import { SEND_ERRORS, type SendErrorCode } from '@lothub/delivery/sending/answer';
import type { Reader } from '../../web/words/reader.ts';
import type { Delivery } from '../../webhooks/deliveries.ts';
import { parseData, textIn } from '../../webhooks/payload.ts';
import type { Webhook } from '../../webhooks/webhooks.ts';
import { moment } from '../parts.ts';

/** Codes of lots in one line of a table. */
const LOTS_SHOWN = 3;

export function stateChip({ status, failures }: Webhook, { words }: Reader): Html {
  const { active, failing, paused, disabled } = words.console.webhooks;
  switch (status) {
    case 'paused':
      return html`<span class="chip">${paused}</span>`;
    case 'disabled':
      return html`<span class="chip bad">${disabled}</span>`;
    case 'active':
      return failures === 0
        ? html`<span class="chip good">${active}</span>`
        : html`<span class="chip warn">${failing}</span>`;
  }
}

export function deliveryState({ status, dueAt }: Delivery, reader: Reader): Html {
  const { webhooks: words } = reader.words.console;
  switch (status) {
    case 'delivered':
      return html`<span class="chip good">${words.delivered}</span>`;
    case 'failed':
      return html`<span class="chip bad">${words.failed}</span>`;
    case 'pending':
      return html`<span class="chip warn">${words.pending}</span>
        <small>${words.nextTry(moment(instantText(dueAt), reader))}</small>`;
  }
}

/** The case or lots that a delivery is about. */
export function formatSubject(delivery: Delivery): string {
  const { lots, ...data } = parseData(delivery);
  const caseNo = textIn(data, 'case_no');
  if (caseNo !== '') return caseNo;
  if (!Array.isArray(lots)) return '';
  const codes = lots.slice(0, LOTS_SHOWN).map(String);
  return `${codes.join(', ')}${lots.length > LOTS_SHOWN ? ' …' : ''}`;
}

type FailureWords = keyof Reader['words']['console']['webhooks']['failures'];

const FAILURES: Readonly<Record<SendErrorCode, FailureWords>> = {
  address_refused: 'address',
  name_unknown: 'name',
  connection_refused: 'refused',
  unreachable: 'other',
  certificate_refused: 'certificate',
  tls_failed: 'certificate',
  answer_malformed: 'other',
  timed_out: 'late',
  connection_lost: 'other',
};

/** Writes the answer to a try. */
export function answerWords(
  { httpStatus, error }: { readonly httpStatus: number | null; readonly error: string | null },
  { words }: Reader,
): Html {
  const { failures, noAnswer } = words.console.webhooks;
  if (httpStatus !== null) {
    const isRedirect = httpStatus >= 300 && httpStatus < 400;
    return html`HTTP ${httpStatus}${isRedirect ? html` <small>${failures.redirect}</small>` : ''}`;
  }
  if (error === null) return html`${noAnswer}`;
  return html`${failures[FAILURE_OF_SENTENCE.get(error) ?? 'other']}`;
}

const FAILURE_OF_SENTENCE: ReadonlyMap<string, FailureWords> = new Map(
  Object.entries(FAILURES).flatMap(([code, failure]) =>
    Object.entries(SEND_ERRORS).flatMap(([name, sentence]) =>
      name === code ? [[sentence, failure] as const] : [],
    ),
  ),
);
