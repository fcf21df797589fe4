// The lines that `lothub serve` prints when the hub is ready: its address, the keys of the first
// start, and three commands to copy and try.
import { setUpLines } from '@lothub/people/cli/set-up-lines';
import { policyLines, type ServedWitness } from '@lothub/witness/policy-lines';
import { CONSOLE } from '../console/paths.ts';
import type { IssuedKey } from '../keys/key-store.ts';

const EXAMPLE_LOT = 'FLOUR-0105';

/** The same each time, so that sending it twice is a replay. */
const EXAMPLE_EVENT = {
  external_id: 'first-event',
  event_type: 'RECEIVE',
  occurred_at: '2026-01-05T08:00:00+01:00',
  location: 'BAKERY-1',
  reference: 'PO-1',
  lines: [
    {
      lot_code: EXAMPLE_LOT,
      product_sku: 'FLOUR-T55',
      direction: 'in',
      quantity: 250,
      unit: 'kg',
      supplier_name: 'Brandt Mill',
      supplier_lot_code: 'BR-118',
    },
  ],
};

export function bannerLines(facts: {
  readonly address: string;
  readonly dataDir: string;
  /** The server's database that holds the hub; undefined: it is in `dataDir`. */
  readonly database: string | undefined;
  readonly firstKeys: readonly IssuedKey[];
  /** Link for the first account; undefined when there is an account, or another service prints it. */
  readonly setUpUrl: string | undefined;
  /** The witness that the hub is for others; undefined: it is none. */
  readonly witness: ServedWitness | undefined;
}): readonly string[] {
  const { address, dataDir, database, firstKeys, setUpUrl, witness } = facts;
  return [
    ...(database === undefined ? [] : [`Database: ${database}`]),
    `Data directory: ${dataDir}`,
    ...keyLines(firstKeys),
    ...(setUpUrl === undefined ? [] : ['', ...setUpLines(setUpUrl)]),
    ...(witness === undefined ? [] : ['', ...policyLines(witness)]),
    '',
    'Three things to try:',
    '',
    '  1. Record an event:',
    '',
    ...curlLines(address, firstKeys),
    '',
    '  2. Verify its lot, as a customer would:',
    '',
    `     ${address}/public/verify/${EXAMPLE_LOT}`,
    '',
    '  3. Read the API, each endpoint with a command that calls it:',
    '',
    `     ${address}/docs`,
    '',
    'The people of a brand, and the operators of the hub, work at',
    '',
    `     ${address}${CONSOLE}`,
  ];
}

/** The keys of a first start, for the one moment in which they can be seen. */
export function keyLines(firstKeys: readonly IssuedKey[]): readonly string[] {
  if (firstKeys.length === 0) return [];
  return [
    '',
    'Keys of this hub. Keep them now: they are never shown again, only their hashes are stored.',
    '',
    ...firstKeys.map(({ key, record }) => `  ${record.role.padEnd('tenant'.length)}  ${key}`),
  ];
}

function curlLines(address: string, firstKeys: readonly IssuedKey[]): readonly string[] {
  const tenantKey = firstKeys.find(({ record }) => record.role === 'tenant')?.key;
  return [
    `curl -X POST ${address}/v1/events \\`,
    // Double quotes let the shell put in the operator's own key where none was made just now.
    `  -H "X-Api-Key: ${tenantKey ?? '$TENANT_API_KEY'}" -H "X-Tenant-Id: bakery" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${JSON.stringify(EXAMPLE_EVENT)}'`,
  ].map((line) => `     ${line}`);
}
