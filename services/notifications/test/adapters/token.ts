// A token of an adapter, as its owner gets it from the service.
import assert from 'node:assert/strict';
import type { Adapter } from '../../src/keys/key-prefix.ts';
import type { Booted } from '../boot.ts';
import { newGroup, newPerson, type TestPerson } from '../people/person.ts';

export interface AdapterToken {
  readonly ada: TestPerson;
  readonly groupId: string;
  readonly adapter: Adapter;
  readonly id: string;
  readonly token: string;
  readonly configuration: string;
}

/** @param within the group that it posts into; absent: a new one of a new person */
export async function issueToken(
  booted: Booted,
  adapter: Adapter,
  within?: Pick<AdapterToken, 'ada' | 'groupId'>,
): Promise<AdapterToken> {
  const ada = within?.ada ?? (await newPerson(booted));
  const groupId = within?.groupId ?? (await newGroup(ada));
  const body = { name: `From ${adapter}`, adapter };
  const issued = await ada.send('POST', `/api/v1/groups/${groupId}/keys`, body);
  assert.equal(issued.status, 201, issued.text);
  const { id, key, configuration } = issued.json;
  return {
    ...{ ada, groupId, adapter, id: String(id), token: String(key) },
    configuration: String(configuration),
  };
}
