// The state of the hub for its operators: alarms with what to do, then the progress of everything.
import { emptyNote, moreLink, said } from '@lothub/design/desk-parts';
import { icon } from '@lothub/design/icons';
import { rowsTable } from '@lothub/design/tables';
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import type { HubState } from '../../../admin/hub-state.ts';
import type { AuditRow } from '../../../ledger/audit-reader.ts';
import { isFields, isText } from '../../../ledger/record/decisions/members.ts';
import { code, readersTime } from '../../../web/fragments.ts';
import { factList } from '../../../web/fact-list.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { addressWith, countWords } from '../../filters.ts';
import { headed } from '../../frame.ts';
import { term } from '../../help/terms.ts';
import { HUB_STATE } from '../../paths.ts';
import { listAlarms } from './alarms.ts';

const MS_PER_SECOND = 1_000;

export function statePage(state: HubState, reader: Reader): Html {
  const { operator } = reader.words.console;
  return headed({
    heading: operator.title,
    summary: operator.lead,
    body: html`${alarmList(state, reader)}
      <div class="cards state-cards">
        ${verifierCard(state, reader)} ${logCard(state, reader)} ${stampCard(state, reader)}
        ${clockCard(state, reader)}
      </div>
      ${witnessCard(state, reader)} ${brandsCard(state, reader)} ${refusedCard(state, reader)}`,
  });
}

function alarmList(state: HubState, reader: Reader): Html {
  const { operator } = reader.words.console;
  const alarms = listAlarms(state, reader);
  if (alarms.length === 0) {
    return html`<section class="verdict good" aria-labelledby="alarms-title">
      ${icon('good')}
      <h2 id="alarms-title">${operator.fine}</h2>
      <p>${operator.fineAdvice}</p>
    </section>`;
  }
  return html`<section aria-labelledby="alarms-title">
    <h2 id="alarms-title">${operator.needs}</h2>
    <ul class="tasks alarms">
      ${alarms.map(
        (alarm) =>
          html`<li class="${alarm.tone}">
            ${icon(alarm.icon)}
            <div>
              <strong>${alarm.title}</strong>
              <p>${alarm.advice}</p>
              ${alarm.command === undefined ? '' : html`<p><code>${alarm.command}</code></p>`}
              ${
                alarm.detail === undefined
                  ? ''
                  : html`<p class="muted" lang="en">${said(alarm.detail)}</p>`
              }
            </div>
          </li>`,
      )}
    </ul>
    <p class="hint">${operator.guide}</p>
  </section>`;
}

