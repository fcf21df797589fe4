// What scripts of a page take of each frame, out of a trace of Chromium.

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the clock. */
  readonly ts: number;
  readonly dur?: number;
  /** Microseconds of the processor: what other processes took in between is not in it. */
  readonly tdur?: number;
}

export const TRACE_CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** What a browser does because of a script, from its beginning to its end. */
const SCRIPTS: ReadonlySet<string> = new Set([
  'EvaluateScript',
  'EventDispatch',
  'FireAnimationFrame',
  'FunctionCall',
  'RunMicrotasks',
  'TimerFire',
]);
/** Ends a frame of the page: what was done is handed over to be painted. */
const FRAME = 'Commit';
const US_PER_MS = 1_000;

/**
 * Milliseconds of the processor that scripts take in each frame that has some.
 * @throws Error when the trace has no frames
 */
export function scriptsByFrame(trace: string): readonly number[] {
  const events = parseEvents(trace);
  const ends = events.filter(({ name }) => name === FRAME);
  const [first] = ends;
  if (first === undefined) throw new Error('the trace has no frames');
  const ofPage = events
    .filter(({ pid, tid, dur }) => pid === first.pid && tid === first.tid && dur !== undefined)
    .filter(({ name, ph }) => ph === 'X' && SCRIPTS.has(name))
    .sort((a, b) => a.ts - b.ts);
  const frames = ends.map(({ ts }) => ts).sort((a, b) => a - b);
  const spent = new Map<number, number>();
  let end = 0;
  for (const { ts, dur = 0, tdur = dur } of ofPage) {
    // Inside of one that is counted.
    if (ts < end) continue;
    end = ts + dur;
    const frame = frames.findIndex((frameEnd) => frameEnd >= ts);
    spent.set(frame, (spent.get(frame) ?? 0) + tdur / US_PER_MS);
  }
  return [...spent.values()];
}

function parseEvents(trace: string): readonly TraceEvent[] {
  const parsed: unknown = JSON.parse(trace);
  const list: unknown =
    typeof parsed === 'object' && parsed !== null && 'traceEvents' in parsed
      ? parsed.traceEvents
      : [];
  return Array.isArray(list) ? list.filter(isTraceEvent) : [];
}

function isTraceEvent(value: unknown): value is TraceEvent {
  return typeof value === 'object' && value !== null && 'name' in value && 'ts' in value;
}
