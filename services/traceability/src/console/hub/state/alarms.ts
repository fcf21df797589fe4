// What an operator has to do now, each with its sentence and its command: values in, alarms out.
import type { IconName } from '@lothub/design/icons';
import { ADVICE_COMMANDS, adviceFor } from '../../../admin/alarm-advice.ts';
import type { HubState } from '../../../admin/hub-state.ts';
import type { Reader } from '../../../web/words/reader.ts';
import { BEHIND_SECONDS_MAX } from '../../../witnessing/standing.ts';

/** The verifier reports its progress several times a second, so after this time it does not work. */
const VERIFIER_STILL_MS = 5 * 60_000;
/** After so many failed requests an hour has passed. */
const STAMP_FAILURES_MAX = 6;

export interface Alarm {
  readonly tone: 'bad' | 'warn' | 'info';
  readonly icon: IconName;
  readonly title: string;
  readonly advice: string;
  /** The command to run; undefined: none. */
  readonly command: string | undefined;
  /** The message of the program, in English. */
  readonly detail: string | undefined;
}

export function listAlarms(state: HubState, reader: Reader): readonly Alarm[] {
  return [...ofChain(state, reader), ...ofMachines(state, reader), ...ofOthers(state, reader)];
}

function* ofChain({ alarms }: HubState, { words, formats }: Reader): Generator<Alarm> {
  const { operator } = words.console;
  for (const { code, height, message } of alarms) {
    const advice = adviceFor(code);
    yield {
      tone: advice === 'witnessRefuses' ? 'warn' : 'bad',
      icon: 'bad',
      title: operator.finding(code, formats.number(height)),
      advice: operator.advice[advice ?? 'unknown'],
      command: advice === undefined ? undefined : ADVICE_COMMANDS[advice],
      detail: message,
    };
  }
}

function* ofMachines(state: HubState, { words }: Reader): Generator<Alarm> {
  const { operator } = words.console;
  for (const { machine, message } of state.clockAlarms) {
    yield {
      tone: 'bad',
      icon: 'clock',
      title: operator.clock,
      advice: operator.clockDo,
      command: 'lothub clock accept',
      detail: `${machine}: ${message}`,
    };
  }
  const { verified_at: at } = state.chain;
  if (at !== null && state.nowMs - Date.parse(at) > VERIFIER_STILL_MS) {
    yield {
      tone: 'warn',
      icon: 'history',
      title: operator.still,
      advice: operator.stillDo,
      command: undefined,
      detail: undefined,
    };
  }
}

function* ofOthers(state: HubState, { words }: Reader): Generator<Alarm> {
  const { operator } = words.console;
  if ((state.witnesses.behindSeconds ?? 0) > BEHIND_SECONDS_MAX) {
    yield {
      tone: 'warn',
      icon: 'shield',
      title: operator.behind,
      advice: operator.behindDo,
      command: undefined,
      detail: undefined,
    };
  }
  for (const { keyId, label, tenantIds } of state.sharedKeys) {
    yield {
      tone: 'warn',
      icon: 'key',
      title: operator.sharedKey,
      advice: operator.sharedKeyDo,
      command: `lothub keys accept ${keyId}`,
      detail: `${label}: ${tenantIds.join(', ')}`,
    };
  }
  if ((state.timeStamp?.failures ?? 0) >= STAMP_FAILURES_MAX) {
    yield {
      tone: 'warn',
      icon: 'clock',
      title: operator.stamps,
      advice: operator.stampsDo,
      command: undefined,
      detail: undefined,
    };
  }
  if (state.log.state === 'building') {
    yield {
      tone: 'info',
      icon: 'chain',
      title: operator.building,
      advice: operator.buildingDo,
      command: undefined,
      detail: undefined,
    };
  }
}
