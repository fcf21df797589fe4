#!/usr/bin/env node
// The command `lothub`: both services (`lothub serve`) and what their operator needs beside them.
import { runLothub } from '../src/program.ts';

// Not process.exit(): whatever is still on its way to standard output is written first.
process.exitCode = await runLothub(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
});
