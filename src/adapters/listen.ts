import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createAdaptorServer } from "@hono/node-server"

export interface Listening {
  readonly server: Server
  readonly port: number
  /** Where a client of this machine reaches it. */
  readonly origin: string
}

/** Milliseconds in which a client has to send a whole request, body included. Responses and streams may take longer. */
const requestTimeout = 60_000

/** Options of a server that closes connections whose request does not arrive in time. */
export const requestDeadline = (timeout: number = requestTimeout) => ({
  requestTimeout: timeout,
  headersTimeout: timeout,
  connectionsCheckingInterval: Math.ceil(timeout / 12),
})

/** Many clients may come at once. */
const backlog = 4096

/** Serves an app; rejects where the place cannot be listened on. Port 0 is any free one. */
export async function listenWith(
  app: { readonly fetch: (request: Request) => Response | Promise<Response> },
  {
    host,
    port,
    requestTimeoutMs,
  }: { readonly host: string; readonly port: number; readonly requestTimeoutMs?: number },
): Promise<Listening> {
  // Without options it is one of node:http.
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
