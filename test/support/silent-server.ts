import type { IncomingMessage } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

export interface SilentServer {
  readonly url: string
  /** How many requests have got no answer, in all. */
  readonly unanswered: () => number
  /** Settles when so many of them have arrived. */
  arrived(count: number): Promise<void>
  /** Settles when the other side has closed the sockets of all these requests. */
  readonly closed: () => Promise<void>
}

/** A server that takes requests and never answers, but for those that `answers` takes. */
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
