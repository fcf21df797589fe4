// The responses of /health and /ready in the description of the interface.
import { Type } from '@lothub/kit/json-schema';
import { WarningSchema } from '../events/schema.ts';
import { LOG_STATES } from '../ledger/log/signed-log.ts';
import { WITNESS_ANSWERS } from '../witnessing/witness-answers.ts';

export const CONDITION = {
  chain_valid: Type.Boolean(),
  first_bad_height: Type.Union([Type.Integer(), Type.Null()]),
  verified_through: Type.Integer(),
  verified_at: Type.Union([Type.String(), Type.Null()]),
};

export const TimeStampHealth = Type.Object(
  {
    at: Type.Union([Type.String(), Type.Null()], {
      description: 'Time of the newest time stamp that is kept; null before there is one',
    }),
    size: Type.Union([Type.Integer(), Type.Null()], { description: 'Blocks of its checkpoint' }),
    failed_tries: Type.Integer({
      description: 'How often this process has asked in vain since it succeeded last',
    }),
  },
  { title: 'TimeStampHealth', description: 'Time stamps on checkpoints, one a day' },
);

const TreeProgress = Type.Object(
  {
    tiled: Type.Integer({ description: 'Blocks that are in complete tiles' }),
    blocks: Type.Integer({ description: 'All blocks' }),
  },
  { title: 'TreeProgress', description: 'How far the tree over the blocks of an older hub is' },
);

const SIGNED = {
  state: Type.Enum([...LOG_STATES]),
  origin: Type.Union([Type.String(), Type.Null()], { examples: ['trace.example.com/log/1'] }),
  building: Type.Union([TreeProgress, Type.Null()], {
    description: 'Null unless the tree of an older hub is being made; `state` is `building` then',
  }),
  signed: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Blocks of the tree that this process signed last; null before it has',
  }),
};

const LOG_DESCRIPTION =
  'The public log. `held`: what is stored contradicts what was signed, or may; nothing is signed';

export const WITNESSED = Type.Object(
  {
    ...SIGNED,
    size: Type.Integer({ description: 'Blocks of the tree' }),
    witnessed_size: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Blocks under the newest checkpoint that satisfies the hub’s policy; null without one',
    }),
    witnessed_at: Type.Union([Type.String(), Type.Null()], {
      description: 'When so many witnesses had cosigned it as the policy asks for',
    }),
    quorum: Type.String({
      description:
        'How many of the witnesses that count have cosigned it; `none` when the hub has no policy',
      examples: ['2 of 3', 'none'],
    }),
    behind_seconds: Type.Union([Type.Integer(), Type.Null()], {
      description: 'For how long there have been signed blocks that it does not cover',
    }),
    witnesses: Type.Array(
      Type.Object({
        name: Type.String(),
        run_by: Type.Union([Type.String(), Type.Null()]),
        counts: Type.Boolean({
          description: 'False of a witness under a domain of the operator’s own',
        }),
        state: Type.Union([Type.Enum([...WITNESS_ANSWERS]), Type.Null()], {
          description: 'What it answered last; null before the first answer',
        }),
        since: Type.Union([Type.String(), Type.Null()]),
        size: Type.Integer({ description: 'Blocks of the tree that it cosigned last' }),
      }),
    ),
  },
  { description: LOG_DESCRIPTION },
);

/** The members that the process has without its database. */
export const PROCESS = {
  warnings: Type.Array(WarningSchema, {
    description: 'What an operator should look at; details are in the admin overview',
  }),
  clock: Type.Object({
    trusted: Type.Boolean(),
    code: Type.Union([Type.String(), Type.Null()], { examples: ['clock_jumped', null] }),
    message: Type.Union([Type.String(), Type.Null()]),
  }),
  timestamp: Type.Union([TimeStampHealth, Type.Null()], {
    description: 'Null when no time-stamping service is set (`TSA_URL`)',
  }),
};

/** The answer while the database does not answer. */
export const Unknown = Type.Object(
  {
    status: Type.Literal('unknown'),
    detail: Type.String(),
    chain: Type.Object(
      { height: Type.Null(), ...CONDITION },
      { description: 'As it was known when the database answered last' },
    ),
    log: Type.Object(SIGNED, { description: LOG_DESCRIPTION }),
    ...PROCESS,
  },
  { description: 'The database refuses, or did not answer in time' },
);

/** The answer of a process that is not open yet. */
export const HealthOfStart = Type.Object(
  {
    status: Type.Union([Type.Literal('starting'), Type.Literal('upgrading')]),
    percent: Type.Union([Type.Integer({ minimum: 0, maximum: 99 }), Type.Null()], {
      description:
        'How far the upgrade is; null while another process does it, or before one is known of',
    }),
    detail: Type.String(),
  },
  { description: 'The process has not opened its database yet' },
);

const READY_ANSWERS = {
  200: Type.Object({ ready: Type.Literal(true) }, { description: 'It takes events' }),
  503: Type.Object(
    { ready: Type.Literal(false), detail: Type.String() },
    { description: 'It takes none' },
  ),
};

/** The response of `/ready`, from either part of the process. */
export const READY_SCHEMA = {
  tags: ['Operation'],
  operationId: 'getReady',
  summary: 'Readiness check',
  description:
    'For proxies and supervisors: 503 until the service takes events, and while it does not, because it ' +
    'upgrades its database, the database does not answer or the clock is not trusted. Answered within ' +
    'two seconds.',
  response: READY_ANSWERS,
};
