// Writes a decision in words, by its type, on the page of its block. The template escapes all texts
// of brands and rows.
import { html, type Html } from '@lothub/kit/html';
import {
  findPublicStep,
  isConfidential,
  isDisclosure,
} from '../../ledger/record/decisions/confidential.ts';
import type {
  BrandDecision,
  DecisionContents,
  DecisionType,
  DrillDecision,
  ErasureDecision,
  HoldDecision,
  RecallDecision,
  ResponseDecision,
  SealedRecall,
} from '../../ledger/record/decisions/contents.ts';
import { lotsOfDecision } from '../../ledger/record/decisions/lots.ts';
import type { AuditSeal, DecisionPayload, Payload } from '../../ledger/record/payload.ts';
import { blockLink, code, lotLink, readersTime } from '../fragments.ts';
import { caseStatusWords, severityWords } from '../labels.ts';
import type { Reader } from '../words/reader.ts';
import { factListOrNothing, type Fact } from '../fact-list.ts';
import { copiedHash, lookUpWord } from './pieces.ts';

/** Lots of a decision on its page; all of them are in its text. */
const LOTS_SHOWN_MAX = 200;
/** Blocks that an erasure names, on its page. */
const HEIGHTS_SHOWN_MAX = 200;
const US_PER_SECOND = 1_000_000;

/** Returns null for a block of an event or a correction. */
export function renderDecision(payload: Payload, reader: Reader): Html | null {
  switch (payload.type) {
    case 'genesis':
    case 'event':
    case 'correction':
      return null;
    case 'audit':
      return renderAudit(payload.audit, reader);
    default:
      return section(payload, reader);
  }
}

function renderAudit({ sequence, hash }: AuditSeal, reader: Reader): Html {
  const { decision: words } = reader.words.explorer;
  return html`<section aria-labelledby="decided">
    <h2 id="decided">${words.title}</h2>
    ${factListOrNothing([
      [words.auditEntry, reader.formats.number(sequence)],
      [words.auditHash, copiedHash(hash, reader)],
    ])}
  </section>`;
}

function section(payload: DecisionPayload, reader: Reader): Html {
  const { decision: words } = reader.words.explorer;
  const { committed, migrated } = payload.decision;
  return html`<section aria-labelledby="decided">
      <h2 id="decided">${words.title}</h2>
      ${migrated === true ? html`<p>${words.migrated}</p>` : null}
      ${factListOrNothing([
        ...factsOfDecision(payload, reader),
        [words.committed, committed === undefined ? null : codeList(Object.keys(committed))],
      ])}
    </section>
    ${lotList(listLots(payload), payload.brand, reader)}`;
}

function listLots(payload: DecisionPayload): readonly string[] {
  const summarize = <Type extends DecisionType>(type: Type, decision: DecisionContents[Type]) =>
    lotsOfDecision(type, decision);
  return summarize(payload.type, payload.decision);
}

function factsOfDecision(payload: DecisionPayload, reader: Reader): readonly Fact[] {
  switch (payload.type) {
    case 'hold':
      return factsOfHold(payload.decision, reader);
    case 'recall':
      return factsOfRecall(payload.decision, reader);
    case 'brand':
      return factsOfBrand(payload.decision, reader);
    case 'drill':
      return factsOfDrill(payload.decision, { brand: payload.brand, reader });
    case 'erasure':
      return factsOfErasure(payload.decision, reader);
    case 'response':
      return factsOfResponse(payload.decision, reader);
  }
}

function factsOfHold({ state, case_no: caseNo }: HoldDecision, reader: Reader): readonly Fact[] {
  const { decision: words } = reader.words.explorer;
  return [
    [words.state, words[state]],
    [words.caseNo, caseNo === undefined ? null : linkedCase(caseNo)],
  ];
}

function factsOfRecall(content: SealedRecall, reader: Reader): readonly Fact[] {
  const { decision: words } = reader.words.explorer;
  const step = findPublicStep(content);
  return [
    [words.caseNo, linkedCase(content.case_no)],
    [words.step, isConfidential(content) ? words.steps.confidential : null],
    [words.disclosedFrom, isDisclosure(content) ? blockLink(content.of, reader) : null],
    ...(step === undefined ? [] : factsOfStep(step, reader)),
  ];
}

function factsOfStep(step: RecallDecision, reader: Reader): readonly Fact[] {
  const { formats } = reader;
  const { decision: words, pair } = reader.words.explorer;
  const { part, parts, seed, was = {}, notice, as_of: asOf } = step;
  const edited = (now: Html | string, before: Html | string | undefined) =>
    before === undefined ? now : html`${before} → ${now}`;
  const text = (value: string | undefined) =>
    value === undefined ? undefined : html`<bdi>${value}</bdi>`;
  const count = (list: readonly unknown[] | undefined) =>
    list === undefined ? null : formats.number(list.length);
  return [
    [words.step, pair(formats.number(step.step), words.steps[step.change])],
    [
      words.part,
      parts === 1 ? null : words.partNumber(formats.number(part), formats.number(parts)),
    ],
    [words.state, caseStatusWords(step.state, reader)],
    [words.what, edited(html`<bdi>${step.title}</bdi>`, text(was.title))],
    [words.reason, edited(html`<bdi>${step.reason}</bdi>`, text(was.reason))],
    [
      words.severity,
      edited(
        severityWords(step.severity, reader),
        was.severity === undefined ? undefined : severityWords(was.severity, reader),
      ),
    ],
    [words.seed, code(seed.lot_code)],
    [words.supplier, text(seed.supplier_name)],
    [words.direction, words.directions[step.direction]],
    [words.autoHold, step.auto_hold ? words.yes : words.no],
    [words.asOf, asOf === undefined ? null : blockLink(asOf.height, reader)],
    [words.entered, count(step.entered)],
    [words.left, count(step.left)],
    [words.concerned, count(step.concerned)],
    [words.advice, text(notice?.advice)],
    [words.contact, text(notice?.recall_contact)],
    [words.website, text(notice?.website)],
  ];
}

