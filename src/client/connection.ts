import { ClientError } from "./client-error.js"
import type { RouteName } from "./routes.js"
import { routes } from "./routes.js"

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** Address of the server, for example `http://127.0.0.1:4000`. It may contain a path prefix. */
  readonly url: string
  /** Token that the server printed when it started. Omit this option if the server has no token. */
  readonly token?: string
  /** A function that replaces the global `fetch`, for example to add headers. */
  readonly fetch?: typeof fetch
}

export interface RequestOptions {
  readonly id?: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends requests to one server. Converts error responses and connection failures to a
 * {@link ClientError}.
 */
export class ServerConnection {
  readonly #url: string
  readonly #token: string | undefined
  readonly #fetch: typeof fetch

  constructor(options: ClientOptions) {
    // A JavaScript caller may pass a URL instead of the options, or nothing at all.
    const given: unknown = options
    if (typeof given !== "object" || given === null)
      throw new ClientError(
        "invalid_url",
        `createClient needs options such as { url: "http://127.0.0.1:4000", token }, but received ${given === undefined ? "undefined" : JSON.stringify(given)}`,
      )
    const { url, token, fetch: ownFetch } = options
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new ClientError(
        "invalid_url",
        `url must be an address such as "http://127.0.0.1:4000", but is ${JSON.stringify(url)}${typeof url === "string" && URL.canParse(`http://${url}`) && !url.includes("://") ? `; write "http://${url}"` : ""}`,
      )
    this.#url = url.replace(/\/+$/, "")
    this.#token = token
    this.#fetch = ownFetch ?? ((input, init) => globalThis.fetch(input, init))
  }

  /**
   * Sends a request and returns the response if its status is 2xx.
   *
   * @throws ClientError if the response has another status, or if the server is unreachable.
   */
  async send(route: RouteName, options: RequestOptions = {}): Promise<Response> {
    const { method } = routes[route]
    const { body, signal } = options
    let response: Response
    try {
      response = await this.#fetch(this.#address(route, options), {
        method,
        headers: {
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...options.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      })
    } catch (cause) {
      signal?.throwIfAborted()
      throw new ClientError(
        "server_unreachable",
        `no connection to ${this.#url}; check that the server is running and, in a browser, that it was started with --allow-origin for this page`,
        { cause },
      )
    }
    if (!response.ok) throw await errorOf(response)
    return response
  }

  /**
   * Sends a request, parses the body of the response as JSON and returns the value. The value is
   * not validated.
   */
  async json<Value>(route: RouteName, options: RequestOptions = {}): Promise<Value> {
    // The cast is unchecked. A test compares `routes` with the OpenAPI document of the server.
    return this.#read(route, options, async (response) => (await response.json()) as Value)
  }

  /** Sends a request and returns the body of the response as text. */
  async text(route: RouteName, options: RequestOptions = {}): Promise<string> {
    return this.#read(route, options, (response) => response.text())
  }

  async #read<Value>(
    route: RouteName,
    options: RequestOptions,
    read: (response: Response) => Promise<Value>,
  ): Promise<Value> {
    const response = await this.send(route, options)
    try {
      return await read(response)
    } catch (cause) {
      options.signal?.throwIfAborted()
      throw invalidResponse(response, cause)
    }
  }

  #address(route: RouteName, { id = "", query = {} }: RequestOptions): string {
    const path = routes[route].path.replace("{id}", encodeURIComponent(id))
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) search.set(name, String(value))
    return `${this.#url}${path}${search.size === 0 ? "" : `?${search.toString()}`}`
  }
}

async function errorOf(response: Response): Promise<ClientError> {
  try {
    const { code, message } = (await response.json()) as Readonly<Record<string, unknown>>
    if (typeof code === "string" && typeof message === "string")
      return new ClientError(code, message, { status: response.status })
    return invalidResponse(response)
  } catch (cause) {
    return invalidResponse(response, cause)
  }
}

const invalidResponse = ({ status, url }: Response, cause?: unknown): ClientError =>
  new ClientError(
    "invalid_response",
    `the response of ${url} (status ${status}) is not from an agent-statecharts server; check the url`,
    { status, cause },
  )
