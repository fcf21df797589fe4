// A SQLite ledger with something of everything, for what must come out of both engines alike: several
// tenants, all types of events, corrections of every kind, voided events, holds, imports, keys, alarms,
// and texts that an engine may read as something else.
import { logKeyFile } from '../src/ledger/log/log-key.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY_FRONTIER, appendLeaves, computeRoot } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { newSalt } from '@lothub/kit/secrets/secrets';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import fc from 'fast-check';
import { pino } from 'pino';
import { insertRow } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { setPlace } from '../src/brand/places.ts';
import { setPicture, setProduct } from '../src/brand/products.ts';
import { correctEvent } from '../src/corrections/correct.ts';
import type { CorrectionInput } from '../src/corrections/schema.ts';
import { prepareEvent } from '../src/events/prepare.ts';
import type { EventInput, LineInput } from '../src/events/schema.ts';
import { issueKey, revokeKey, type IssuedKey } from '../src/keys/key-store.ts';
import { KeyUses } from '../src/keys/key-uses.ts';
import { ChainState } from '../src/ledger/verify/chain-state.ts';
import {
  acceptClockAlarms,
  endClockAlarm,
  insertClockAlarm,
  readOpenClockAlarms,
} from '../src/ledger/clock-alarms.ts';
import { chainStep } from '../src/ledger/audit-chain/chain-step.ts';
import { Coverage } from '../src/ledger/audit-chain/coverage.ts';
import { WrittenIds } from '../src/ledger/audit-chain/written-ids.ts';
import type { Caller } from '../src/ledger/draft.ts';
import { LedgerReader } from '../src/ledger/read.ts';
import type { LedgerStore } from '../src/ledger/store.ts';
import { SqliteLedgerStore, databaseFile } from '../src/ledger/sqlite/store.ts';
import { toLeaf } from '../src/ledger/log/leaf.ts';
import { LOG_CHECKPOINTS, LOG_WITNESSES } from '../src/ledger/tables/log.ts';
import { findLot } from '../src/lots/queries.ts';
import { flagHeld, recallLots } from '../src/recall/case/scope-writes.ts';
import { commitRecipient, numberRecipients } from '../src/recall/case/steps.ts';
import { insertAuditEntry } from '../src/ledger/audit.ts';
import { sealCase } from './sealed-cases.ts';
import { draftDecision, sealedHeight } from '../src/ledger/decisions/draft.ts';
import { eraseHeights } from '../src/ledger/decisions/erasure.ts';
import { rowsOfDecision } from '../src/ledger/decisions/kinds.ts';
import type {
  DrillDecision,
  ResponseDecision,
  BrandState,
} from '../src/ledger/record/decisions/contents.ts';
import { insertTimeStamp } from '../src/timestamps/stored.ts';
import { insertAttempt } from '@lothub/delivery/outbox/due-queries';
import { AddressRules } from '@lothub/delivery/sending/address-rules';
import { notifyHeld } from '../src/ledger/webhooks/notify.ts';
import { OUTBOX } from '../src/webhooks/outbox.ts';
import { NO_REPORT, insertImport } from '../src/csv-import/kept/imports.ts';
import { saveMapping } from '../src/csv-import/kept/mappings.ts';
import { notifyWatchersOpened } from '../src/ledger/watching/notify-watchers.ts';
import {
  MAIL_ROUTE,
  insertAsked,
  insertRecallMessages,
} from '../src/watching/sending/delivery-queries.ts';
import { ensureWatchKeys } from '../src/watching/watch-keys.ts';
import { activate, insertWatch } from '../src/watching/watch-queries.ts';
import { createWebhook } from '../src/webhooks/webhooks.ts';
import { pngSaying } from './brand/pictures.ts';
import { linkSupplier, unlinkSupplier } from '../src/suppliers/link.ts';
import { supplyChain } from './model/supply-chains.ts';
import { holdLot, releaseLot } from './holds.ts';

/** The moment at which everything is posted, so that two ledgers differ in their salts alone. */
const NOW_MS = Date.parse('2026-03-04T10:00:00Z');
/** The time of everything that is no event. */
const AT = '2026-03-04T10:00:00.000Z';
/** One chain, the same in every run. */
const SEED = 20_260_304;

