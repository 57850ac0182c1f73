import { Agent, buildConnector, type Dispatcher } from "undici"

/**
 * Creates a dispatcher that connects every origin, including `https:` origins, to one plain HTTP
 * server, so that a config can keep its production URLs. `Host` and path are unchanged.
 *
 * `protocols` is updated with the requested protocol of each open socket, by local port.
 */
export function routeEverythingTo(
  host: string,
  port: number,
  protocols: Map<number, string>,
): Dispatcher {
  const connect = buildConnector({ timeout: 10_000 })
  return new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) => {
      const { protocol } = options
      connect(
        { hostname: host, host: `${host}:${port}`, port: String(port), protocol: "http:" },
        (...result) => {
          const [error, socket] = result
          if (error !== null) return callback(error, null)
          const { localPort = 0 } = socket
          protocols.set(localPort, protocol)
          socket.once("close", () => protocols.delete(localPort))
          return callback(null, socket)
        },
      )
    },
  })
}
