// Answers of a service as tests read them, and requests as tests write them.

export interface CallInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, read as loosely as a client would read it, because tests assert its shape. */
  readonly json: Json;
}

/** A JSON answer read field by field; a wrong path fails in the assertion that uses it. */
export interface Json {
  readonly [key: string]: Json;
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parseOrEmpty(text) };
}

/** A request with a JSON body. */
export function withJsonBody(
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): CallInit {
  return {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

function parseOrEmpty(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}
