// `lothub notifications keys`: lists, issues, rotates and revokes keys of groups, also while services run,
// which take changes up within a second.
import { EXIT, type ExitCode } from '@lothub/kit/cli/command-error';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { answer, tableText, type Output } from '@lothub/kit/cli/terminal';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { IssuedKey, Key } from '../keys/keys.ts';
import { OVERLAP_HOURS } from '../keys/key-limits.ts';
import { ADAPTERS, type Adapter } from '../keys/key-prefix.ts';
import { INSTANT_PATTERN } from '../instant-pattern.ts';
import { NAME_MAX, NAME_PATTERN } from '@lothub/kit/http/schemas/name-pattern';
import { withStore, type Operated } from './operated-store.ts';
import { addPageOptions, noteNext, parseId, type PageOptions } from '@lothub/kit/cli/pages';

const NAME = new RegExp(NAME_PATTERN, 'u');
const INSTANT = new RegExp(INSTANT_PATTERN);

interface IssueOptions {
  readonly name: string;
  readonly expiresAt?: string;
  readonly adapter?: Adapter;
}

interface RotateOptions {
  readonly overlapHours: number;
}

export function addKeys(parent: Command, { output, finish }: Invocation): void {
  const keys = parent.command('keys').description('list, issue, rotate and revoke keys of groups');

  addPageOptions(
    defineCommand(keys, {
      name: 'list',
      summary: 'list the keys of a group, without the keys themselves',
      examples: ['lothub notifications keys list grp_4fJk2mQ8xT1z'],
    }).argument('<GROUP_ID>', 'as `groups list` shows it', parseId),
    parseId,
  ).action(async (groupId: string, page: PageOptions<string>) => {
    finish(await withStore(output, (operated) => list(output, operated, { groupId, page })));
  });

  defineCommand(keys, {
    name: 'issue',
    summary: 'issue a key and print it once',
    examples: ['lothub notifications keys issue grp_4fJk2mQ8xT1z --name "Oven 3"'],
  })
    .argument('<GROUP_ID>', 'as `groups list` shows it', parseId)
    .requiredOption('--name <TEXT>', 'who or what posts with it', parseName)
    .option(
      '--expires-at <INSTANT>',
      'when it ends by itself, such as 2027-01-01T00:00:00Z',
      parseInstant,
    )
    .addOption(
      new Option('--adapter <SENDER>', 'a token for what posts in its own form').choices(ADAPTERS),
    )
    .action(async (groupId: string, options: IssueOptions) => {
      finish(await withStore(output, (operated) => issue(output, operated, { groupId, options })));
    });

  defineCommand(keys, {
    name: 'rotate',
    summary: 'issue a key in place of another, which goes on for a while',
    examples: ['lothub notifications keys rotate Zk3bQ9xT1a --overlap-hours 48'],
  })
    .argument('<KEY_ID>', 'as `keys list` shows it', parseId)
    .option(
      '--overlap-hours <N>',
      'how long the old key goes on; 0 ends it now',
      parseOverlapHours,
      OVERLAP_HOURS.default,
    )
    .action(async (keyId: string, options: RotateOptions) => {
      finish(await withStore(output, (operated) => rotate(output, operated, { keyId, options })));
    });

  defineCommand(keys, {
    name: 'revoke',
    summary: 'end a key; running services refuse it within a second',
    examples: ['lothub notifications keys revoke Zk3bQ9xT1a'],
  })
    .argument('<KEY_ID>', 'as `keys list` shows it', parseId)
    .action(async (keyId: string) => {
      finish(await withStore(output, (operated) => revoke(output, operated, keyId)));
    });
}

/** What the operator works with: loaded when it is needed, as no other command needs it. */
async function loaded() {
  const [keys, { OPERATOR }] = await Promise.all([
    import('../keys/keys.ts'),
    import('../groups/ownership.ts'),
  ]);
  return { ...keys, actor: OPERATOR };
}

async function list(
  output: Output,
  operated: Operated,
  { groupId, page }: { readonly groupId: string; readonly page: PageOptions<string> },
): Promise<ExitCode> {
  const { listKeys, actor } = await loaded();
  const { items, next } = await listKeys(operated, { actor, groupId, ...page });
  await answer(output, {
    json: { ok: true, keys: items, next },
    text: tableText(
      ['key id', 'name', 'state', 'created', 'last used'],
      items.map((key) => [
        key.id,
        key.name,
        stateText(key),
        key.created_at,
        key.last_used_at ?? 'never',
      ]),
    ),
  });
  noteNext(output, next);
  return EXIT.ok;
}

async function issue(
  output: Output,
  operated: Operated,
  { groupId, options }: { readonly groupId: string; readonly options: IssueOptions },
): Promise<ExitCode> {
  const { issueKey, actor } = await loaded();
  const { name, expiresAt = null, adapter } = options;
  await showOnce(
    output,
    await issueKey(operated, { actor, groupId }, { name, expiresAt, adapter }),
  );
  return EXIT.ok;
}

async function rotate(
  output: Output,
  operated: Operated,
  { keyId, options }: { readonly keyId: string; readonly options: RotateOptions },
): Promise<ExitCode> {
  const { groupOfKey, rotateKey, actor } = await loaded();
  const groupId = await groupOfKey(operated.store.reader, keyId);
  const { issued, old } = await rotateKey(operated, { actor, groupId, keyId, ...options });
  await showOnce(output, issued, old);
  return EXIT.ok;
}

async function revoke(output: Output, operated: Operated, keyId: string): Promise<ExitCode> {
  const { groupOfKey, revokeKey, actor } = await loaded();
  const groupId = await groupOfKey(operated.store.reader, keyId);
  const key = await revokeKey(operated, { actor, groupId, keyId });
  await answer(output, {
    json: { ok: true, key },
    text: `Key ${key.id} (${key.name}) is revoked.`,
  });
  return EXIT.ok;
}

/** The one moment at which a key can be seen. */
async function showOnce(output: Output, issued: IssuedKey, old?: Key): Promise<void> {
  await answer(output, {
    json: { ok: true, key: issued, ...(old === undefined ? {} : { replaces: old }) },
    text: [
      issued.key,
      '',
      'Keep it now: it is never shown again, only its hash is stored.',
      ...(old === undefined ? [] : [`Key ${old.id} goes on until ${old.expires_at}.`]),
    ].join('\n'),
  });
}

function stateText(key: Key): string {
  const { state, expires_at: expiresAt } = key;
  return state === 'active' && expiresAt !== null ? `active until ${expiresAt}` : state;
}

function parseName(text: string): string {
  if (NAME.test(text) && [...text].length <= NAME_MAX) return text;
  throw new InvalidArgumentError(`Give a line of 1 to ${NAME_MAX} visible characters.`);
}

function parseInstant(text: string): string {
  if (INSTANT.test(text)) return text;
  throw new InvalidArgumentError('Give an instant such as 2027-01-01T00:00:00Z.');
}

function parseOverlapHours(text: string): number {
  const hours = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (hours <= OVERLAP_HOURS.max) return hours;
  throw new InvalidArgumentError(`Give a whole number of hours from 0 to ${OVERLAP_HOURS.max}.`);
}
