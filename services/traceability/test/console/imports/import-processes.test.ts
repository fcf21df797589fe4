// Two processes of the hub over one database and a file that people import: the process that has the file goes on with
// it, the other one says where it is, and whatever is pressed at the same moment, each event is stored once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openPeople, type People } from '@lothub/people/people';
import { at, present } from '@lothub/kit/present';
import { newTenant } from '../../boot.ts';
import { newBarePostgres, type PostgresTestDatabase } from '../../engine.ts';
import { ServiceProcesses } from '../../processes/processes.ts';
import { newVisitor, open, readWords, submit, type Page, type TestVisitor } from '../visitors.ts';
import { sendFile } from './files.ts';

const EVENTS = 300;
const HEADER =
  'event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit';

let database: PostgresTestDatabase;
let processes: ServiceProcesses;
let people: People;
before(async () => {
  database = await newBarePostgres();
  processes = await ServiceProcesses.start({ count: 2, databaseUrl: database.databaseUrl });
  people = await openPeople({
    settings: {
      dataDir: database.dataDir,
      publicUrl: at(processes.bases, 0),
      loginRates: { burst: 0, perMinute: 0 },
    },
    databaseUrl: database.databaseUrl,
    log: { warn: () => undefined },
    onFatal: (error) => {
      throw error;
    },
  });
});
after(async () => {
  await people.close();
  await processes[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function buildFile(reference: string): string {
  const rows = Array.from(
    { length: EVENTS },
    (_, n) => `RECEIVE,2026-03-02T07:15:00Z,BAKERY-1,${reference}-${n},LOT-${n},FLOUR,in,1,kg`,
  );
  return [HEADER, ...rows].join('\n');
}

interface AtProcess {
  readonly base: string;
  get(path: string): Promise<Page>;
  post(path: string, values: Readonly<Record<string, string>>): Promise<Page>;
}

/** The same person at both processes, as a proxy may lead there. */
async function newPerson(brand: string) {
  const visitor: TestVisitor = await newVisitor(
    { base: at(processes.bases, 0), service: { people } },
    { brands: { [brand]: 'quality' } },
  );
  const { headers } = visitor;
  const each = processes.bases.map((base): AtProcess => ({
    base,
    get: (path) => open({ base }, path, { headers }),
    post: (path, values) => submit({ base }, path, { headers, values }),
  }));
  return { headers, first: at(each, 0), second: at(each, 1) };
}

async function settled(to: AtProcess, path: string): Promise<Page> {
  for (;;) {
    const page = await to.get(path);
    if (!page.text.includes('data-running')) return page;
    await wait(20);
  }
}

/** Sends a file to a process and waits until it is checked. @returns the page of its import */
async function send(
  brand: string,
  person: Awaited<ReturnType<typeof newPerson>>,
  to: AtProcess,
): Promise<string> {
  const file = buildFile('PO');
  const sent = await sendFile(to, person, { brand, file, name: 'events.csv' });
  const path = present(sent.location, sent.text);
  assert.match(readWords(await settled(to, path)), new RegExp(`Events to be stored: ${EVENTS}`));
  return path;
}

/** References that the brand has recorded, each as often as it has. */
async function stored(brand: string): Promise<{ readonly events: number; readonly each: number }> {
  const [row] = await database.rows(
    `select count(*) as events, count(distinct e.reference) as each
      from events e join tenants t on t.tenant_no = e.tenant_no where t.tenant_id = '${brand}'`,
  );
  return { events: Number(row?.['events']), each: Number(row?.['each']) };
}

test('the process without the file says which machine has it, and starts nothing', async () => {
  const brand = newTenant();
  const ada = await newPerson(brand);
  const path = await send(brand, ada, ada.first);

  const page = await ada.second.get(path);
  const list = await ada.second.get(`/console/b/${brand}/imports`);
  const pressed = await ada.second.post(`${path}/start`, { on_error: 'abort' });

  assert.match(readWords(page), /waits on another machine of the hub/);
  assert.doesNotMatch(page.text, /\/start"/);
  assert.match(readWords(list), /events\.csv/);
  assert.notEqual(pressed.status, 500);
  assert.deepEqual(await stored(brand), { events: 0, each: 0 });
});

test('two people at two processes import one file at the same moment: it is stored once', async () => {
  const brand = newTenant();
  const ada = await newPerson(brand);
  const ben = await newPerson(brand);
  const path = await send(brand, ada, ada.first);

  const answers = await Promise.all(
    [ada.first, ben.first, ben.second, ada.second].map((to) =>
      to.post(`${path}/start`, { on_error: 'abort' }),
    ),
  );
  const page = await settled(ada.first, path);
  const seen = await settled(ben.second, path);

  assert.equal(answers.filter(({ location }) => location === path).length, 1);
  assert.match(readWords(page), new RegExp(`Events stored: ${EVENTS}`));
  assert.match(readWords(seen), new RegExp(`Events stored: ${EVENTS}`));
  assert.deepEqual(await stored(brand), { events: EVENTS, each: EVENTS });
});

test('the same file sent to both processes and imported at once adds each event once', async () => {
  const brand = newTenant();
  const ada = await newPerson(brand);
  const ben = await newPerson(brand);
  const paths = [await send(brand, ada, ada.first), await send(brand, ben, ben.second)] as const;

  await Promise.all([
    ada.first.post(`${paths[0]}/start`, { on_error: 'abort' }),
    ben.second.post(`${paths[1]}/start`, { on_error: 'abort' }),
  ]);
  await Promise.all([settled(ada.first, paths[0]), settled(ben.second, paths[1])]);

  assert.deepEqual(await stored(brand), { events: EVENTS, each: EVENTS });
});
