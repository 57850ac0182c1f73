import { Agent, buildConnector, type Dispatcher } from "undici/index.js"

/**
 * Creates an undici dispatcher that sends all requests to one HTTP server, whatever their URL is.
 * Even requests to `https:` URLs are sent to this server over HTTP. A workflow config can therefore
 * keep its production URLs in tests. The `Host` header and the path are not changed.
 *
 * The dispatcher adds each open socket to `protocols`. The key is the local port, and the value is
 * the protocol of the requested URL, for example `https:`.
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
