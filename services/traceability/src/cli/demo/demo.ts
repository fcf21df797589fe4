// `lothub demo`: loads the supply chain under examples/ into a running hub, or into DATA_DIR
// through a service that runs during the command. Loading it again adds nothing.
import { readFile } from 'node:fs/promises';
import { systemClock } from '@lothub/kit/clock';
import { StopSignals, listen } from '@lothub/kit/lifecycle';
import type { Command } from 'commander';
import type { IssuedKey } from '../../keys/key-store.ts';
import { CommandError, EXIT, formatReason, type ExitCode } from '@lothub/kit/cli/command-error';
import { toMembers, uploadCsv } from '../uploading/csv-upload.ts';
import { defineCommand, type Invocation } from '@lothub/kit/cli/define-command';
import { DEMO_BRANDS, DEMO_PATHS, type DemoBrand } from './brands.ts';
import { parseBaseAddress } from '@lothub/kit/cli/base-address';
import { HubClient, jsonOrText } from '../hub-client.ts';
import { withPassingService } from '../passing-service.ts';
import { keyLines } from '../serve-banner.ts';
import { getTenantKey } from '../tenant-key.ts';
import { answer, countText, note, tableText, type Output } from '@lothub/kit/cli/terminal';

interface DemoOptions {
  readonly url?: string;
  readonly keyFile?: string;
}

const ABOUT =
  'Loads an invented supply chain of two brands, a dairy and a bakery, from examples/ into a hub:\n' +
  'with --url into a running one (the key, which must serve any tenant, comes from TENANT_API_KEY or\n' +
  '--key-file), without it into the hub in DATA_DIR while no service runs. Blocks are for good: use\n' +
  'a hub of its own. Loading the demo again adds nothing.';

export function addDemo(program: Command, { output, finish }: Invocation): void {
  defineCommand(program, {
    name: 'demo',
    summary: 'load an example supply chain',
    description: ABOUT,
    examples: ['DATA_DIR=./demo-data lothub demo && DATA_DIR=./demo-data lothub serve'],
  })
    .option('--url <BASE>', 'address of a running hub')
    .option('--key-file <FILE>', 'a file that holds the tenant key; with --url')
    .action(async (options: DemoOptions) => finish(await demo(output, options)));
}

async function demo(output: Output, options: DemoOptions): Promise<ExitCode> {
  using stop = new StopSignals({ clock: systemClock });
  const loaded =
    options.url === undefined
      ? await loadHere(output, stop.signal)
      : await loadThere(output, { ...options, url: options.url, signal: stop.signal });
  const { brands, url, firstKeys } = loaded;
  const lookAt = DEMO_PATHS.map((path) => url + path);
  await answer(output, {
    json: {
      ok: true,
      url,
      brands,
      look_at: lookAt,
      keys: firstKeys.map(({ key, record }) => ({ role: record.role, key, key_id: record.key_id })),
    },
    text: [
      tableText(
        ['brand', 'events', 'added', 'there already'],
        brands.map(({ tenant, events, accepted, duplicates }) => [
          tenant,
          String(events),
          String(accepted),
          String(duplicates),
        ]),
      ),
      ...keyLines(firstKeys),
      '',
      options.url === undefined ? 'Run `lothub serve`, then look at:' : 'Look at:',
      '',
      ...lookAt.map((address) => `  ${address}`),
    ].join('\n'),
  });
  return EXIT.ok;
}

interface Loaded {
  readonly brands: readonly BrandLoad[];
  /** The address of the hub for readers. */
  readonly url: string;
  readonly firstKeys: readonly IssuedKey[];
}

interface BrandLoad {
  readonly tenant: string;
  readonly events: number;
  readonly accepted: number;
  readonly duplicates: number;
}

async function loadThere(
  output: Output,
  options: DemoOptions & { readonly url: string; readonly signal: AbortSignal },
): Promise<Loaded> {
  const url = parseBaseAddress(options.url);
  const key = await getTenantKey(output, options.keyFile);
  const brands = await loadBrands(output, { base: url, key, signal: options.signal });
  return { brands, url, firstKeys: [] };
}

