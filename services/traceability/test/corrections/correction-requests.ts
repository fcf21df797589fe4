// Corrections over HTTP, for tests: a tenant with one event, and requests to correct it.
import assert from 'node:assert/strict';
import { anEvent, newTenant, type Answer, type Booted, type Json } from '../boot.ts';

/** A tenant and the event that a test corrects. */
export interface Recorded {
  readonly tenant: string;
  readonly eventId: number;
}

/** Posts an event; `changes` replace its fields. */
export async function record(
  hub: Booted,
  changes: Readonly<Record<string, unknown>> = {},
  tenant = newTenant(),
): Promise<Recorded> {
  const answer = await hub.post('/v1/events', anEvent(changes), { 'X-Tenant-Id': tenant });
  assert.equal(answer.status, 201, answer.text);
  return { tenant, eventId: Number(answer.json['id']) };
}

/** The body of a correction. */
export function request(eventId: number, changes: readonly object[]): Record<string, unknown> {
  return {
    corrects_event_id: eventId,
    reason: 'typing error at the dock',
    requested_by: 'Jane Miller',
    changes,
  };
}

export const change = (field: string, old_value: unknown, new_value: unknown) => ({
  field,
  old_value,
  new_value,
});

export function send(hub: Booted, tenant: string, body: unknown): Promise<Answer> {
  return hub.post('/v1/corrections', body, { 'X-Tenant-Id': tenant });
}

export function correct(
  hub: Booted,
  recorded: Recorded,
  ...changes: readonly object[]
): Promise<Answer> {
  return send(hub, recorded.tenant, request(recorded.eventId, changes));
}

/** The answer to a correction that is accepted. */
export async function corrected(
  hub: Booted,
  recorded: Recorded,
  ...changes: readonly object[]
): Promise<Json> {
  const answer = await correct(hub, recorded, ...changes);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}
