// Shapes of devices, quiet hours and mutes in requests and answers. The address of a device is as good as a password
// for it: no answer has it.
import { ENDPOINT_MAX } from '@lothub/delivery/push/subscription';
import { Type } from '@lothub/kit/json-schema';
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { instantOrNull, nextOfWhole } from '@lothub/people/accounts/schema';
import { idText } from '../groups/group-schema.ts';
import { INSTANT_PATTERN } from '../instant-pattern.ts';
import { SEVERITIES, type Severity } from '../store/post.ts';

/** Maximum length of a key from a browser; a longer text is no such key. */
const KEY_CHARS_MAX = 128;
/** Names of the IANA database have at most 32. */
const ZONE_CHARS_MAX = 64;

const deviceId = idText('Id of the device', 'dev_7hTq2nXc9LwB');
const name = nameText('What the device is called', 'Firefox on Android');
const minSeverity = Type.Unsafe<Severity>({
  type: 'string',
  enum: [...SEVERITIES],
  description: 'Notifications below it are not sent to the device',
  examples: ['warning'],
});

export const DeviceParams = Type.Object({ device_id: deviceId });

export const PushKeySchema = Type.Object(
  {
    public_key: Type.String({
      description: '`applicationServerKey` of `pushManager.subscribe`, as base64url',
      examples: ['BAXq…'],
    }),
  },
  { title: 'PushKey', description: 'The key that all messages to devices are signed with' },
);

export const NewDeviceSchema = Type.Object(
  {
    subscription: Type.Object(
      {
        endpoint: Type.String({
          minLength: 1,
          maxLength: ENDPOINT_MAX,
          description: 'Where its push service takes messages',
          examples: ['https://push.example.com/abc'],
        }),
        expirationTime: Type.Optional(
          Type.Unsafe<number | null>({
            type: ['number', 'null'],
            description:
              'As browsers say it; not looked at: the push service says when it has ended',
          }),
        ),
        keys: Type.Object(
          {
            p256dh: Type.String({
              minLength: 1,
              maxLength: KEY_CHARS_MAX,
              examples: [
                'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
              ],
            }),
            auth: Type.String({
              minLength: 1,
              maxLength: KEY_CHARS_MAX,
              examples: ['BTBZMqHH6r4Tts7J_aSIgg'],
            }),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false, description: 'What `PushSubscription.toJSON()` gives' },
    ),
    name: Type.Optional(name),
    min_severity: Type.Optional(minSeverity),
  },
  { title: 'NewDevice', additionalProperties: false },
);

export const DeviceChangeSchema = Type.Object(
  {
    name: Type.Optional(name),
    min_severity: Type.Optional(minSeverity),
    status: Type.Optional(
      Type.Unsafe<'active' | 'paused'>({
        type: 'string',
        enum: ['active', 'paused'],
        description: 'One that was disabled becomes active again',
      }),
    ),
  },
  { title: 'DeviceChange', additionalProperties: false },
);

export const DeviceSchema = Type.Object(
  {
    id: deviceId,
    name,
    min_severity: minSeverity,
    status: Type.Unsafe<'active' | 'paused' | 'disabled'>({
      type: 'string',
      enum: ['active', 'paused', 'disabled'],
      description: '`disabled`: its push service has refused messages for days',
    }),
    disabled_reason: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    push_service: Type.String({
      description: 'The host that messages are sent to',
      examples: ['updates.push.services.mozilla.com'],
    }),
    created_at: Type.String({ examples: ['2026-01-02T03:04:05.678Z'] }),
  },
  { title: 'Device', description: 'A browser that notifications are sent to' },
);

export const DeviceListSchema = Type.Object(
  { items: Type.Array(DeviceSchema), next: nextOfWhole },
  { title: 'DeviceList' },
);

export const TestPushSchema = Type.Object(
  {
    accepted: Type.Boolean({ description: 'Whether the push service has taken the message' }),
    http_status: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'What it answered; null: nothing',
    }),
    error: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  },
  { title: 'TestPush' },
);

const clockTime = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description, examples: ['22:00'] });

export const QuietHoursSchema = Type.Object(
  {
    from: clockTime('When they begin, on the clock of the time zone'),
    until: clockTime('When they end; they may go over midnight'),
    time_zone: Type.String({
      minLength: 1,
      maxLength: ZONE_CHARS_MAX,
      description: 'A name of the IANA database',
      examples: ['Europe/Berlin'],
    }),
    lets_critical: Type.Boolean({
      description: 'Whether critical notifications are sent all the same',
      examples: [true],
    }),
  },
  { title: 'QuietHours', additionalProperties: false },
);

export const QuietHoursAnswerSchema = Type.Object(
  {
    quiet_hours: Type.Unsafe<unknown>({
      anyOf: [QuietHoursSchema, { type: 'null' }],
      description: 'null: there are none',
    }),
  },
  { title: 'QuietHoursAnswer' },
);

export const MuteSchema = Type.Object(
  {
    until: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: INSTANT_PATTERN,
      description: 'When it ends by itself; null: when it is taken back',
      examples: ['2026-01-02T17:00:00Z'],
    }),
  },
  { title: 'Mute', additionalProperties: false },
);

export const MuteAnswerSchema = Type.Object(
  {
    muted: Type.Boolean({ description: 'Whether nothing of the group is sent to devices now' }),
    until: instantOrNull(
      'When it ends by itself; null: it is not muted, or until it is taken back',
    ),
  },
  { title: 'MuteAnswer' },
);
