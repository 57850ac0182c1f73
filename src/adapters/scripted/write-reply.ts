import type { IncomingRequest } from "./request-record.js"
import type { ScriptedReply } from "./scenario.js"

/**
 * Converts a scripted reply to an HTTP response. Returns null if the connection must be closed
 * without a response.
 */
export function responseFor(reply: ScriptedReply, request: IncomingRequest): Response | null {
  switch (reply.type) {
    case "json":
      return Response.json(reply.value ?? null, { status: reply.status, headers: reply.headers })
    case "text":
      return new Response(reply.text, {
        status: reply.status ?? 200,
        headers: { "content-type": reply.contentType, ...reply.headers },
      })
    case "empty":
      return new Response(null, { status: reply.status, headers: reply.headers })
    case "status":
      return statusOnly(reply, request)
    case "reset":
      return null
    case "huge":
      return new Response(hugeBody(reply.bytes), {
        headers: { "content-type": "application/json" },
      })
  }
}

const errorResponse = (
  status: number,
  error: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json({ error }, { status, headers })

/** Creates the error response (status 500) to a call that has no scripted response. */
export const exhaustedResponse = (message: string): Response =>
  errorResponse(500, { code: "scenario_exhausted", message })

function statusOnly(
  reply: Extract<ScriptedReply, { readonly type: "status" }>,
  request: IncomingRequest,
): Response {
  const { status, headers, echoHeaders } = reply
  if (status === 204 || status === 205 || status === 304)
    return new Response(null, { status, headers })
  const echo = echoHeaders ? { headers: request.headers, url: request.url } : {}
  return errorResponse(
    status,
    { message: `scripted response with status ${status}`, ...echo },
    headers,
  )
}

/**
 * Returns a stream of valid JSON with exactly `bytes` bytes. The JSON is generated while the stream
 * is read.
 */
function hugeBody(bytes: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const head = encoder.encode('{"content":"')
  const tail = encoder.encode('"}')
  const piece = new Uint8Array(64 * 1024).fill("x".charCodeAt(0))
  let left = bytes - head.length - tail.length
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(head),
      pull: (controller) => {
        if (left > 0) controller.enqueue(piece.subarray(0, Math.min(left, piece.length)))
        else {
          controller.enqueue(tail)
          controller.close()
        }
        left -= piece.length
      },
    },
    { highWaterMark: 1 },
  )
}
