// Names that people give to themselves and to what they make: one line of visible text.
import { Type } from '../../json-schema.ts';
import { NAME_MAX, NAME_PATTERN } from './name-pattern.ts';

export const nameText = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: NAME_MAX,
    pattern: NAME_PATTERN,
    description,
    examples: [example],
  });
