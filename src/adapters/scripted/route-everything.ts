import { Agent, buildConnector, type Dispatcher } from "undici"

/**
 * A way out that leads every origin, `https:` ones included, to one plain HTTP server, over real sockets: so that a config
 * can keep the URLs it has in production. Only the connection is redirected, `Host` and path stay as they were.
 * `protocols` is kept up to date with what the requests of each socket, by its local port, believe to use.
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
