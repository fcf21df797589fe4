// Runs the check of a file in a thread and answers the thread's lookups. A small file is checked on the
// spot: starting a thread would take longer. A thread that has answered stays for the next file for a while.
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { checkFile, type CheckOptions, type CheckResult, type SourceOptions } from './check.ts';
import { surveyFile, type SurveyResult } from './mapping/survey.ts';
import { noWorkbook } from './workbook/refusal.ts';
import type { CheckJob, FromCheckThread, ToCheckThread } from './check-messages.ts';

/**
 * Bytes of the largest file that is checked on the spot, about 1,200 events of two rows: 20 ms of
 * work in pieces of 5. A thread takes 200 ms to start.
 */
const ON_THE_SPOT_BYTES_MAX = 262_144;
/**
 * The memory of a check depends on its limits, not on the size of the file; more than this is a
 * defect.
 */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;
/** How long the one kept thread waits for the next file. It uses some 20 MB meanwhile. */
const KEPT_MS = 20_000;

export interface SurveyOptions extends SourceOptions {
  readonly signal: AbortSignal;
}

export interface ThreadedCheckOptions extends CheckOptions {
  readonly signal: AbortSignal;
}

/**
 * @throws DatabaseError when a lookup fails, and `database_full` when the disk has no room for the
 * files of the check
 * @throws the signal's reason when it is given
 */
export async function checkInThread(options: ThreadedCheckOptions): Promise<CheckResult> {
  if (await isSmall(options)) return await checkFile(options);
  const result = await resultOfThread('check', options);
  if (result.kind === 'surveyed') throw new Error('checking a file: the thread has surveyed it');
  return result;
}

/**
 * Surveys a file without a mapping.
 * @throws as `checkInThread`
 */
export async function surveyInThread(options: SurveyOptions): Promise<SurveyResult> {
  if (await isSmall(options)) return await surveyFile(options);
  const result = await resultOfThread('survey', {
    ...options,
    nowMs: 0,
    findStored: () => Promise.resolve([]),
  });
  if (result.kind === 'surveyed' || result.kind === 'unreadable') return result;
  throw new Error('looking at a file: the thread has checked it');
}

/** A small workbook may unpack to a large one. */
async function isSmall({ file, kind, signal }: SurveyOptions): Promise<boolean> {
  const { size } = await stat(file);
  signal.throwIfAborted();
  return kind.type === 'csv' && size <= ON_THE_SPOT_BYTES_MAX;
}

async function resultOfThread(
  task: CheckJob['task'],
  options: ThreadedCheckOptions,
): Promise<CheckResult | SurveyResult> {
  const { file, kind, form, folder, nowMs, keepsWrongRows = false } = options;
  const worker = takeKept() ?? startThread();
  try {
    const result = awaitResult(worker, options);
    const job: CheckJob = { task, file, kind, form, folder, nowMs, keepsWrongRows };
    send(worker, { kind: 'order', job });
    const answer = await result;
    // It has died of a workbook that is too large.
    if (answer !== TOO_LARGE) keep(worker);
    return answer;
  } finally {
    // One that was stopped, or failed, may still be at work.
    if (worker !== kept?.worker) await worker.terminate();
  }
}

/** The thread that waits for the next file. It keeps no process from ending. */
let kept: { readonly worker: Worker; readonly end: NodeJS.Timeout } | undefined;

function startThread(): Worker {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), {
    resourceLimits: THREAD_MEMORY,
  });
  // If the thread ends during a check, the check reports the error.
  const forget = (): void => {
    if (kept?.worker === worker) takeKept();
  };
  return worker.on('error', forget).on('exit', forget);
}

function takeKept(): Worker | undefined {
  if (kept === undefined) return undefined;
  const { worker, end } = kept;
  kept = undefined;
  clearTimeout(end);
  worker.ref();
  return worker;
}

/** Does nothing while another one is kept. */
function keep(worker: Worker): void {
  if (kept !== undefined) return;
  worker.unref();
  const end = setTimeout(() => void takeKept()?.terminate(), KEPT_MS).unref();
  kept = { worker, end };
}

function send(worker: Worker, message: ToCheckThread): void {
  worker.postMessage(message);
}

async function awaitResult(
  worker: Worker,
  options: ThreadedCheckOptions,
): Promise<CheckResult | SurveyResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CheckResult | SurveyResult>();
  const stop = (): void => reject(abortReason(options.signal));
  const fail = (error: unknown): void => {
    if (options.kind.type === 'xlsx' && isOutOfMemory(error)) resolve(TOO_LARGE);
    else reject(error);
  };
  const end = (): void => reject(new Error('checking a file: the thread ended without a result'));
  const receive = (message: FromCheckThread): void => {
    switch (message.kind) {
      case 'lookup':
        options.findStored(message.keys).then((events) => {
          send(worker, { kind: 'looked-up', id: message.id, events });
        }, reject);
        break;
      case 'result':
      case 'surveyed':
        resolve(message.result);
        break;
      case 'failure':
        reject(toFailure(message));
        break;
    }
  };
  options.signal.addEventListener('abort', stop);
  worker.on('error', fail).on('exit', end).on('message', receive);
  try {
    return await promise;
  } finally {
    options.signal.removeEventListener('abort', stop);
    worker.off('error', fail).off('exit', end).off('message', receive);
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** A workbook that is made to need more memory than its limits allow is refused, not a defect. */
const TOO_LARGE: CheckResult = {
  kind: 'unreadable',
  errors: noWorkbook('The workbook needs too much memory: save its sheet as CSV').errors,
};

function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('the import was stopped', { cause: reason });
}

function toFailure(failure: Extract<FromCheckThread, { kind: 'failure' }>): Error {
  const error = new Error(`checking a file: ${failure.message}`);
  return failure.systemCode === null ? error : Object.assign(error, { code: failure.systemCode });
}
