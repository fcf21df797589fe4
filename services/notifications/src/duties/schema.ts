// Shapes of what owners do to groups, in requests.
import { Type } from '@lothub/kit/json-schema';
import { nameText } from '@lothub/kit/http/schemas/name-text';

export const GroupDeletionSchema = Type.Object(
  {
    name: nameText('What the group is called, so that no other one is deleted', 'Bakery alarms'),
    without_export: Type.Optional(
      Type.Boolean({ description: 'Nobody wants an export', examples: [false] }),
    ),
  },
  { title: 'GroupDeletion', additionalProperties: false },
);
