// What is open in a drawing of a genealogy, and its form in an address: `open=down/CODE` opens what was made
// from a lot, `open=down/CODE/GROUP/50` fifty lots of one of its products, `open=way/CODE` the way to a lot,
// `shut=…` closes what is open by default. Pure; browsers load it, too.

/** The sides of a lot: what it was made from is on its left, what was made from it on its right. */
export const SIDES = ['up', 'down'] as const;
export type Side = (typeof SIDES)[number];

/** Lots of a group that are opened at once. */
export const PAGE_LOTS = 25;
/** Steps in an address; more are left out. */
export const STEPS_MAX = 60;
export const DEPTH_DEFAULT = 2;
export const DEPTH_MAX = 4;

export type Step =
  | { readonly kind: 'side'; readonly side: Side; readonly code: string }
  | {
      readonly kind: 'group';
      readonly side: Side;
      readonly code: string;
      readonly group: string;
      readonly shown: number;
    }
  | { readonly kind: 'way'; readonly code: string };

/** The request in an address. */
export interface Asked {
  /** Hops around the lot that are open by default. */
  readonly depth: number;
  readonly open: readonly Step[];
  readonly shut: readonly Step[];
}

/** Returns a key that is the same for steps that open the same, no matter how many lots they show. */
export function buildStepKey(step: Step): string {
  if (step.kind === 'way') return `way/${encodeURIComponent(step.code)}`;
  const start = `${step.side}/${encodeURIComponent(step.code)}`;
  return step.kind === 'side' ? start : `${start}/${encodeURIComponent(step.group)}`;
}

export function formatStep(step: Step): string {
  return step.kind === 'group' ? `${buildStepKey(step)}/${step.shown}` : buildStepKey(step);
}

/** @returns undefined for a text that is not a step */
export function readStep(text: string): Step | undefined {
  const parts = text.split('/').map(decoded);
  const [side, code, group, shown] = parts;
  if (code === undefined || code === '' || parts.includes(undefined)) return undefined;
  if (side === 'way') return { kind: 'way', code };
  if (side !== 'up' && side !== 'down') return undefined;
  if (group === undefined) return { kind: 'side', side, code };
  const count = Math.floor(Number(shown ?? PAGE_LOTS));
  return { kind: 'group', side, code, group, shown: count > 0 ? count : PAGE_LOTS };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign without digits is not a step.
    return undefined;
  }
}

export function readAsked(query: URLSearchParams): Asked {
  const depth = Number(query.get('depth') ?? DEPTH_DEFAULT);
  const listSteps = (name: string): readonly Step[] =>
    query
      .getAll(name)
      .slice(0, STEPS_MAX)
      .map(readStep)
      .filter((step) => step !== undefined);
  return {
    depth: Number.isInteger(depth) ? Math.min(Math.max(depth, 0), DEPTH_MAX) : DEPTH_DEFAULT,
    open: listSteps('open'),
    shut: listSteps('shut'),
  };
}

/** Returns the query of an address, with its question mark; empty for what is open by default. */
export function buildQuery({ depth, open, shut }: Asked): string {
  const query = new URLSearchParams();
  if (depth !== DEPTH_DEFAULT) query.set('depth', String(depth));
  for (const step of open) query.append('open', formatStep(step));
  for (const step of shut) query.append('shut', formatStep(step));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Adds an opened step. A step that is open already keeps its place in the order. */
export function opened(asked: Asked, step: Step): Asked {
  const key = buildStepKey(step);
  const isThere = asked.open.some((one) => buildStepKey(one) === key);
  const open = isThere
    ? asked.open.map((one) => (buildStepKey(one) === key ? step : one))
    : [...asked.open, step];
  return { ...asked, open, shut: without(asked.shut, key) };
}

export function closed(asked: Asked, step: Step): Asked {
  const key = buildStepKey(step);
  const shut = [...without(asked.shut, key), step];
  return { ...asked, open: without(asked.open, key), shut };
}

function without(steps: readonly Step[], key: string): readonly Step[] {
  return steps.filter((step) => buildStepKey(step) !== key);
}
