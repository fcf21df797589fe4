// What pages say of the public log, in English. No more than is so.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';

export const log = {
  heading: 'Public log',
  entry: (height: string) => `Entry ${height} of this hub’s public log.`,
  nobodyElse: 'Signed by the operator only; nobody else has confirmed it yet.',
  firstBlocks: (count: string, seen: Html) => html`The first ${count} blocks: ${seen}`,
  tooFew: 'These are fewer than this hub asks for.',
  seenBy: (quorum: { cosigned: string; witnesses: string; names: string; at: Html | undefined }) =>
    html`Seen by ${quorum.cosigned} of ${quorum.witnesses} independent
    ${quorum.witnesses === '1' ? 'witness' : 'witnesses'}
    (${quorum.names})${quorum.at === undefined ? null : html` on ${quorum.at}`}.`,
  witness: (name: string, operator: string | undefined) =>
    operator === undefined
      ? `${name}: this hub does not say who runs it.`
      : `${name}: run by ${operator}.`,
  ownWitness: 'It is under this hub’s own domain and counts as none.',
  notCounted: 'This hub does not count it.',
  signedOn: (at: Html) => html`It signed on ${at}.`,
  newestOfLot: (block: Html) => html`This is ${block}, the newest of this lot.`,
  evidenceFile: 'Evidence file',
  proofFile: 'Proof file',
  trust: 'What this proves, and how to check it without us',
  timeStamped: (service: string, at: Html) =>
    html`Time-stamped by ${service}: it existed on ${at} at the latest.`,
  timeStamp: 'Time stamp',
  stamped: 'What was stamped',
  evidenceUnder: 'Evidence file under it',
  proofUnder: 'Proof file under it',
  off: 'This hub keeps no public log.',
  building: 'The public log of this hub is being built.',
  unsigned: 'This is newer than what the public log has signed.',
  held: 'The operator’s log cannot be confirmed at present.',
};
