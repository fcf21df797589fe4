#!/usr/bin/env node
// The command `lothub`: the service itself (`lothub serve`) and what its operator needs beside it.
import { runLothub } from '../src/cli/program.ts';

// Not process.exit(): whatever is still on its way to standard output is written first.
process.exitCode = await runLothub(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
});
