import type { HttpClient, HttpClientOptions } from "./http-client.js"

/**
 * Creates an HTTP client for Node with one connection pool. The client does not follow redirects,
 * because a redirect could send secrets to another host. It does not retry requests, because the
 * statechart of the workflow controls retries.
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  let opened: Promise<HttpClient> | null = null
  let isClosed = false
  // undici is imported with the first request, because its import takes longer than all other
  // imports together.
  const open = async (): Promise<HttpClient> => {
    opened ??= import("./undici-client.js").then(({ openUndiciClient }) =>
      openUndiciClient(options),
    )
    const client = await opened
    // Requests of a closed client fail. This closes a client that was opened after `close`.
    if (isClosed) await client.close()
    return client
  }

  return {
    async send(call, signal, onText) {
      signal.throwIfAborted()
      return (await open()).send(call, signal, onText)
    },
    async close() {
      isClosed = true
      await (await opened)?.close()
    },
  }
}