function factsOfBrand(decision: BrandDecision, reader: Reader): readonly Fact[] {
  const { explorer, labels } = reader.words;
  const { decision: words, members, columns } = explorer;
  const about = (): Html => {
    switch (decision.about) {
      case 'brand':
        return html`${columns.brand}`;
      case 'product':
        return html`${labels.fields.product_sku} ${code(decision.sku)}`;
      case 'place':
        return html`${labels.fields.location} ${code(decision.location)}`;
    }
  };
  if (decision.removed === true)
    return [
      [words.about, about()],
      [words.changed, words.nothing],
    ];
  return [
    [words.about, about()],
    [words.changed, decision.changed.map((name) => lookUpWord(members, name)).join(', ')],
    ...Object.entries(decision.state).map(([name, value]: readonly [string, unknown]): Fact => [
      capitalized(lookUpWord(members, name)),
      stateValue(value),
    ]),
  ];
}

/** A text, or names by their languages. */
function stateValue(value: unknown): Html {
  if (typeof value !== 'object' || value === null) return html`<bdi>${String(value)}</bdi>`;
  return html`${Object.entries(value).map(
    ([language, name]: readonly [string, unknown], index) =>
      html`${index === 0 ? null : ', '}<bdi lang="${language}">${String(name)}</bdi> (${language})`,
  )}`;
}

function factsOfDrill(
  { drill, lot, elapsed_us: elapsed, tip }: DrillDecision,
  { brand, reader }: { readonly brand: string; readonly reader: Reader },
): readonly Fact[] {
  const { decision: words } = reader.words.explorer;
  return [
    [words.drill, reader.formats.number(drill)],
    [words.lot, lotLink(lot, brand)],
    [words.took, reader.formats.quantity(elapsed / US_PER_SECOND, 's')],
    [words.asOf, blockLink(tip.height, reader)],
  ];
}

function factsOfErasure({ heights }: ErasureDecision, reader: Reader): readonly Fact[] {
  const { block, decision: words } = reader.words.explorer;
  const { formats } = reader;
  const shown = heights.slice(0, HEIGHTS_SHOWN_MAX);
  const isCut = shown.length < heights.length;
  return [
    [
      words.erased,
      html`${shown.map((height, index) => html`${index === 0 ? null : ', '}${blockLink(height, reader)}`)}.
      ${isCut ? block.shown(formats.number(shown.length), formats.number(heights.length)) : null}`,
    ],
  ];
}

function factsOfResponse(answer: ResponseDecision, reader: Reader): readonly Fact[] {
  const { decision: words, statuses } = reader.words.explorer;
  const { formats } = reader;
  const at = (instant: string | undefined) =>
    instant === undefined ? undefined : readersTime(instant, reader);
  return [
    [words.caseNo, linkedCase(answer.case_no)],
    [words.notification, formats.number(answer.notification)],
    [words.status, statuses[answer.status]],
    [capitalized(statuses.sent), at(answer.sent_at)],
    [capitalized(statuses.acknowledged), at(answer.acknowledged_at)],
    [capitalized(statuses.resolved), at(answer.resolved_at)],
    [
      words.counts,
      Object.entries(answer.counts)
        .map(([status, count]) => `${formats.number(count)} ${lookUpWord(statuses, status)}`)
        .join(', '),
    ],
  ];
}

/**
 * Links the search for the case's number, which finds all its decisions: the page of its notice
 * exists only while it is open.
 */
function linkedCase(caseNo: string): Html {
  const query = new URLSearchParams({ q: caseNo });
  return html`<a href="/explorer/search?${query.toString()}">${code(caseNo)}</a>`;
}

function codeList(names: readonly string[]): Html {
  return html`${names.map((name, index) => html`${index === 0 ? null : ', '}${code(name)}`)}`;
}

function lotList(lots: readonly string[], brand: string, reader: Reader): Html | null {
  if (lots.length === 0) return null;
  const { block: words } = reader.words.explorer;
  const number = (value: number) => reader.formats.number(value);
  const shown = lots.slice(0, LOTS_SHOWN_MAX);
  return html`<section aria-labelledby="named">
    <h2 id="named">${words.lotsNamed}</h2>
    <ul class="chips">
      ${shown.map((lotCode) => html`<li class="chip">${lotLink(lotCode, brand)}</li>`)}
    </ul>
    ${shown.length < lots.length ? html`<p>${words.shown(number(shown.length), number(lots.length))}</p>` : null}
  </section>`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
