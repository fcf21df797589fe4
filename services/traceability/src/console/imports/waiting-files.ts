// Files that wait to be imported: one folder for each, below the import folder of this process's machine. Its
// name is the id of the import, which this service made; the name that a sender gave a file is never part of
// a path. A folder is deleted with its import, or after a day. If a process is killed, the next sweep of any
// process with the same import folder deletes it.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { newId } from '@lothub/kit/secrets/ids';
import { asDiskFull } from '../../csv-import/import-folder.ts';
import { PRIVATE_FILE_MODE } from '../../csv-import/spool.ts';

/** The time for which a file is kept. */
export const WAITING_HOURS_MAX = 24;
export const WAITING_MS_MAX = WAITING_HOURS_MAX * 60 * 60 * 1_000;
/** Files that wait on one machine: each may have a gigabyte. */
export const WAITING_FILES_MAX = 20;

const PREFIX = 'waiting-';
const ID_FILE = 'folder-id';
const IMPORT_ID = /^imp_[0-9A-Za-z]{1,40}$/;
const FOLDER_ID = /^dir_[0-9A-Za-z]{1,40}$/;
const PRIVATE_FOLDER_MODE = 0o700;

/** The data in a folder beside the file. */
export const PARTS = ['form', 'survey', 'check'] as const;
export type Part = (typeof PARTS)[number];

export class WaitingFiles {
  readonly #importDir: string;
  #folderId: Promise<string> | undefined;
  readonly machine = hostname();

  constructor(importDir: string) {
    this.#importDir = importDir;
  }

  /** An id that distinguishes the folder of this machine from those of others; it is the same after a restart. */
  async folderId(): Promise<string> {
    this.#folderId ??= this.#readFolderId();
    return await this.#folderId;
  }

  async #readFolderId(): Promise<string> {
    await mkdir(this.#importDir, { recursive: true, mode: PRIVATE_FOLDER_MODE });
    const file = join(this.#importDir, ID_FILE);
    const made = join(this.#importDir, `${ID_FILE}-${randomUUID()}`);
    try {
      const found = (await readFile(file, 'utf8')).trim();
      if (FOLDER_ID.test(found)) return found;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    // A crash before the rename leaves a file that nobody reads; the id is made again.
    const id = newId('dir');
    await writeFile(made, id, { mode: PRIVATE_FILE_MODE });
    await rename(made, file);
    return (await readFile(file, 'utf8')).trim();
  }

  async count(): Promise<number> {
    await this.folderId();
    return (await this.#names()).length;
  }

  /** @throws DatabaseError `database_full` when the disk has no room */
  async make(importId: string): Promise<void> {
    try {
      await mkdir(this.#folder(importId), { mode: PRIVATE_FOLDER_MODE });
    } catch (error) {
      throw asDiskFull(error);
    }
  }

  buildPath(importId: string): string {
    return join(this.#folder(importId), 'upload');
  }

  async hasFile(importId: string): Promise<boolean> {
    try {
      return (await stat(this.buildPath(importId))).isFile();
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Makes an empty folder for the temporary files of a check; disposing of it removes it. */
  async workFolder(importId: string): Promise<{ readonly path: string } & AsyncDisposable> {
    const path = join(this.#folder(importId), `work-${randomUUID()}`);
    await mkdir(path, { mode: PRIVATE_FOLDER_MODE });
    return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
  }

  /** @throws DatabaseError `database_full` when the disk has no room */
  async write(importId: string, part: Part, value: unknown): Promise<void> {
    const file = join(this.#folder(importId), `${part}.json`);
    const made = `${file}-${randomUUID()}`;
    try {
      await writeFile(made, JSON.stringify(value), { mode: PRIVATE_FILE_MODE });
      await rename(made, file);
    } catch (error) {
      throw asDiskFull(error);
    }
  }

  /** Reads what `write` has written; undefined when there is nothing. */
  async read(importId: string, part: Part): Promise<unknown> {
    try {
      const text = await readFile(join(this.#folder(importId), `${part}.json`), 'utf8');
      const value: unknown = JSON.parse(text);
      return value;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Removes the file that was sent; the data about it stay. */
  async removeFile(importId: string): Promise<void> {
    await rm(this.buildPath(importId), { force: true });
  }

  async remove(importId: string): Promise<void> {
    await rm(this.#folder(importId), { recursive: true, force: true });
  }

  /** Removes folders that are older than a file waits. @returns the imports that they were of */
  async sweep(nowMs: number): Promise<readonly string[]> {
    await this.folderId();
    const swept: string[] = [];
    for (const name of await this.#names()) {
      const importId = name.slice(PREFIX.length);
      if (!IMPORT_ID.test(importId) || !(await this.#isOld(name, nowMs))) continue;
      await this.remove(importId);
      swept.push(importId);
    }
    return swept;
  }

  async #isOld(name: string, nowMs: number): Promise<boolean> {
    try {
      const { birthtimeMs, mtimeMs } = await stat(join(this.#importDir, name));
      // Some file systems have no time of birth and return 0.
      return (birthtimeMs || mtimeMs) < nowMs - WAITING_MS_MAX;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async #names(): Promise<readonly string[]> {
    return (await readdir(this.#importDir)).filter((name) => name.startsWith(PREFIX));
  }

  #folder(importId: string): string {
    if (!IMPORT_ID.test(importId)) throw new Error('a folder is asked for that no import has');
    return join(this.#importDir, `${PREFIX}${importId}`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
