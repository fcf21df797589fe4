// What a page of docs/interface says, in the form of interface-facts.ts. Its tables are distinguished by the first
// cell of their headers:
//
// | request | body | answer | statuses | does |     each operation, once
// | parameter | limits | of | is |                  query parameters and headers, with their requests
// | part | limits | is |                            what is in braces in a path
// | field | required | limits | is |                fields of a body; the heading above names the body
//
// Lists say what would not fit into a table:
//
// - `EventAnswer` has `id`, `chain`                    members of an answer; "all of `Lot`" stands for those
// - `action` is one of `open_case`, `move_case`        words of a list that a table only counts
import assert from 'node:assert/strict';
import { collectFacts, listed, listOperations } from './interface-facts.ts';
import type { Description, Facts } from './interface-facts.ts';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/**
 * Asserts that a page names every request, field, limit, status and member that a service describes, and no other.
 *
 * @param factsMin a description with fewer facts was not read whole
 */
export function assertPageNames(page: string, description: Description, factsMin: number): void {
  const described = collectFacts(description);
  const named = readFacts(page);

  assert.ok(described.size > factsMin, `${described.size} facts`);
  assert.deepEqual([...described.difference(named)], [], 'missing on the page');
  assert.deepEqual([...named.difference(described)], [], 'not described by the service');
  assert.deepEqual(findUnknownRequests(page, description), []);
}

/** Asserts that a page lists every code of a refusal with its status, and no other. */
export function assertPageListsCodes(
  page: string,
  statuses: Readonly<Record<string, number>>,
): void {
  assert.deepEqual(readTableCodes(page, 'code').toSorted(), Object.keys(statuses).toSorted());
  for (const [code, status] of Object.entries(statuses)) {
    assert.match(page, new RegExp(`^\\| \`${code}\` +\\| ${status} `, 'm'));
  }
}

/** Everything that the tables of a page say, in the same form. */
export function readFacts(page: string): Facts {
  const facts = new Set<string>();
  const members = new Map<string, Set<string>>();
  for (const { heading, header, cells } of readRows(page)) {
    const [first = '', second = '', third = '', fourth = ''] = cells;
    const names = readCodes(first);
    const [name = ''] = names;
    if (header === 'request') {
      facts.add(`${name}: body ${listed(readCodes(second))}`);
      facts.add(`${name}: answer ${listed(readCodes(third))}`);
      facts.add(
        `${name}: statuses ${fourth
          .split(/[\s`]+/)
          .filter(Boolean)
          .sort()
          .join(' ')}`,
      );
    } else if (header === 'parameter') {
      for (const request of readCodes(third)) facts.add(`${request}: ${name}: ${second}`);
    } else if (header === 'part') {
      facts.add(`part ${name}: ${second}`);
    } else if (header === 'field') {
      facts.add(`body ${heading}: ${name} ${second}: ${third}`);
    }
  }
  for (const [, name = '', verb, rest = ''] of page.matchAll(
    /^- `(\w+)` (has|is one of) (.+)$/gm,
  )) {
    if (verb === 'has') {
      const alike = [...rest.matchAll(/all of `(\w+)`/g)].map(([, one]) => one!);
      const own = readCodes(rest).filter((one) => !alike.includes(one));
      members.set(name, new Set([...alike.flatMap((one) => [...members.get(one)!]), ...own]));
    } else {
      for (const word of readCodes(rest)) facts.add(`word of ${name}: ${word}`);
    }
  }
  for (const [answer, names] of members) {
    for (const member of names) facts.add(`answer ${answer}: ${member}`);
  }
  return facts;
}

/** Requests that the text names and the description does not have, such as `POST /v1/event`. */
export function findUnknownRequests(page: string, description: Description): readonly string[] {
  const known = new Set(listOperations(description).map(({ name }) => name));
  const paths = Object.keys(description.paths);
  const isKnown = (code: string): boolean =>
    paths.some((path) => path === code || path.startsWith(`${code}/`));
  return readCodes(page).filter((code) => {
    const [method = '', path] = code.split(' ');
    if (path === undefined) return /^\/(v1|public|log|api\/v1)\//.test(code) && !isKnown(code);
    return METHODS.has(method.toLowerCase()) && path.startsWith('/') && !known.has(code);
  });
}

/** Codes in the first cells of the tables whose header begins with `name`. */
export function readTableCodes(page: string, name: string): readonly string[] {
  return readRows(page)
    .filter(({ header }) => header === name)
    .flatMap(({ cells }) => readCodes(cells[0] ?? ''));
}

function readCodes(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!.replaceAll('\\|', '|'));
}

interface Row {
  /** The last heading above, without its marks. */
  readonly heading: string;
  /** The first cell of the table's header. */
  readonly header: string;
  readonly cells: readonly string[];
}

function readRows(page: string): readonly Row[] {
  const rows: Row[] = [];
  let heading = '';
  let header: string | undefined;
  for (const line of page.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+\s*/, '').replaceAll('`', '');
    if (!line.startsWith('|')) {
      header = undefined;
      continue;
    }
    const cells = line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    if (header === undefined) header = cells[0] ?? '';
    else if (!/^:?-+:?$/.test(cells[0] ?? '')) rows.push({ heading, header, cells });
  }
  return rows;
}