function card(title: HtmlValue, id: string, body: HtmlValue): Html {
  return html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`;
}

function verifierCard(state: HubState, reader: Reader): Html {
  const { operator } = reader.words.console;
  const { chain, firstBadHeight, lastRoundMs } = state;
  const number = (value: number): string => reader.formats.number(value);
  return card(
    operator.verifierTitle,
    'verifier-title',
    factList([
      [operator.height, number(chain.height)],
      [operator.recentBlocks, number(state.recentBlocks)],
      [
        operator.through,
        chain.verified_at === null ? operator.notYet : number(chain.verified_through),
      ],
      chain.verified_at === null
        ? undefined
        : [operator.checkedAt, readersTime(chain.verified_at, reader)],
      [
        operator.round,
        lastRoundMs === undefined
          ? operator.otherProcess
          : operator.seconds(number(Math.max(1, Math.round(lastRoundMs / MS_PER_SECOND)))),
      ],
      firstBadHeight === null
        ? undefined
        : [
            operator.firstBad,
            html`<strong class="bad">${icon('bad')} ${number(firstBadHeight)}</strong>`,
          ],
    ]),
  );
}

function logCard({ log }: HubState, reader: Reader): Html {
  const { operator, today } = reader.words.console;
  return card(
    operator.logTitle,
    'log-title',
    factList([
      [
        operator.logState,
        html`<span
          class="chip ${log.state === 'held' ? 'bad' : log.state === 'signing' ? 'good' : ''}"
          >${icon(log.state === 'held' ? 'hold' : 'chain')}${today.log[log.state]}</span
        >`,
      ],
      log.origin === undefined ? undefined : [operator.origin, code(log.origin)],
      log.size === undefined
        ? undefined
        : [term('logCheckpoint', reader, operator.signed), reader.formats.number(log.size)],
      log.signedThroughAt === undefined
        ? undefined
        : [operator.signedAt, readersTime(log.signedThroughAt, reader)],
    ]),
  );
}

function stampCard({ timeStamp }: HubState, reader: Reader): Html {
  const { operator } = reader.words.console;
  return card(
    term('timeStamp', reader, operator.stampTitle),
    'stamp-title',
    timeStamp === undefined
      ? emptyNote(operator.stampOff)
      : factList([
          [
            operator.stampAt,
            timeStamp.at === undefined ? operator.never : readersTime(timeStamp.at, reader),
          ],
          timeStamp.size === undefined
            ? undefined
            : [operator.stampSize, reader.formats.number(timeStamp.size)],
          [operator.failures, reader.formats.number(timeStamp.failures)],
        ]),
  );
}

function clockCard({ clockAlarms }: HubState, { words }: Reader): Html {
  const { operator } = words.console;
  return card(
    operator.clockTitle,
    'clock-title',
    clockAlarms.length === 0
      ? html`<p class="good">${icon('good')} ${operator.clockFine}</p>`
      : html`<ul>
          ${clockAlarms.map(({ machine }) => html`<li class="bad">${icon('bad')} ${machine}</li>`)}
        </ul>`,
  );
}

function witnessCard({ witnesses }: HubState, reader: Reader): Html {
  const { operator } = reader.words.console;
  const { counts, behindSeconds } = witnesses;
  const number = (value: number): string => reader.formats.number(value);
  if (counts === null) {
    return card(
      term('outsideWitness', reader, operator.witnessTitle),
      'witness-title',
      emptyNote(operator.noPolicy),
    );
  }
  return card(
    term('outsideWitness', reader, operator.witnessTitle),
    'witness-title',
    html`${factList([
      [operator.quorum, operator.quorumShare(number(counts.cosigned), number(counts.counting))],
      witnesses.at === null ? undefined : [operator.checkedAt, readersTime(witnesses.at, reader)],
      [
        operator.behindSince,
        behindSeconds === null || behindSeconds === 0
          ? operator.inStep
          : operator.seconds(number(behindSeconds)),
      ],
    ])}
    ${rowsTable({
      caption: operator.witnessTitle,
      head: [
        operator.witness,
        operator.runBy,
        operator.answer,
        operator.since,
        { number: operator.tree },
      ],
      rows: witnesses.witnesses.map(({ witness, answer, since, size }) => [
        html`${said(witness.witness.name)}${
          witness.isOwn ? html`<br /><small class="muted">${operator.own}</small>` : ''
        }`,
        witness.operator === undefined ? null : said(witness.operator),
        answer === null
          ? operator.never
          : html`<span class="chip ${answer === 'cosigned' ? 'good' : 'warn'}"
              >${icon(answer === 'cosigned' ? 'check' : 'warning')}<code>${answer}</code></span
            >`,
        since === null ? null : readersTime(since, reader),
        number(size),
      ]),
    })}`,
  );
}

function brandsCard({ brands, next }: HubState, reader: Reader): Html {
  const { operator, form } = reader.words.console;
  return card(
    operator.brandsTitle,
    'brands-title',
    html`<p class="muted">${operator.brandsLead}</p>
      ${
        brands.length === 0
          ? emptyNote(operator.noBrands)
          : rowsTable({
              caption: operator.brandsTitle,
              head: [
                operator.brand,
                { number: operator.recent },
                operator.lastEvent,
                { number: operator.events },
              ],
              rows: brands.map(({ brand, name, recent, lastEventAt, events }) => [
                name === undefined
                  ? code(brand)
                  : html`${said(name)} <small>${code(brand)}</small>`,
                countWords({ total: recent.count, isExact: recent.isExact }, reader),
                lastEventAt === undefined ? operator.never : readersTime(lastEventAt, reader),
                reader.formats.number(events),
              ]),
            })
      }
      ${moreLink(next === null ? undefined : addressWith(HUB_STATE, { after: next }), form.more)}`,
  );
}

function refusedCard({ refused }: HubState, reader: Reader): Html {
  const { operator } = reader.words.console;
  return card(
    term('refusedKey', reader, operator.refusedTitle),
    'refused-title',
    html`<p class="muted">${operator.refusedLead}</p>
      ${
        refused.length === 0
          ? emptyNote(operator.refusedNone)
          : rowsTable({
              caption: operator.refusedTitle,
              head: [
                operator.when,
                operator.client,
                operator.path,
                operator.reason,
                { number: operator.times },
                operator.key,
              ],
              rows: refused.map((entry) => {
                const { client, path, reason, count } = refusedFacts(entry);
                return [
                  readersTime(entry.at, reader),
                  said(client),
                  code(path),
                  code(reason),
                  reader.formats.number(count),
                  said(entry.actor),
                ];
              }),
            })
      }`,
  );
}

/** The facts in the details of an entry of the audit about a refused key. */
interface RefusedFacts {
  readonly client: string;
  readonly path: string;
  readonly reason: string;
  readonly count: number;
}

/** Reads what keys/refused-keys.ts writes. An entry that was written by hand has none of it. */
function refusedFacts({ details }: Pick<AuditRow, 'details'>): RefusedFacts {
  const read: unknown = JSON.parse(details);
  return isRefusedFacts(read) ? read : { client: '–', path: '–', reason: '–', count: 1 };
}

function isRefusedFacts(value: unknown): value is RefusedFacts {
  if (!isFields(value)) return false;
  const texts = [value['client'], value['path'], value['reason']];
  return texts.every(isText) && Number.isInteger(value['count']);
}
