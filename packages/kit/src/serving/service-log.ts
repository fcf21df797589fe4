// The log of a service: one JSON object a line, and of a request nothing that its caller did not choose to
// write.
import { pino, type DestinationStream, type Logger } from 'pino';

/** @param options.logStream where the log goes; standard output when not given */
export function newLog(options: {
  readonly settings: { readonly logLevel: string };
  readonly logStream?: DestinationStream;
}): Logger {
  const settings = {
    level: options.settings.logLevel,
    serializers: { req: () => undefined, res: () => undefined },
  };
  return options.logStream === undefined ? pino(settings) : pino(settings, options.logStream);
}
