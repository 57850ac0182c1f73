import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createAdaptorServer } from "@hono/node-server"
import { AgentStatechartsError } from "../errors.js"
import { systemErrorCode } from "./system-error-code.js"

export interface Listening {
  readonly server: Server
  readonly port: number
  /**
   * Base URL of the server for clients on the same machine, for example `http://127.0.0.1:8080`.
   */
  readonly origin: string
}

/**
 * Maximum time in milliseconds for a client to send a complete HTTP request. Responses and streams
 * may take longer.
 */
const requestTimeout = 60_000

/**
 * Returns options for a Node HTTP server. With these options, the server closes a connection if it
 * does not receive the complete request within `timeout` milliseconds.
 */
export const requestDeadline = (timeout: number = requestTimeout) => ({
  requestTimeout: timeout,
  headersTimeout: timeout,
  connectionsCheckingInterval: Math.ceil(timeout / 12),
})

/** Length of the queue of TCP connections that the server has not accepted yet. */
const backlog = 4096

/**
 * Starts a Node HTTP server that passes each request to `app.fetch`. If `port` is 0, the operating
 * system selects a free port. Rejects if the server cannot listen on the address.
 */
export async function listenWith(
  app: { readonly fetch: (request: Request) => Response | Promise<Response> },
  {
    host,
    port,
    requestTimeoutMs,
  }: { readonly host: string; readonly port: number; readonly requestTimeoutMs?: number },
): Promise<Listening> {
  // The cast is safe. Without other options, the adapter returns a server of `node:http`.
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: requestDeadline(requestTimeoutMs),
  }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(addressError(error, host, port)))
    server.listen({ port, host, backlog }, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  const name = host === "0.0.0.0" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host
  return { server, port: bound, origin: `http://${name}:${bound}` }
}

/**
 * Converts an error of `server.listen`. If the server cannot listen on the address, for example
 * because the port is in use, returns an error that explains the reason and suggests a fix. Returns
 * any other error unchanged.
 */
export function addressError(error: Error, host: string, port: number): Error {
  const problem = addressProblems[systemErrorCode(error) ?? ""]
  return problem === undefined
    ? error
    : new AgentStatechartsError("argument_invalid", problem(host, port), { cause: error })
}

const addressProblems: Readonly<Partial<Record<string, (host: string, port: number) => string>>> = {
  EADDRINUSE: (host, port) =>
    `port ${port} of ${host} is already in use. Stop the program that uses it, choose another port with --port, or use --port 0 for any free port.`,
  EACCES: (host, port) =>
    `port ${port} of ${host} requires more permissions. Choose a port from 1024 to 65535 with --port.`,
  EADDRNOTAVAIL: (host) =>
    `${host} is not an address of this machine. Choose another address with --host, for example 127.0.0.1.`,
  ENOTFOUND: (host) =>
    `the host name ${host} cannot be resolved. Choose another address with --host, for example 127.0.0.1.`,
}
