// Recall cases of a benchmark: opened and cancelled as a client does it.
import { HEADERS, type ServiceChild } from '../kit/child.ts';
import { textAt } from '../kit/json-answer.ts';
import { summarizeLatencies, type Latencies } from '../kit/load.ts';

/** Cases that are opened or cancelled at once when there are many. */
const AT_ONCE = 2;

export interface OpenedCase {
  readonly caseNo: string;
  readonly elapsedMs: number;
}

export async function openCase(service: ServiceChild, seedLotCode: string): Promise<OpenedCase> {
  const startedAt = performance.now();
  const answer = await sendJson(service, {
    method: 'POST',
    path: '/v1/recall/cases',
    body: {
      seed_lot_code: seedLotCode,
      title: `Recall of ${seedLotCode}`,
      reason: 'A broken sieve wire was found',
      severity: 'class_ii',
      opened_by: 'bench',
      auto_hold: true,
    },
  });
  return { caseNo: textAt(answer, 'case_no'), elapsedMs: performance.now() - startedAt };
}

/** Its holds end with it. */
export async function cancelCase(service: ServiceChild, caseNo: string): Promise<void> {
  await sendJson(service, {
    method: 'PATCH',
    path: `/v1/recall/cases/${caseNo}/status`,
    body: { status: 'cancelled' },
  });
}

export interface OpenedCases extends Latencies {
  readonly caseNos: readonly string[];
}

export async function openCases(
  service: ServiceChild,
  seedLotCodes: readonly string[],
): Promise<OpenedCases> {
  const opened = await inTurns(seedLotCodes, (code) => openCase(service, code));
  return {
    caseNos: opened.map(({ caseNo }) => caseNo),
    ...summarizeLatencies(opened.map(({ elapsedMs }) => elapsedMs)),
  };
}

export async function cancelCases(
  service: ServiceChild,
  caseNos: readonly string[],
): Promise<void> {
  await inTurns(caseNos, (caseNo) => cancelCase(service, caseNo));
}

async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const left = items.values();
  const results: Result[] = [];
  const lane = async (): Promise<void> => {
    for (const item of left) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** @throws Error with the answer when it is a refusal */
export async function sendJson(
  service: ServiceChild,
  request: { readonly method: string; readonly path: string; readonly body?: object },
): Promise<unknown> {
  const { method, path, body } = request;
  const response = await fetch(service.address + path, {
    method,
    headers: body === undefined ? HEADERS : { ...HEADERS, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  const answer: unknown = JSON.parse(text);
  return answer;
}
