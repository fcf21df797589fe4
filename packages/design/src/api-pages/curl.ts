// The command that calls an endpoint, with the examples of its description. Credentials are variables of the
// shell: nobody copies a real key from a page.
import type { Description, Operation, Parameter } from './description.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';

export function curlCommand(operation: Operation, { base, schemes }: Description): string {
  const { method, path, parameters, body, security } = operation;
  const inPath = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(chooseExample(parameters.find((one) => one.name === name))),
  );
  const query = parameters
    .filter(({ place, isRequired }) => place === 'query' && isRequired)
    .map((one) => `${one.name}=${encodeURIComponent(chooseExample(one))}`);
  const address = base + inPath + (query.length === 0 ? '' : `?${query.join('&')}`);
  const headers = [
    ...(security[0] ?? []).flatMap((name) => {
      const header = schemes.get(name)?.header;
      return header === undefined ? [] : [`-H "${header} $${toVariable(name)}"`];
    }),
    ...parameters
      .filter(({ place, isRequired }) => place === 'header' && isRequired)
      .map((one) => `-H ${quoted(`${one.name}: ${chooseExample(one)}`)}`),
  ];
  const lines = [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}${quoted(address)}`,
    ...headers,
    ...listBodyOptions(body?.contents[0]),
  ];
  return lines.join(' \\\n  ');
}

function listBodyOptions(
  content: { readonly mediaType: string; readonly examples: readonly string[] } | undefined,
): readonly string[] {
  if (content === undefined) return [];
  const { mediaType, examples } = content;
  if (mediaType === FORM_TYPE) return ["-F 'file=@FILE'"];
  const type = `-H ${quoted(`Content-Type: ${mediaType}`)}`;
  const [example] = examples;
  if (mediaType !== JSON_TYPE) return [type, "--data-binary '@FILE'"];
  return [type, `-d ${quoted(example ?? '{}')}`];
}

function chooseExample(parameter: Parameter | undefined): string {
  return parameter?.example ?? (parameter?.name ?? 'value').toUpperCase();
}

/** `ApiKey` as `API_KEY`. */
function toVariable(scheme: string): string {
  return scheme.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

/** As one word of a shell (POSIX), whatever it has. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
