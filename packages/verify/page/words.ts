// What a verdict means, for people who do not know logs.
import { parseEpochList } from '@lothub/chain/log';
import type { LostEntries, Outcome } from '@lothub/verify';

/** A policy, or the key of a log alone, which is believed without any witness. */
export function toPolicy(text: string): string {
  const lines = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isKeyAlone =
    lines.length > 0 && lines.every((line) => /^[^\s+]+\+[0-9a-f]{8}\+/.test(line));
  return isKeyAlone
    ? `${lines.map((line) => `log ${line}`).join('\n')}\nquorum none\n`
    : text.replaceAll('\r\n', '\n');
}

/**
 * The statements of `/log/epochs`, in their order.
 * @throws {LogError} when the text is no such list
 */
export function parseStatements(text: string): readonly string[] {
  const list = text.replaceAll('\r\n', '\n').trim();
  return list === '' ? [] : parseEpochList(`${list}\n`).map(({ note }) => note);
}

/** What was proven of them stays proven: they were in the log that the operator signed. */
export function explainLost({ origin, from }: LostEntries): string {
  return `The log ${origin} has ended since, and its entries from number ${from} on are lost, some of this file among them. The operator has signed that: keep the file, because no log of the hub has them any more.`;
}

/** One or two sentences for each outcome. */
export function explain(outcome: Outcome): string {
  if (outcome.verdict === 'witnessed') {
    const { cosigned, of: members, at } = outcome.witnessed;
    return `What the file shows was in the log at ${at} at the latest, and ${cosigned} of the ${members} witnesses that you believe confirm that the log showed everybody the same. It does not say that what was recorded is true, nor that nothing of the lot was left out.`;
  }
  if (outcome.verdict === 'operator_only') {
    return 'What the file shows is in the log that the operator signed. Nobody else confirms it: keep the file, because the operator cannot take it back without contradicting their own signature.';
  }
  switch (outcome.code) {
    case 'malformed':
      return 'The file is not what a hub writes, or it was changed.';
    case 'unknown_log':
      return 'The file is of another log than the one whose key you gave.';
    case 'bad_signature':
      return 'The key that you gave did not sign this. Do not trust the file.';
    case 'no_quorum':
      return 'The operator signed, but not enough of the witnesses that you asked for did.';
    case 'not_in_tree':
      return 'At least one block is not what the log signed. Do not trust the file.';
    case 'other_height':
      return 'At least one block is in another place than the file says.';
    case 'not_canonical':
      return 'At least one block is not one that a hub writes, or does not link to the one before.';
    case 'rolled_back':
      return 'The log lost blocks that it had signed before.';
    case 'split_view':
      return 'The log signed two things that cannot both be true. Keep both checkpoints as the proof.';
  }
}
