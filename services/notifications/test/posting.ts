// A group with a key, written past the service, and posts with that key.
import { newApiToken } from '@lothub/kit/secrets/api-token';
import { rawRequest, type RawAnswer } from '@lothub/kit/test/raw-request';
import { KEY_PREFIX } from '../src/keys/key-prefix.ts';
import { insertKey } from '../src/keys/key-queries.ts';
import type { Answer, Booted, Json } from './boot.ts';
import type { StoredRow } from './engine.ts';
import { storeGroup } from './stored-group.ts';

export const INGEST = '/api/v1/ingest';

export interface Poster {
  readonly groupId: string;
  readonly keyId: string;
  readonly key: string;
  readonly post: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** A body as it is; `headers` win over the usual ones. */
  readonly postText: (
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
  /** Bytes of a body behind header lines as they are; `X-Api-Key` has to be among them. */
  readonly postRaw: (lines: readonly string[], body: string | Buffer) => Promise<RawAnswer>;
  /** What is stored in the group, oldest first. */
  readonly stored: () => Promise<readonly StoredRow[]>;
}

export async function newPoster(booted: Booted): Promise<Poster> {
  const groupId = await storeGroup(booted.service.store);
  const { id, key } = await insertNewKey(booted, groupId);
  const postText: Poster['postText'] = (body, headers = {}) =>
    booted.call(INGEST, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': key, ...headers },
      body,
    });
  return {
    groupId,
    keyId: id,
    key,
    postText,
    post: (body, headers) => postText(JSON.stringify(body), headers),
    postRaw: (lines, body) => {
      const bytes = Buffer.from(body);
      const head = [
        `POST ${INGEST} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        `Content-Length: ${bytes.length}`,
        ...lines,
      ];
      return rawRequest(
        booted.base,
        Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]),
      );
    },
    stored: () =>
      booted.database.rows(
        `select id, seq, title, body, severity, created_at, key_id
        from notifications
        where group_id = ?
        order by seq`,
        groupId,
      ),
  };
}

export async function insertNewKey(
  booted: Booted,
  groupId: string,
  changes: { readonly expiresAt?: number | null } = {},
): Promise<{ readonly id: string; readonly key: string }> {
  const { id, token, hash } = newApiToken(KEY_PREFIX);
  await booted.service.store.write([
    insertKey({
      id,
      groupId,
      name: 'Test',
      secretHash: hash,
      adapter: null,
      signingSecret: null,
      createdBy: null,
      createdAt: 1,
      expiresAt: changes.expiresAt ?? null,
    }),
  ]);
  return { id, key: token };
}

/** How the fields of a 422 are wrong: `/title too_long 120 121`. */
export function listFields(answer: Answer): readonly string[] {
  const errors: readonly Json[] = Object.values(answer.json['errors'] ?? {});
  return errors
    .map(({ pointer, code, limit, actual }) =>
      [pointer, code, ...[limit, actual].filter((one) => one !== null)].map(String).join(' '),
    )
    .sort();
}

/** Such as `422 fields_invalid`. */
export function formatCode(answer: Answer | RawAnswer): string {
  const json: Json = 'json' in answer ? answer.json : (JSON.parse(answer.body || '{}') as Json);
  return `${answer.status} ${String(json['code'])}`;
}
