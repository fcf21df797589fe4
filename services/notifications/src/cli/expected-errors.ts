// Errors of the service that say what happened and end a command with code 1.
import { PeopleProblem } from '@lothub/people/errors';
import { Problem } from '../errors.ts';

export const EXPECTED_ERRORS = [Problem, PeopleProblem] as const;
