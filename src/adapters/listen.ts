import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createAdaptorServer } from "@hono/node-server"

export interface Listening {
  readonly server: Server
  readonly port: number
  /** Base URL for clients on this machine. */
  readonly origin: string
}

/**
 * Time limit in milliseconds for receiving a complete request. Responses and streams may take
 * longer.
 */
const requestTimeout = 60_000

/** Returns server options that close connections whose request does not arrive in time. */
export const requestDeadline = (timeout: number = requestTimeout) => ({
  requestTimeout: timeout,
  headersTimeout: timeout,
  connectionsCheckingInterval: Math.ceil(timeout / 12),
})

/** Length of the queue of pending connections. */
const backlog = 4096

/** Serves an app. Rejects if the address cannot be bound. Port 0 selects any free port. */
export async function listenWith(
  app: { readonly fetch: (request: Request) => Response | Promise<Response> },
  {
    host,
    port,
    requestTimeoutMs,
  }: { readonly host: string; readonly port: number; readonly requestTimeoutMs?: number },
): Promise<Listening> {
  // Without options the adaptor returns a node:http server.
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: requestDeadline(requestTimeoutMs),
  }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen({ port, host, backlog }, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  const name = host === "0.0.0.0" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host
  return { server, port: bound, origin: `http://${name}:${bound}` }
}
