// `lothub keys`: lists, issues, rotates and revokes API keys, also while services run, which take
// changes up within a second.
import { instantText, systemClock } from '@lothub/kit/clock';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { LABEL_MAX, isKeyLabel } from '../keys/key-label.ts';
import {
  acceptKey,
  issueKey,
  keyStanding,
  listKeys,
  revokeKey,
  rotateKey,
} from '../keys/key-store.ts';
import type { IssuedKey, KeyDatabase, KeyRecord, KeyRole } from '../keys/key-store.ts';
import { readLastUses } from '../keys/key-uses.ts';
import { KEY_LIMITS, type KeyLimit } from '../ledger/tables/off-chain.ts';
import { readSettings } from '../settings.ts';
import { parseTenantId } from './arguments.ts';
import { CommandError, EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { openHub } from './operated-hub.ts';
import { answer, note, tableText, type Output } from '@lothub/kit/cli/terminal';

const OVERLAP_HOURS_DEFAULT = 24;
/** A year: an old key that should live longer should not be rotated. */
const OVERLAP_HOURS_MAX = 8_760;
const MS_PER_HOUR = 3_600_000;

interface IssueOptions {
  readonly role: KeyRole;
  readonly label: string;
  readonly tenant?: string;
  readonly anyTenant?: true;
  readonly limit?: KeyLimit;
}

interface RotateOptions {
  readonly overlapHours: number;
}

export function addKeys(program: Command, { output, finish }: Invocation): void {
  const keys = program
    .command('keys')
    .description('list, issue, rotate, revoke and accept API keys');

  defineCommand(keys, {
    name: 'list',
    summary: 'list all keys, without the keys themselves',
    examples: ['lothub keys list'],
  }).action(async () => finish(await withKeys(output, (hub) => list(output, hub))));

  defineCommand(keys, {
    name: 'issue',
    summary: 'issue a key and print it once',
    examples: [
      'lothub keys issue --role tenant --label "bakery ERP" --tenant bakery --limit post-events',
    ],
  })
    .addOption(
      new Option('--role <ROLE>', 'what the key opens')
        .choices(['tenant', 'admin'])
        .makeOptionMandatory(),
    )
    .requiredOption('--label <TEXT>', 'whose key it is; noted in the audit log', parseLabel)
    .addOption(
      new Option('--tenant <ID>', 'the one tenant that a tenant key serves')
        .argParser(parseTenantId)
        .conflicts('anyTenant'),
    )
    .option('--any-tenant', 'a tenant key that may write in the name of every tenant')
    .addOption(
      new Option(
        '--limit <LIMIT>',
        'what a tenant key may do: read what the tenant has, post events and import files and nothing ' +
          'else, or all (default)',
      ).choices(KEY_LIMITS),
    )
    .action(async (options: IssueOptions) => {
      finish(await withKeys(output, (hub) => issue(output, hub, options)));
    });

  defineCommand(keys, {
    name: 'rotate <KEY_ID>',
    summary: 'issue a key in place of another, which stays valid for a while',
    examples: ['lothub keys rotate 0d5e5a1c-5a0b-4a7e-9d8e-2f1f6a1b7c33 --overlap-hours 48'],
  })
    .option(
      '--overlap-hours <N>',
      'how long the old key stays valid; 0 ends it now',
      parseOverlapHours,
      OVERLAP_HOURS_DEFAULT,
    )
    .action(async (keyId: string, options: RotateOptions) => {
      finish(await withKeys(output, (hub) => rotate(output, hub, keyId, options)));
    });

  defineCommand(keys, {
    name: 'revoke <KEY_ID>',
    summary: 'end a key; the running service refuses it within a second',
    examples: ['lothub keys revoke 0d5e5a1c-5a0b-4a7e-9d8e-2f1f6a1b7c33'],
  }).action(async (keyId: string) => {
    finish(await withKeys(output, (hub) => revoke(output, hub, keyId)));
  });

  defineCommand(keys, {
    name: 'accept <KEY_ID>',
    summary: 'accept that several tenants write with a key; ends the warning about it',
    examples: ['lothub keys accept 0d5e5a1c-5a0b-4a7e-9d8e-2f1f6a1b7c33'],
  }).action(async (keyId: string) => {
    finish(await withKeys(output, (hub) => accept(output, hub, keyId)));
  });
}

async function withKeys(
  output: Output,
  work: (database: KeyDatabase) => Promise<ExitCode>,
): Promise<ExitCode> {
  await using database = await openHub(readSettings(output.terminal.environment));
  return await work(database);
}

async function list(output: Output, database: KeyDatabase): Promise<ExitCode> {
  const nowMs = systemClock.nowMs();
  const records = await listKeys(database);
  const uses = await readLastUses(
    database.reader,
    records.map((record) => record.key_id),
  );
  const findLastUse = (record: KeyRecord): string | null => uses.get(record.key_id) ?? null;
  const rows = records.map((record) => [
    record.key_id,
    record.role,
    tenantText(record),
    record.limited_to,
    describeState(record, nowMs),
    record.created_at,
    findLastUse(record) ?? 'never',
    record.label,
  ]);
  await answer(output, {
    json: {
      ok: true,
      keys: records.map((record) => ({
        ...describe(record, nowMs),
        last_used_at: findLastUse(record),
      })),
    },
    text: tableText(
      ['key id', 'role', 'tenant', 'limit', 'state', 'created', 'last used', 'label'],
      rows,
    ),
  });
  return EXIT.ok;
}

async function issue(
  output: Output,
  database: KeyDatabase,
  options: IssueOptions,
): Promise<ExitCode> {
  const { role, tenant, anyTenant, limit } = options;
  if (role === 'admin' && limit !== undefined) {
    throw new CommandError(
      'usage_wrong',
      'issuing an admin key: it has no limit; leave --limit out, or give --role tenant',
    );
  }
  if (role === 'admin' && (tenant !== undefined || anyTenant)) {
    const given = tenant === undefined ? '--any-tenant' : '--tenant';
    throw new CommandError(
      'usage_wrong',
      `issuing an admin key: it spans all tenants; leave ${given} out, or give --role tenant`,
    );
  }
  if (role === 'tenant' && tenant === undefined && !anyTenant) {
    throw new CommandError(
      'usage_wrong',
      'issuing a tenant key: name the tenant that it is for with --tenant; only with --any-tenant it ' +
        'may write in the name of every tenant',
    );
  }
  const issued = await issueKey(database, {
    role,
    label: options.label,
    tenantId: tenant ?? null,
    limitedTo: limit ?? 'all',
    nowMs: systemClock.nowMs(),
  });
  await showOnce(output, issued);
  return EXIT.ok;
}

async function rotate(
  output: Output,
  database: KeyDatabase,
  keyId: string,
  options: RotateOptions,
): Promise<ExitCode> {
  const nowMs = systemClock.nowMs();
  const overlapMs = options.overlapHours * MS_PER_HOUR;
  const issued = await rotateKey(database, { keyId, overlapMs, nowMs });
  await showOnce(output, issued, { key_id: keyId, valid_until: instantText(nowMs + overlapMs) });
  return EXIT.ok;
}

async function revoke(output: Output, database: KeyDatabase, keyId: string): Promise<ExitCode> {
  const nowMs = systemClock.nowMs();
  const record = await revokeKey(database, { keyId, nowMs });
  await answer(output, {
    json: { ok: true, key: describe(record, nowMs) },
    text: `Key ${record.key_id} (${record.label}) is revoked.`,
  });
  if (record.origin === 'settings') {
    note(
      output,
      `The key came from the settings: change ${SETTING_OF[record.role]} as well, ` +
        'or the next start makes it valid again.',
    );
  }
  return EXIT.ok;
}

async function accept(output: Output, database: KeyDatabase, keyId: string): Promise<ExitCode> {
  const nowMs = systemClock.nowMs();
  const record = await acceptKey(database, { keyId, nowMs });
  await answer(output, {
    json: { ok: true, key: describe(record, nowMs) },
    text: `Key ${record.key_id} (${record.label}) may serve any number of tenants.`,
  });
  return EXIT.ok;
}

const SETTING_OF: Readonly<Record<KeyRole, string>> = {
  tenant: 'TENANT_API_KEY',
  admin: 'ADMIN_API_KEY',
};

/** The one moment at which a key can be seen. */
async function showOnce(
  output: Output,
  { key, record }: IssuedKey,
  replaces?: { readonly key_id: string; readonly valid_until: string },
): Promise<void> {
  const described = { ...describe(record, systemClock.nowMs()), key };
  await answer(output, {
    json: { ok: true, key: described, ...(replaces === undefined ? {} : { replaces }) },
    text: [
      key,
      '',
      'Keep it now: it is never shown again, only its hash is stored.',
      `Key id ${record.key_id}, ${record.role} key for ${record.tenant_id ?? 'any tenant'}${limitText(record)}.`,
      ...(replaces === undefined
        ? []
        : [`Key ${replaces.key_id} stays valid until ${replaces.valid_until}.`]),
    ].join('\n'),
  });
}

function limitText({ limited_to: limit }: KeyRecord): string {
  return limit === 'all' ? '' : `, limited to ${limit}`;
}

/** The public part of a key: without its hash. */
function describe(record: KeyRecord, nowMs: number) {
  return {
    key_id: record.key_id,
    role: record.role,
    label: record.label,
    tenant_id: record.tenant_id,
    origin: record.origin,
    limited_to: record.limited_to,
    state: keyStanding(record, nowMs),
    created_at: record.created_at,
    expires_at: record.expires_at,
    revoked_at: record.revoked_at,
    writers: listWriters(record),
    tenants_accepted_at: record.tenants_accepted_at,
  };
}

/** Lists the first two tenants that wrote with a key that is bound to no tenant. */
function listWriters(record: KeyRecord): readonly string[] {
  const { first_tenant_id: first, second_tenant_id: second } = record;
  return [first, second].filter((tenantId) => tenantId !== null);
}

/** Writes the tenants of a key for the list; names writers only when there are several. */
function tenantText(record: KeyRecord): string {
  const writers = listWriters(record);
  return record.tenant_id ?? (writers.length > 1 ? `any (${writers.join(', ')})` : 'any');
}

function describeState(record: KeyRecord, nowMs: number): string {
  const { state, expires_at: expiresAt } = describe(record, nowMs);
  return state === 'active' && expiresAt !== null ? `active until ${expiresAt}` : state;
}

function parseLabel(text: string): string {
  if (!isKeyLabel(text))
    throw new InvalidArgumentError(`Give 1 to ${LABEL_MAX} printable characters.`);
  return text;
}

function parseOverlapHours(text: string): number {
  const hours = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (hours <= OVERLAP_HOURS_MAX) return hours;
  throw new InvalidArgumentError(`Give a whole number of hours from 0 to ${OVERLAP_HOURS_MAX}.`);
}
