// What tests of people, and of services that read people beside their own tables, need to make them.
import type { TestedService } from '@lothub/kit/test/engine';
import sql from 'sql-template-tag';
import {
  POSTGRES_NAMESPACE,
  SCHEMA_NAME,
  postgresSchemaFolder,
  sqliteSchemaFolder,
} from '../src/store/schema.ts';
import { databaseFile } from '../src/store/sqlite/file.ts';

export const TESTED_PEOPLE = {
  name: SCHEMA_NAME,
  postgresSchemaFolder,
  sqliteSchemaFolder,
  postgresNamespace: POSTGRES_NAMESPACE,
  lockWrites: sql`select session_ends from head where id = 1 for update`,
  databaseFile,
} satisfies TestedService;
