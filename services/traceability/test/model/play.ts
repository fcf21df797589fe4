// Plays a random supply chain: asks the hub for each step, and lets the model follow what it answered.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { valueAt, type Answer, type Booted } from '../boot.ts';
import { testEngine } from '../engine.ts';
import { ChainModel } from './chain-model.ts';
import type { PostedCorrection, PostedEvent } from './records.ts';
import { shownValue } from './correction-model.ts';
import type { ChangePlan, Step } from './supply-chains.ts';

const REASON = 'typing error';
const LOOK_MS = 20;

/**
 * Plays all steps in their order; the model is what must be there after that.
 * @param model of what was played before
 */
export async function playChain(
  hub: Booted,
  steps: readonly Step[],
  model = new ChainModel(),
): Promise<ChainModel> {
  for (const step of steps) await playStep(hub, model, step);
  return model;
}

/** Plays one step; the model follows. */
export async function playStep(hub: Booted, model: ChainModel, step: Step): Promise<void> {
  switch (step.kind) {
    case 'post':
      return await post(hub, model, step.tenantId, step.events);
    case 'correct':
    case 'void': {
      const request = buildRequest(model, step);
      if (request !== undefined) await correct(hub, model, step.tenantId, request);
      return;
    }
    case 'hold':
    case 'release': {
      const codes = [...model.mapNamings(step.tenantId).keys()];
      const lotCode = codes[step.pick % codes.length];
      if (lotCode !== undefined) await hold(hub, model, { ...step, lotCode });
      return;
    }
    case 'rest':
      return await rest(hub);
  }
}

/** Waits until every lot is in the search index; PostgreSQL's is never behind. */
export async function rest(hub: Booted): Promise<void> {
  if (testEngine === 'postgres') return;
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const [waiting] = await hub.database.rows(
      'select count(*) as lots from lots where lot_no > (select lot_no from lot_search_through)',
    );
    if (waiting?.['lots'] === 0) return;
    await sleep(LOOK_MS);
  }
  assert.fail('lots still wait for the search index');
}

/** Posts events of one tenant, several as one batch. */
export async function post(
  hub: Booted,
  model: ChainModel,
  tenantId: string,
  events: readonly PostedEvent[],
): Promise<void> {
  const headers = { 'X-Tenant-Id': tenantId };
  const [only] = events;
  if (events.length === 1 && only !== undefined) {
    const answer = await hub.post('/v1/events', only, headers);
    assertStatus(hub, answer, 201);
    model.post(tenantId, Number(answer.json['id']), only);
    return;
  }
  const answer = await hub.post('/v1/events/batch', { events }, headers);
  assertStatus(hub, answer, 201);
  for (const [index, event] of events.entries()) {
    model.post(tenantId, Number(valueAt(answer.json, 'results', index, 'id')), event);
  }
}

/** Corrects an event, and expects the refusal that the model expects. */
export async function correct(
  hub: Booted,
  model: ChainModel,
  tenantId: string,
  request: PostedCorrection,
): Promise<void> {
  const planned = model.plan(tenantId, request);
  const answer = await hub.post('/v1/corrections', request, { 'X-Tenant-Id': tenantId });
  assertStatus(hub, answer, planned === undefined ? 400 : 201);
  if (planned === undefined) return;
  assert.deepEqual(answer.json['changes'], planned);
  model.correct(tenantId, Number(answer.json['id']), request);
}

/** Sets or ends a hold by hand. */
export async function hold(
  hub: Booted,
  model: ChainModel,
  change: {
    readonly kind: 'hold' | 'release';
    readonly tenantId: string;
    readonly lotCode: string;
    readonly pick: number;
  },
): Promise<void> {
  const { kind, tenantId, lotCode } = change;
  const by = `person ${change.pick % 2}`;
  const path = `/v1/lots/${encodeURIComponent(lotCode)}/${kind}`;
  const answer = await hub.post(path, { reason: REASON, by }, { 'X-Tenant-Id': tenantId });
  assertStatus(hub, answer, 200);
  if (kind === 'hold') model.hold(tenantId, lotCode, { reason: REASON, by });
  else model.release(tenantId, lotCode);
}

/** The log says the cause of an unexpected refusal. */
function assertStatus(hub: Booted, answer: Answer, status: number): void {
  const warnings = hub
    .log()
    .split('\n')
    .filter((line) => /"level":[456]0/.test(line));
  assert.equal(answer.status, status, [answer.text, ...warnings.slice(-5)].join('\n'));
}

/** A correction of one of the tenant's events; nothing when it has none. */
function buildRequest(
  model: ChainModel,
  step: Extract<Step, { readonly kind: 'correct' | 'void' }>,
): PostedCorrection | undefined {
  const events = model.listEvents(step.tenantId);
  const target = events[step.pick % events.length];
  if (target === undefined) return undefined;
  const plans: readonly ChangePlan[] =
    step.kind === 'void'
      ? [{ field: 'status', pick: 0, spelling: 'bare', newValue: 'voided' }]
      : step.changes;
  const changes = plans.map(({ field, pick, spelling, newValue }) => {
    const lineNo = pick % target.effective.lines.length;
    const old = shownValue(target, field, lineNo);
    const isWrong = step.kind === 'correct' && step.claims === 'wrong';
    return {
      field: old.isLine ? spelledField(field, lineNo, spelling) : field,
      old_value: isWrong ? 'nonsense' : old.value,
      new_value: newValue,
    };
  });
  return { corrects_event_id: target.height, reason: REASON, requested_by: 'Ada', changes };
}

function spelledField(field: string, lineNo: number, spelling: ChangePlan['spelling']): string {
  switch (spelling) {
    case 'brackets':
      return `lines[${lineNo}].${field}`;
    case 'dots':
      return `lines.${lineNo}.${field}`;
    case 'slashes':
      return `/lines/${lineNo}/${field}`;
    case 'bare':
      return field;
  }
}
