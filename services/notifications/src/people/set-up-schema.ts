// Shapes of the set-up in requests and answers.
import { nameText } from '@lothub/kit/http/schemas/name-text';
import { Type } from '@lothub/kit/json-schema';
import { NewPersonSchema, PersonSchema, secretText } from '@lothub/people/accounts/schema';

export const SetUpSchema = Type.Object(
  {
    token: secretText('The last part of the set-up link', 'Zk3v…8Qa'),
    ...NewPersonSchema.properties,
    group: Type.Optional(nameText('Name of a first group, which the person owns', 'Bakery alarms')),
  },
  { title: 'SetUp', additionalProperties: false },
);

export const SetUpAnswerSchema = Type.Object(
  {
    person: PersonSchema,
    group_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The group that was made; null when none was asked for',
    }),
  },
  { title: 'SetUpAnswer' },
);
