// Warnings to the operator about a policy that can be read and does not do what it seems to do.
import { formatVkey, judgeQuorum, listWitnesses } from '@lothub/chain/log';
import type { LogIdentity } from '../ledger/log/signed-log.ts';
import { isAddress, type HubPolicy, type HubWitness } from './hub-policy.ts';

/** One sentence each; none when there is nothing to say. */
export function policyWarnings(
  { policy, witnesses }: HubPolicy,
  { origin, vkeys }: LogIdentity,
): readonly string[] {
  const own = witnesses.filter(({ isOwn }) => isOwn);
  const inQuorum = new Set(listWitnesses(policy.quorum));
  const silent = witnesses.filter(({ witness: { url } }) => !isAddress(url));
  const canCount = witnesses.filter((one) => !one.isOwn && !silent.includes(one));
  const { state } = judgeQuorum(
    policy.quorum,
    canCount.map(({ witness }) => ({ witness, time: 0 })),
  );
  const isMissed = state === 'missed';
  return [
    ...own.map(
      ({ witness }) =>
        `the witness ${witness.name} runs under a domain of this hub: it is asked, and counts as none`,
    ),
    ...silent.map(
      ({ witness }) =>
        `the witness ${witness.name} cannot be asked: its line needs an address that begins with http:// or https://`,
    ),
    ...policy.logs
      .filter(({ key }) => !vkeys.includes(formatVkey(key.name, key.publicKey)))
      .map(
        ({ key }) =>
          `the policy names the log ${key.name} with a key that is not of this hub's log ${origin}; that line is not used`,
      ),
    ...(state === 'none'
      ? ['the policy asks for no witness (quorum none): every round is published, whoever cosigned']
      : []),
    ...(isMissed ? [unmet(witnesses.filter(({ witness }) => inQuorum.has(witness)))] : []),
  ];
}

function unmet(members: readonly HubWitness[]): string {
  const names = members.map(({ witness }) => witness.name).join(', ');
  return (
    `the quorum of ${names} cannot be met without witnesses of the operator's own or without an address: ` +
    '/log/<epoch>/checkpoint will not move on'
  );
}
