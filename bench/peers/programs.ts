// The programs that this benchmark needs beside our own: the load generator, and the peers out of a folder that
// is given. Each is built or looked for once; what is missing is said, and left out.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Compiling SQLite takes a minute. */
const BUILD_TIMEOUT_MS = 600_000;
const PYTHON_NEEDS = ['fastapi', 'uvicorn', 'orjson', 'asyncpg'] as const;

export interface Programs {
  readonly loader: string;
  readonly goPeer: string;
  /** undefined: Python or one of its packages is missing. */
  readonly pythonPeer: string | undefined;
}

/**
 * @param to where programs are built
 * @throws Error when there is no Go, or no peer in the folder
 */
export async function buildPrograms(folder: string, to: string): Promise<Programs> {
  const goFolder = join(folder, 'go');
  if (!existsSync(join(goFolder, 'go.mod'))) {
    throw new Error(`looking for the peer in Go: there is no ${join(goFolder, 'go.mod')}`);
  }
  const loader = await buildGo(join(import.meta.dirname, 'loader'), join(to, 'loader'));
  const goPeer = await buildGo(goFolder, join(to, 'peer'));
  const python = join(folder, 'fastapi_app.py');
  const isComplete = existsSync(python) && (await hasPythonPackages());
  if (!isComplete) {
    console.error(`FastAPI is left out: it needs python3 with ${PYTHON_NEEDS.join(', ')}`);
  }
  return { loader, goPeer, pythonPeer: isComplete ? python : undefined };
}

async function buildGo(cwd: string, program: string): Promise<string> {
  console.error(`building ${cwd} …`);
  try {
    await run('go', ['build', '-o', program, '.'], { cwd, timeout: BUILD_TIMEOUT_MS });
  } catch (error) {
    throw new Error(`building ${cwd} with Go failed: is Go installed?`, { cause: error });
  }
  return program;
}

async function hasPythonPackages(): Promise<boolean> {
  return await run('python3', ['-c', `import ${PYTHON_NEEDS.join(', ')}`]).then(
    () => true,
    () => false,
  );
}