const CALLER: Caller = { actor: 'test', requestId: 'request-1' };

/** What a pattern, an escape, a collation or a letter's case may be mistaken in. */
export const STRANGE_CODES = [
  'lot',
  'LOT',
  'Lot',
  'LOT%',
  'LOT_',
  'LOT\\',
  'LOT\\N',
  'LOT%_\\1',
  "LOT'1",
  'LOT"1"',
  'LOT-1',
  'LOT-10',
  'LOT-2',
  'É-1',
  'é-1',
  'E-1',
  'ß',
  'İ',
  'ẞ-STRASSE',
  '批次-1',
  '🥖-1',
  '🥖',
  '\u{ffff}x',
  '\u{10ffff}',
  'a b',
  ' lead',
  'trail ',
  'tab\there',
  'new\nline',
  'cr\rlf',
  '--',
  '$1',
  '\\.',
  '\\N',
] as const;

export interface RichLedger extends AsyncDisposable {
  readonly dataDir: string;
  /** A tenant's key that was issued on it. */
  readonly key: IssuedKey;
  /** Every tenant id that has recorded something. */
  readonly tenantIds: readonly string[];
}

/** Builds it and closes it: its database is a file that anybody may open. */
export async function buildRichLedger(): Promise<RichLedger> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lothub-rich-'));
  const store = await SqliteLedgerStore.open({
    dataDir,
    log: {
      origin: undefined,
      key: undefined,
      keyFile: logKeyFile(dataDir),
      publicUrl: undefined,
      hasWitnesses: false,
    },
    hubName: 'Lothub',
    onFatal: (error) => {
      throw error;
    },
  });
  const clock = { nowMs: () => NOW_MS };
  const state = new ChainState({ store, clock, log: pino({ level: 'silent' }) });
  const writer = new RichWriter(store, new LedgerReader({ database: store.reader, state }));
  await writer.playSupplyChain();
  await writer.recordStrangeCodes();
  await writer.importFile();
  await writer.correctPrivateValues();
  await writer.correctEverything();
  await writer.holdLots();
  await writer.recallLots();
  await writer.nameBrands();
  await writer.tellConsumers();
  await writer.linkSuppliers();
  await writer.keepLog();
  await keepWebhook(store);
  await keepWatches(store);
  await keepImports(store);
  const issue = { role: 'tenant', tenantId: 'acme', nowMs: NOW_MS } as const;
  const key = await issueKey(store, { ...issue, label: 'line 1\tof "the" \\N bakery' });
  const gone = await issueKey(store, { ...issue, label: 'gone', limitedTo: 'read' });
  await revokeKey(store, { keyId: gone.record.key_id, nowMs: NOW_MS });
  await noteUse(store, key.record.key_id);
  state.report({ height: 3, code: 'hash_mismatch', message: "it's not \\N\tthat" });
  state.report({ height: 4, code: 'tip_changed', message: '' });
  const jumped = { code: 'clock_jumped', readingMs: NOW_MS, message: "it's \\N\tahead" } as const;
  await store.write([
    insertClockAlarm(jumped, { machine: 'mill\t1', atMs: NOW_MS }),
    insertClockAlarm({ ...jumped, message: '' }, { machine: 'mill 2', atMs: NOW_MS }),
  ]);
  const [ended, open] = await readOpenClockAlarms(store.reader);
  await store.write([
    endClockAlarm(ended!, NOW_MS),
    ...acceptClockAlarms([open!], { actor: 'test', atMs: NOW_MS }),
  ]);
  await store.write([sql`update chain_alarms set cleared_at = ${'2026-03-04T11:00:00.000Z'}`]);
  await chainAudit(store);
  await store.close();
  return {
    dataDir,
    key,
    tenantIds: [...writer.heights.keys()],
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** Imports of files, one with all that may be known of it and one with nothing, and a mapping. */
async function keepImports(store: LedgerStore): Promise<void> {
  const row = {
    import_id: 'imp_1',
    tenant_id: 'acme',
    origin: 'page',
    actor: "it's \\N\tme",
  } as const;
  const nothing = {
    ...{ folder_id: null, machine: null, row_count: null, event_count: null },
    ...{ accepted: null, duplicates: null, rejected: null },
  };
  const times = { created_at: AT, changed_at: AT };
  await store.write([
    insertImport({
      ...{ ...row, ...times, file_name: 'a\tb \\N.csv', file_kind: 'csv', file_bytes: 17 },
      ...{
        folder_id: 'waiting-1',
        machine: 'mill 1',
        state: 'stopped',
        row_count: 3,
        event_count: 2,
      },
      ...{ accepted: 1, duplicates: 0, rejected: 1, report: { ...NO_REPORT, problem: 'defect' } },
    }),
    insertImport({
      ...{ ...row, ...times, ...nothing, import_id: 'imp_2', state: 'open', report: NO_REPORT },
      ...{ file_name: null, file_kind: 'xlsx', file_bytes: null },
    }),
    ...saveMapping({
      ...{ tenantId: 'acme', headers: ['Charge', 'Menge'], actor: 'Ada', nowMs: NOW_MS },
      mapping: {
        columns: { charge: 'lot_code', menge: null },
        same: { unit: 'kg' },
        timeOfDay: '06:00',
        form: {},
      },
    }),
  ]);
}

/** A webhook with a delivery that was tried, and how far was looked. */
async function keepWebhook(store: LedgerStore): Promise<void> {
  const clock = { nowMs: () => NOW_MS };
  const { webhookId } = await createWebhook(
    { store, clock, addresses: new AddressRules([]) },
    { tenantId: 'acme', caller: CALLER },
    { name: "it's \\N a", url: 'https://a.example/', language: 'en', eventTypes: ['lot.held'] },
  );
  const held = { brand: 'acme', at: AT, blockHeight: 1, caseNo: null };
  await store.write([notifyHeld(held, ['LOT'])]);
  const [delivery] = await store.reader.all<{ readonly id: string }>(
    sql`select id from webhook_deliveries where webhook_id = ${webhookId}`,
  );
  const tried = { attempt: 1, at: NOW_MS, tookMs: 5, httpStatus: null, error: 'no\tanswer' };
  await store.write([insertAttempt(OUTBOX, { id: delivery!.id, ...tried })]);
}

/** Somebody who is notified by mail, and a device, with what is still to be sent. */
async function keepWatches(store: LedgerStore): Promise<void> {
  const target = { tenantId: 'acme', kind: 'lot', target: "it's \\N a" } as const;
  const times = { createdAt: NOW_MS, expiresAt: NOW_MS + 1 };
  const mail = { id: 'wch_mail', channel: 'mail', route: MAIL_ROUTE, language: 'fr' } as const;
  const push = { id: 'wch_push', channel: 'push', route: 'push.example', language: 'it' } as const;
  const step = { caseNo: 'RC-2026-0009', stepNo: 2, caseStatus: 'notification' };
  await ensureWatchKeys(store, NOW_MS);
  await store.write([
    insertWatch({
      ...{ ...target, ...times, ...mail, address: 'anna@example.com' },
      ...{ p256dh: null, auth: null },
    }),
    insertWatch({
      ...{ ...target, ...times, ...push, address: 'https://push.example/1' },
      ...{ p256dh: 'key', auth: 'secret' },
    }),
    activate('wch_push', NOW_MS + 2),
    insertAsked(mail.id, { kind: 'confirm', at: NOW_MS }),
    insertRecallMessages(step, { watches: [['wch_push', 'moved']], at: NOW_MS }),
    ...notifyWatchersOpened({
      ...{ brand: 'acme', stepNo: 1, at: AT, status: 'investigation' },
      recallCase: { caseNo: 'RC-2026-0009', confidential: 0, notifiedAt: null },
    }),
  ]);
}

async function noteUse(store: LedgerStore, keyId: string): Promise<void> {
  await using uses = new KeyUses({
    write: (statements) => store.write(statements),
    clock: { nowMs: () => NOW_MS },
    onError: (error) => {
      throw error;
    },
  });
  uses.note(keyId);
}

/** Places of all entries, and a block that seals them. */
async function chainAudit(store: LedgerStore): Promise<void> {
  const ids = new WrittenIds(0);
  while ((await chainStep(store, { ids, nowMs: NOW_MS })).hasMore);
  const clock = { nowMs: () => NOW_MS };
  const coverage = await Coverage.read({ store, clock, sealAfterMs: 0 });
  await coverage.sealWhenDue();
}

/** Opens the database of a ledger that nobody serves. */
export function openRich(ledger: RichLedger): SqliteConnection {
  return new SqliteConnection(databaseFile(ledger.dataDir), 'read');
}

class RichWriter {
  /** Heights of the events of each tenant. */
  readonly heights = new Map<string, number[]>();
  /** Sales of each of the strange codes, in their order. */
  #sold: readonly number[] = [];
  readonly #store: SqliteLedgerStore;
  readonly #reader: LedgerReader;

  constructor(store: SqliteLedgerStore, reader: LedgerReader) {
    this.#store = store;
    this.#reader = reader;
  }

  /** The posts of a random chain that is the same in every run. */
  async playSupplyChain(): Promise<void> {
    const shape = {
      tenantIds: ['acme', 'Acme', 'bolt'],
      steps: { min: 40, max: 40 },
      eventsOfStepMax: 12,
      lotCodes: 10,
      drift: 3,
    };
    const [steps = []] = fc.sample(supplyChain(shape), { numRuns: 1, seed: SEED });
    for (const step of steps) {
      if (step.kind !== 'post') continue;
      const events = step.events.map((event) => ({ ...event, lines: [...event.lines] }));
      await this.#record(step.tenantId, events);
    }
  }

  async recordStrangeCodes(): Promise<void> {
    for (const tenantId of ['acme', 'zoe']) {
      await this.#record(
        tenantId,
        STRANGE_CODES.map((lotCode, index) => ({
          ...RECEIVED,
          reference: `PO ${lotCode}`,
          external_id: `wms ${lotCode}`,
          notes: `of ${lotCode}`,
          lines: [
            { ...LINE, lot_code: lotCode, supplier_lot_code: `S ${lotCode}`, quantity: index },
          ],
        })),
      );
    }
    this.#sold = await this.#record(
      'acme',
      STRANGE_CODES.map((lotCode) => ({
        ...RECEIVED,
        event_type: 'SELL',
        notes: `sold ${lotCode}`,
        reference: 'SO-1',
        lines: [
          {
            ...LINE,
            lot_code: lotCode,
            direction: 'out',
            customer_ref: lotCode,
            channel: 'retail',
          },
          { ...LINE, lot_code: lotCode, direction: 'out', product_sku: lotCode, unit: 'pcs' },
        ],
      })),
    );
  }

  /** Events that are known by their group: they came in a file, without external ids. */
  async importFile(): Promise<void> {
    const rows = [1, 2, 3].map((quantity) => ({
      ...RECEIVED,
      reference: `FILE-${quantity}`,
      lines: [{ ...LINE, lot_code: 'FROM-FILE', quantity }],
    }));
    await this.#record('bolt', rows, 'group');
  }

  /** Who bought, and what was said of it: nobody but the tenant may know either value. */
  async correctPrivateValues(): Promise<void> {
    for (const [index, height] of this.#sold.entries()) {
      const code = STRANGE_CODES[index] ?? '';
      const change =
        index % 2 === 0
          ? { field: 'lines[0].customer_ref', old_value: code, new_value: `not ${code}` }
          : { field: 'notes', old_value: `sold ${code}`, new_value: null };
      await this.#send('acme', height, change);
    }
  }

  /** Every third event has a correction, some have several; every seventh is voided. */
  async correctEverything(): Promise<void> {
    for (const [tenantId, heights] of this.heights) {
      for (const [index, height] of heights.entries()) {
        if (index % 3 === 0) await this.#correct(tenantId, height, index);
        if (index % 9 === 0) await this.#correct(tenantId, height, index + 1);
        if (index % 7 === 0) await this.#void(tenantId, height);
      }
    }
  }

  async holdLots(): Promise<void> {
    for (const [index, lotCode] of STRANGE_CODES.entries()) {
      const common = { tenantId: 'acme', lotCode };
      if (index % 3 > 1) continue;
      await holdLot(this.#store, { ...common, reason: `because of ${lotCode}` });
      if (index % 2 > 0) await releaseLot(this.#store, { ...common, reason: null });
    }
    // An event on a lot that is held leaves its trace in the audit.
    await this.#record('acme', [{ ...RECEIVED, lines: [{ ...LINE, lot_code: 'lot' }] }]);
  }

  /**
   * One case covers every second lot of a tenant and has reached `notification`, another one every third
   * and was cancelled; some lots left, some are held by their case, some were added and excluded by hand. A third one is about a supplier's
   * lot.
   */
  async recallLots(): Promise<void> {
    const lot = await findLot(this.#store.reader, { tenantId: 'acme', lotCode: 'lot' });
    if (lot === undefined) throw new Error('nothing of acme was recorded');
    const { tenantNo } = lot;
    const lots = await this.#store.reader.all<{
      readonly lotNo: number;
      readonly code: string;
    }>(sql`
      select lot_no as "lotNo", lot_code as code
      from lots
      where tenant_no = ${tenantNo}
      order by lot_no`);
    const covered = lots.filter(({ lotNo }) => lotNo % 2 === 0);
    const left = covered.filter(({ lotNo }) => lotNo % 5 === 0);
    const byHand = lots.filter(({ lotNo }) => lotNo % 2 === 1).map(({ code }) => code);
    const header = {
      seedLotCode: lot.lotCode,
      seedLotNo: lot.lotNo,
      seedSupplierName: null,
      confidential: 0,
      notifiedAt: null,
      title: 'Glass \\N',
      reason: '"shards"\tin it',
      severity: 'class_i',
      direction: 'downstream',
      autoHold: 1,
    } as const;
    const found = { at: AT, as_of: { height: 7, hash: 'ab'.repeat(32) } };
    const opening = (entered: typeof lots) => ({
      ...found,
      change: 'opened' as const,
      state: 'investigation' as const,
      entered: entered.map(({ code }) => ({
        ...{ lot: code, relation: 'downstream' as const, distance: 1 },
      })),
      opened: { opened_by: 'Ada', snapshot: '{"lots":[]}' },
    });
    const named = [...STRANGE_CODES, 'answered'].map((recipient) =>
      commitRecipient({ audience: 'customer', recipient }),
    );
    const { concerned, statements } = numberRecipients(named, { caseId: 1, lastId: 0 });
    await sealCase(this.#store, {
      brand: 'acme',
      header: { ...header, caseNo: 'RC-2026-0001' },
      recipients: statements,
      steps: [
        // The last one was erased.
        { ...opening(covered), concerned: [...concerned, { id: 1_900_000 }] },
        {
          ...{ change: 'moved', at: AT, state: 'notification' },
          opened: { changed_by: 'Bo', note: 'new\nline' },
        },
        {
          ...found,
          ...{ change: 'widened', state: 'notification', left: left.map(({ code }) => code) },
        },
        {
          ...found,
          ...{ change: 'edited', state: 'notification', was: { severity: 'class_ii' } },
          ...{ added: byHand.slice(0, 3), excluded: byHand.slice(3, 9) },
          opened: { changed_by: 'Bo', note: 'a\ttab', scope_reason: '\\N' },
        },
      ],
      statements: [
        ...flagHeld(covered.map(({ lotNo }) => lotNo)),
        ...recallLots(covered.filter((one) => !left.includes(one)).map(({ lotNo }) => lotNo)),
      ],
    });
    await sealCase(this.#store, {
      brand: 'acme',
      header: { ...header, autoHold: 0, caseNo: 'RC-2026-0002' },
      steps: [
        opening(lots.filter(({ lotNo }) => lotNo % 3 === 0)),
        { change: 'moved', at: AT, state: 'cancelled' },
      ],
      statements: [],
    });
    await sealCase(this.#store, {
      brand: 'acme',
      header: { ...header, caseNo: 'RC-2026-0003', seedLotCode: 'S lot', seedLotNo: null },
      steps: [opening([])],
      statements: [sql`insert into recall_progress (id, followed_height) values (1, 12)`],
    });
    await this.#decide('answered');
  }

  /** A customer of the first case answers, a drill is made, and values are erased. */
  async #decide(recipient: string): Promise<void> {
    const [row] = await this.#store.reader.all<{ readonly id: number }>(sql`
      select notification_id as id
      from recall_notifications
      where case_id = 1 and recipient = ${recipient}`);
    const brand = 'acme';
    const decision: ResponseDecision = {
      ...{ at: AT, case_no: 'RC-2026-0001', notification: Number(row?.id) },
      ...{ status: 'acknowledged', acknowledged_at: AT },
      counts: { pending: 0, ready: 5, sent: 0, acknowledged: 1, resolved: 0 },
    };
    const opened = { response: 'back\\.' };
    const drill: DrillDecision = {
      ...{ at: AT, drill: 1, elapsed_us: 1234, lot: 'lot' },
      tip: { hash: 'cd'.repeat(32), height: 12 },
    };
    const found = { by: 'Ada', result: '{"lots":3}' };
    const erased = eraseHeights({ brand, at: AT, heights: [1, 2] }, 2);
    await this.#store.decide({
      guard: sql`select id from head where id = 1`,
      decisions: [
        draftDecision(
          { brand, type: 'response', content: decision },
          { ...opened, audience: 'customer', by: 'Ada', recipient },
        ),
        draftDecision({ brand, type: 'drill', content: drill }, found),
        ...erased.decisions,
      ],
      statements: [
        ...rowsOfDecision('response', { height: sealedHeight(0), brand, decision, opened }),
        ...rowsOfDecision('drill', {
          ...{ height: sealedHeight(1), brand, decision: drill, opened: found },
        }),
        ...erased.statements,
        insertAuditEntry({
          ...{ at: AT, tenantId: brand, caller: CALLER, action: 'update_notification' },
          ...{ entityType: 'notification', entityId: String(row?.id), details: {} },
          blockHeight: sealedHeight(0),
        }),
        insertAuditEntry({
          ...{ at: AT, tenantId: brand, caller: CALLER, action: 'drill_recall' },
          ...{ entityType: 'drill', entityId: '1', details: {} },
          blockHeight: sealedHeight(1),
        }),
      ],
    });
  }

  async nameBrands(): Promise<void> {
    const profiles: Readonly<Record<string, BrandState>> = {
      acme: { name: 'Acme \\ Söhne\t"x"', recall_contact: 'a@b.example' },
      quiet: { website: 'https://x.example' },
    };
    for (const [brand, state] of Object.entries(profiles)) {
      const decision = {
        about: 'brand' as const,
        at: AT,
        changed: Object.keys(state).sort(),
        state,
      };
      const height = sealedHeight(0);
      await this.#store.decide({
        guard: sql`select id from head where id = 1`,
        decisions: [draftDecision({ brand, type: 'brand', content: decision })],
        statements: [
          ...rowsOfDecision('brand', { height, brand, decision, opened: {} }),
          insertAuditEntry({
            ...{ at: AT, tenantId: brand, caller: CALLER, action: 'update_brand' },
            ...{ entityType: 'brand', entityId: brand, details: {}, blockHeight: height },
          }),
        ],
      });
    }
  }

  async tellConsumers(): Promise<void> {
    const deps = { store: this.#store, clock: { nowMs: () => NOW_MS } };
    const caller = { actor: 'test', requestId: null };
    for (const code of STRANGE_CODES.slice(0, 3)) {
      const names = { en: code, 'pt-BR': 'Pão \\N' };
      const product = { tenantId: 'acme', sku: `P-${code}x`, caller };
      await setProduct(deps, product, { names, gtin: '4006381333931' });
      await setPicture(deps, product, pngSaying('\\N\t'));
      const place = { tenantId: 'acme', location: code, caller };
      await setPlace(deps, place, { name: code, address: 'Mühlweg\t3\n', gln: null });
    }
  }

  async linkSuppliers(): Promise<void> {
    const deps = { store: this.#store, clock: { nowMs: () => NOW_MS } };
    for (const [tenantId, name, brand] of [
      ['zoe', LINE.supplier_name, 'acme'],
      ['zoe', 'Mühle\t"3"\\N', 'bolt'],
      ['acme', LINE.supplier_name, 'zoe'],
      ['acme', 'gone', 'zoe'],
    ] as const) {
      await linkSupplier(deps, { tenantId, name: String(name), caller: CALLER }, brand);
    }
    await unlinkSupplier(deps, { tenantId: 'acme', name: 'gone', caller: CALLER });
  }

  async keepLog(): Promise<void> {
    const size = 5;
    const blocks = await this.#store.reader.all<{ readonly hash: string }>(
      sql`select hash from blocks where height < ${size} order by height`,
    );
    const leaves = blocks.map(({ hash }) => toLeaf(hash));
    const root = computeRoot(appendLeaves(EMPTY_FRONTIER, leaves, sha256Bytes), sha256Bytes);
    const head = { epoch: 1, size, root, note: 'log/1\n5\n\\N\t\n\n\u2014 a\n' };
    const { root: _root, ...stamped } = { ...head, service: 'tsa.example.org', stamped_at: AT };
    const seen = { epoch: 1, size: 5, cosigned_at: AT, answer: 'cosigned', answered_at: AT };
    await this.#store.write([
      insertRow(LOG_CHECKPOINTS, { ...head, published_at: AT }),
      insertRow(LOG_WITNESSES, { ...seen, vkey: 'a+00000000+AA==' }),
      insertTimeStamp({ ...stamped, reply: Uint8Array.of(0, 0x5c, 0x4e, 0xff) }),
    ]);
  }

  async #record(
    tenantId: string,
    events: readonly EventInput[],
    identity: 'external_id' | 'group' = 'external_id',
  ): Promise<readonly number[]> {
    const drafts = events.map((event) => {
      const prepared = prepareEvent(event, { root: [], nowMs: NOW_MS, newSalt, identity });
      if (prepared.kind === 'invalid') throw new Error(JSON.stringify(prepared.errors));
      return prepared.draft;
    });
    const { outcomes } = await this.#store.append({
      tenantId,
      caller: CALLER,
      drafts,
      unit: 'each',
    });
    const heights = outcomes.flatMap((outcome) =>
      outcome.kind === 'appended' ? [outcome.height] : [],
    );
    this.heights.getOrInsertComputed(tenantId, () => []).push(...heights);
    return heights;
  }

  /** Corrects one field of an event, another one for each `pick`. */
  async #correct(tenantId: string, height: number, pick: number): Promise<void> {
    const block = await this.#reader.findBlock(height);
    if (block?.payload.type !== 'event') throw new Error(`block ${height} is no event`);
    const { event } = block.payload;
    // An event of this type corrects nothing and cannot be corrected.
    if (event.event_type === 'CORRECTION') return;
    const [line] = event.lines;
    const changes: readonly CorrectionInput['changes'][number][] = [
      { field: 'reference', old_value: event.reference, new_value: `${event.reference}%` },
      { field: 'lines[0].lot_code', old_value: line?.lot_code ?? '', new_value: `NEW_${pick}` },
      { field: 'lines[0].quantity', old_value: Number(line?.quantity), new_value: pick + 0.5 },
      { field: 'lines[0].product_sku', old_value: line?.product_sku ?? '', new_value: 'roll\\' },
      {
        field: 'lines[0].supplier_name',
        old_value: line?.supplier_name ?? null,
        new_value: 'Mühle',
      },
    ];
    const change = changes[pick % changes.length];
    if (change !== undefined) await this.#send(tenantId, height, change);
  }

  async #void(tenantId: string, height: number): Promise<void> {
    const block = await this.#reader.findBlock(height);
    if (block?.payload.type === 'event' && block.payload.event.event_type === 'CORRECTION') return;
    await this.#send(tenantId, height, {
      field: 'status',
      old_value: 'accepted',
      new_value: 'voided',
    });
  }

  async #send(
    tenantId: string,
    height: number,
    change: CorrectionInput['changes'][number],
  ): Promise<void> {
    const request: CorrectionInput = {
      corrects_event_id: height,
      reason: 'typing error',
      requested_by: 'Ada \\N',
      changes: [change],
    };
    await correctEvent(request, {
      tenantId,
      caller: CALLER,
      store: this.#store,
      reader: this.#reader,
      newSalt,
    });
  }
}

const LINE: LineInput = {
  lot_code: 'LOT',
  product_sku: 'FLOUR',
  direction: 'in',
  quantity: 2,
  unit: 'kg',
  supplier_name: 'Mill %',
  origin_facility: 'Silo_1',
};

const RECEIVED: EventInput = {
  event_type: 'RECEIVE',
  occurred_at: '2026-03-02T06:15:00Z',
  location: 'BAKERY',
  reference: 'R-1',
  lines: [LINE],
};
