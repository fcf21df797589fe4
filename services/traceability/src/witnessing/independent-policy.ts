// The hub's policy without the operator's own witnesses, as a text by which a browser judges.
import { formatVkey, WITNESS_KEY_TYPE, type Quorum } from '@lothub/chain/log';
import type { HubPolicy } from './hub-policy.ts';

/** @returns undefined when the independent witnesses alone can never be the quorum */
export function independentPolicyText(
  hub: Pick<HubPolicy, 'policy' | 'witnesses'>,
  vkeys: readonly string[],
): string | undefined {
  const independent = hub.witnesses.filter(({ isOwn }) => !isOwn).map(({ witness }) => witness);
  const names = new Set(independent.map(({ name }) => name));
  const groups: string[] = [];
  const findName = (quorum: Quorum): string | undefined => {
    switch (quorum.kind) {
      case 'none':
        return quorum.kind;
      case 'witness':
        return names.has(quorum.witness.name) ? quorum.witness.name : undefined;
      case 'group': {
        const members = quorum.members.flatMap((member) => findName(member) ?? []);
        if (members.length < quorum.threshold) return undefined;
        const name = groupName(groups.length, names);
        groups.push(`group ${name} ${quorum.threshold} ${members.join(' ')}`);
        return name;
      }
    }
  };
  const quorum = findName(hub.policy.quorum);
  if (quorum === undefined) return undefined;
  const lines = [
    ...vkeys.map((vkey) => `log ${vkey}`),
    ...independent.map(
      ({ name, key }) => `witness ${name} ${formatVkey(key.name, key.publicKey, WITNESS_KEY_TYPE)}`,
    ),
    ...groups,
    `quorum ${quorum}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** One that no witness has. */
function groupName(number: number, taken: ReadonlySet<string>): string {
  let name = `group-${number + 1}`;
  while (taken.has(name)) name += '-';
  return name;
}
