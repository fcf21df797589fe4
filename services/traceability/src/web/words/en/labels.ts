// What pages call the words of the closed lists, in English: as those lists have them.
import { buildRecord } from '@lothub/kit/build-record';
import type { DecisionType } from '../../../ledger/record/decisions/contents.ts';
import { EVENT_TYPES, getFacts, type EventType } from '../../../ledger/record/event-types.ts';
import {
  CASE_STATUS_LABELS,
  CHANNEL_CLASS_LABELS,
  HOLD_STATUS_LABELS,
  LOT_STATUS_LABELS,
  SEVERITY_LABELS,
  STATED_STATUS_LABELS,
  type CaseStatus,
  type ChannelClass,
  type HoldStatus,
  type LotStatus,
  type Severity,
  type StatedStatus,
} from '../../../terms.ts';
import { FIELD_LABELS } from '../field-labels.ts';

type Labels<Name extends string> = Readonly<Record<Name, string>>;

const eventTypes: Labels<EventType> = buildRecord(EVENT_TYPES, (type) => getFacts(type).label);
const eventNotes: Labels<EventType> = buildRecord(EVENT_TYPES, (type) => getFacts(type).note);
const decisionTypes: Labels<DecisionType> = {
  brand: 'Decision: profile for consumers',
  drill: 'Decision: recall drill',
  erasure: 'Decision: erasure of private values',
  hold: 'Decision: hold or release',
  recall: 'Decision: step of a recall case',
  response: 'Decision: answer to a notification',
};
const lotStatuses: Labels<LotStatus> = LOT_STATUS_LABELS;
const holdStatuses: Labels<HoldStatus> = HOLD_STATUS_LABELS;
const caseStatuses: Labels<CaseStatus> = CASE_STATUS_LABELS;
const severities: Labels<Severity> = SEVERITY_LABELS;
const channelClasses: Labels<ChannelClass> = CHANNEL_CLASS_LABELS;
const statedStatuses: Labels<StatedStatus> = STATED_STATUS_LABELS;

export const labels = {
  eventTypes,
  eventNotes,
  genesis: 'Beginning of the chain',
  decisionTypes,
  lotStatuses,
  holdStatuses,
  caseStatuses,
  severities,
  channelClasses,
  statedStatuses,
  fields: FIELD_LABELS.en,
  /** A field of a line; lines are counted from 1. */
  fieldOfLine: (field: string, line: string) => `${field}, line ${line}`,
  block: (height: string) => `Block ${height}`,
};
