import type { IncomingMessage } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

export interface SilentServer {
  readonly url: string
  /** Returns the total number of requests without a response. */
  readonly unanswered: () => number
  /** Resolves when this number of them has arrived. */
  arrived(count: number): Promise<void>
  /** Resolves when the client has closed the sockets of all these requests. */
  readonly closed: () => Promise<void>
}

/** Starts a server that never responds, except to requests for which `answers` returns a response. */
export async function silentServer(
  answers: (request: IncomingMessage) => object | null = () => null,
): Promise<SilentServer> {
  let open = 0
  let seen = 0
  let tell = (): void => {}
  const server = createServer((request, response) => {
    request.resume().on("error", () => {})
    const answer = answers(request)
    if (answer !== null) {
      response.end(JSON.stringify(answer))
      return
    }
    open++
    seen++
    request.socket.once("close", () => {
      open--
      tell()
    })
    tell()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise<void>((resolve) => (tell = resolve))
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unanswered: () => seen,
    arrived: (count) => until(() => seen >= count),
    closed: () => until(() => open === 0),
  }
}
