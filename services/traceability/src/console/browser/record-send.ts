// Sends one waiting event, and returns the result.
import type { KeptEntry } from './record-queue.ts';

/** A later answer counts as none: the event is sent again. */
const TIMEOUT_MS = 15_000;

export type Sent =
  | {
      readonly kind: 'stored';
      readonly block: string;
      readonly href: string;
      /** Warnings. */
      readonly words: readonly string[];
    }
  | { readonly kind: 'refused'; readonly words: readonly string[] }
  /** The session has ended. */
  | { readonly kind: 'ended' }
  /** It is unknown whether the event is stored. */
  | { readonly kind: 'unanswered' };

const REFUSED = new Set([409, 413, 422]);

export async function sendEntry(action: string, entry: KeptEntry): Promise<Sent> {
  try {
    const response = await fetch(`${action}/queued`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: entry.body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // A lost right is treated like an ended session: waiting events stay.
    if (response.status === 401 || response.status === 403) return { kind: 'ended' };
    if (!response.ok && !REFUSED.has(response.status)) return { kind: 'unanswered' };
    const answer: unknown = await response.json();
    return readAnswer(answer);
  } catch {
    return { kind: 'unanswered' };
  }
}

function readAnswer(answer: unknown): Sent {
  if (typeof answer !== 'object' || answer === null) return { kind: 'unanswered' };
  const facts: ReadonlyMap<string, unknown> = new Map(Object.entries(answer));
  const words = facts.get('words');
  const texts = Array.isArray(words) ? words.map(String) : [];
  if (facts.get('kind') === 'refused') return { kind: 'refused', words: texts };
  if (facts.get('kind') !== 'stored') return { kind: 'unanswered' };
  return {
    kind: 'stored',
    words: texts,
    block: String(facts.get('block')),
    href: String(facts.get('href')),
  };
}
