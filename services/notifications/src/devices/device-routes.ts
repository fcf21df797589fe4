// Devices, quiet hours and mutes of the person who asks: me/push-key, me/devices, me/quiet-hours, groups/{group_id}/mute.
import { Type } from '@lothub/kit/json-schema';
import { PEOPLE_WORDS } from '@lothub/people/pages/words';
import { browserWords } from '@lothub/people/pages/browser-words';
import { getPerson } from '../access/gate.ts';
import { SESSION_READ_PROBLEMS, SESSION_WRITE_PROBLEMS } from '../access/gate-problems.ts';
import { GroupParams } from '../groups/group-schema.ts';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import {
  DeviceChangeSchema,
  DeviceListSchema,
  DeviceParams,
  DeviceSchema,
  MuteAnswerSchema,
  MuteSchema,
  NewDeviceSchema,
  PushKeySchema,
  QuietHoursAnswerSchema,
  QuietHoursSchema,
  TestPushSchema,
} from './device-schema.ts';
import {
  DEVICES_MAX,
  changeDevice,
  listDevices,
  removeDevice,
  subscribeDevice,
  testDevice,
} from './devices.ts';
import type { DeviceDeps } from './devices.ts';
import { muteGroup, readMute, unmuteGroup } from './mute.ts';
import { readReach, setQuietHours } from './preferences.ts';

const TAGS = ['Devices'];
const DEVICES = `${API_PREFIX}/me/devices`;
const ONE = `${DEVICES}/:device_id`;
const QUIET_HOURS = `${API_PREFIX}/me/quiet-hours`;
const MUTE = `${API_PREFIX}/groups/:group_id/mute`;

export interface DeviceRouteDeps extends DeviceDeps {
  /** The public key of push messages. */
  readonly publicKey: string;
}

export function deviceRoutes(app: App, deps: DeviceRouteDeps): void {
  app.get(
    `${API_PREFIX}/me/push-key`,
    {
      schema: {
        tags: TAGS,
        operationId: 'getPushKey',
        summary: 'The key that a browser subscribes with',
        response: { 200: PushKeySchema, ...problemAnswers(...SESSION_READ_PROBLEMS) },
      },
    },
    () => ({ public_key: deps.publicKey }),
  );

  app.get(
    DEVICES,
    {
      schema: {
        tags: TAGS,
        operationId: 'listDevices',
        summary: "One's devices, the oldest first",
        response: { 200: DeviceListSchema, ...problemAnswers(...SESSION_READ_PROBLEMS) },
      },
    },
    async (request) => await listDevices(deps, getPerson(request)),
  );

  app.post(
    DEVICES,
    {
      schema: {
        tags: TAGS,
        operationId: 'subscribeDevice',
        summary: 'Send notifications to this browser',
        description:
          'With the subscription that `pushManager.subscribe` gave. Once more with the same one changes ' +
          `nothing but its keys; one that somebody else had is one's own from then on. At most ${DEVICES_MAX}.`,
        body: NewDeviceSchema,
        response: {
          201: DeviceSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const { subscription, name, min_severity: minSeverity } = request.body;
      const { endpoint, keys } = subscription;
      const agent = request.headers['user-agent'] ?? '';
      const device = await subscribeDevice(deps, getPerson(request), {
        subscription: { endpoint, ...keys },
        name: name ?? browserWords(agent, PEOPLE_WORDS.en),
        minSeverity: minSeverity ?? 'info',
      });
      return await reply.code(201).send(device);
    },
  );

  app.patch(
    ONE,
    {
      schema: {
        tags: TAGS,
        operationId: 'changeDevice',
        summary: 'Name a device, pause it, or say what it is sent',
        params: DeviceParams,
        body: DeviceChangeSchema,
        response: { 200: DeviceSchema, ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found') },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const { name, min_severity: minSeverity, status } = request.body;
      const key = { accountId, deviceId: request.params.device_id };
      return await changeDevice(deps, key, { name, minSeverity, status });
    },
  );

  app.delete(
    ONE,
    {
      schema: {
        tags: TAGS,
        operationId: 'removeDevice',
        summary: 'Send nothing to a device any more',
        params: DeviceParams,
        response: { 204: Type.Null(), ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found') },
      },
    },
    async (request, reply) => {
      await removeDevice(deps, getPerson(request), request.params.device_id);
      return await reply.code(204).send();
    },
  );

  app.post(
    `${ONE}/test`,
    {
      schema: {
        tags: TAGS,
        operationId: 'testDevice',
        summary: 'Send a test to a device, and hear what its push service answers',
        params: DeviceParams,
        response: {
          200: TestPushSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found'),
        },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      return await testDevice(deps, { accountId, deviceId: request.params.device_id });
    },
  );
  quietHoursRoutes(app, deps);
  muteRoutes(app, deps);
}

function quietHoursRoutes(app: App, deps: DeviceRouteDeps): void {
  app.get(
    QUIET_HOURS,
    {
      schema: {
        tags: TAGS,
        operationId: 'getQuietHours',
        summary: "One's quiet hours",
        response: { 200: QuietHoursAnswerSchema, ...problemAnswers(...SESSION_READ_PROBLEMS) },
      },
    },
    async (request) => {
      const { quietHours } = await readReach(deps.store.reader, getPerson(request).accountId);
      return { quiet_hours: quietHours };
    },
  );

  app.put(
    QUIET_HOURS,
    {
      schema: {
        tags: TAGS,
        operationId: 'setQuietHours',
        summary: "Keep one's devices quiet at a time of the day",
        description: 'What comes in then is in the inbox, and is not sent to devices later.',
        body: QuietHoursSchema,
        response: {
          200: QuietHoursAnswerSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      await setQuietHours(deps, accountId, request.body);
      const { quietHours } = await readReach(deps.store.reader, accountId);
      return { quiet_hours: quietHours };
    },
  );

  app.delete(
    QUIET_HOURS,
    {
      schema: {
        tags: TAGS,
        operationId: 'endQuietHours',
        summary: 'Have no quiet hours',
        response: { 204: Type.Null(), ...problemAnswers(...SESSION_WRITE_PROBLEMS) },
      },
    },
    async (request, reply) => {
      await setQuietHours(deps, getPerson(request).accountId, null);
      return await reply.code(204).send();
    },
  );
}

function muteRoutes(app: App, deps: DeviceRouteDeps): void {
  app.get(
    MUTE,
    {
      schema: {
        tags: TAGS,
        operationId: 'getMute',
        summary: 'Whether a group is muted for oneself',
        params: GroupParams,
        response: {
          200: MuteAnswerSchema,
          ...problemAnswers(...SESSION_READ_PROBLEMS, 'not_found'),
        },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      return await readMute(deps, { accountId, groupId: request.params.group_id });
    },
  );

  app.put(
    MUTE,
    {
      schema: {
        tags: TAGS,
        operationId: 'muteGroup',
        summary: "Send nothing of a group to one's devices or by mail for a time",
        description: 'Not even what is critical; only what is escalated to oneself comes.',
        params: GroupParams,
        body: MuteSchema,
        response: {
          200: MuteAnswerSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found'),
        },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const key = { accountId, groupId: request.params.group_id };
      return await muteGroup(deps, key, request.body.until);
    },
  );

  app.delete(
    MUTE,
    {
      schema: {
        tags: TAGS,
        operationId: 'unmuteGroup',
        summary: 'Take a mute back',
        params: GroupParams,
        response: {
          204: Type.Null(),
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = getPerson(request);
      await unmuteGroup(deps, { accountId, groupId: request.params.group_id });
      return await reply.code(204).send();
    },
  );
}