async function loadHere(output: Output, signal: AbortSignal): Promise<Loaded> {
  return await withPassingService(output, async ({ service, key, publicUrl }) => {
    const base = await listen(service.app, { host: '127.0.0.1', port: 0 });
    const brands = await loadBrands(output, { base, key, signal });
    return { brands, url: publicUrl, firstKeys: service.firstKeys };
  });
}

async function loadBrands(
  output: Output,
  hub: { readonly base: string; readonly key: string; readonly signal: AbortSignal },
): Promise<readonly BrandLoad[]> {
  const loads: BrandLoad[] = [];
  for (const brand of DEMO_BRANDS) {
    const client = new HubClient({
      base: hub.base,
      headers: { 'X-Api-Key': hub.key, 'X-Tenant-Id': brand.tenantId },
      signal: hub.signal,
      onWait: (seconds) => note(output, `waiting ${countText(seconds, 'second')}: the hub is busy`),
    });
    await nameBrand(client, brand);
    await putAll(client, '/v1/products', brand.products);
    await putAll(client, '/v1/places', brand.places);
    const loadsOfFiles = [await loadCsv(client, brand, hub.signal), await loadBatch(client, brand)];
    await linkSuppliers(client, brand);
    const total = (name: keyof Omit<BrandLoad, 'tenant'>): number =>
      loadsOfFiles.reduce((sum, load) => sum + load[name], 0);
    loads.push({
      tenant: brand.tenantId,
      events: total('events'),
      accepted: total('accepted'),
      duplicates: total('duplicates'),
    });
  }
  return loads;
}

async function nameBrand(client: HubClient, brand: DemoBrand): Promise<void> {
  const path = '/v1/brand';
  const given = await client.ask({ method: 'PATCH', path, json: brand.brand });
  if (given.status !== 200) throw client.refusal('PATCH', path, given);
}

/** @param values by the name of each in the path */
async function putAll(
  client: HubClient,
  path: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [name, json] of Object.entries(values)) {
    const pathOfOne = `${path}/${encodeURIComponent(name)}`;
    const given = await client.ask({ method: 'PUT', path: pathOfOne, json });
    if (given.status !== 200 && given.status !== 201) {
      throw client.refusal('PUT', pathOfOne, given);
    }
  }
}

async function linkSuppliers(client: HubClient, { suppliers }: DemoBrand): Promise<void> {
  const links = Object.entries(suppliers).map(([name, brand]) => [name, { brand }] as const);
  await putAll(client, '/v1/suppliers', Object.fromEntries<unknown>(links));
}

async function loadCsv(
  client: HubClient,
  brand: DemoBrand,
  signal: AbortSignal,
): Promise<Omit<BrandLoad, 'tenant'>> {
  const { counts, rejectedRows } = await uploadCsv({
    client,
    file: brand.csv,
    onError: 'abort',
    mode: 'import',
    form: {},
    signal,
    onBytes: () => undefined,
  });
  if (counts !== null && counts.rejected === 0) return counts;
  const [first] = rejectedRows;
  throw new CommandError(
    'hub_refused',
    `importing ${brand.csv}: row ${first?.row ?? '?'}: ${first?.reason ?? 'no reason given'}; ` +
      'load the demo into a hub of its own',
  );
}

async function loadBatch(client: HubClient, brand: DemoBrand): Promise<Omit<BrandLoad, 'tenant'>> {
  const path = '/v1/events/batch';
  const json = await batchIn(brand.batch);
  const given = await client.ask({ method: 'POST', path, json });
  const { total, accepted, duplicates } = toMembers(given.body);
  const isRight = given.status < 300 && [total, accepted, duplicates].every(Number.isSafeInteger);
  if (!isRight) throw client.refusal('POST', path, given);
  return { events: Number(total), accepted: Number(accepted), duplicates: Number(duplicates) };
}

async function batchIn(file: string): Promise<unknown> {
  try {
    return jsonOrText(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CommandError('file_unreadable', `reading ${file}: ${formatReason(error)}`, {
      cause: error,
    });
  }
}
