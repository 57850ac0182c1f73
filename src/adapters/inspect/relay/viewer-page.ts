export interface ViewerPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/**
 * Returns the HTML of a page that embeds a viewer from another website and forwards WebSocket
 * messages to it. Messages are queued until the viewer is ready. They are sent only to the origin
 * of the viewer.
 */
export function viewerPage({
  viewer,
  socket,
  nonce,
}: {
  readonly viewer: string
  readonly socket: string
  readonly nonce: string
}): ViewerPage {
  const origin = new URL(viewer).origin
  const script = `
    const frame = document.querySelector("iframe")
    const note = document.querySelector("p")
    const waiting = []
    let connected = false
    const give = (message) => frame.contentWindow.postMessage(message, ${JSON.stringify(origin)})
    addEventListener("message", ({ origin, data }) => {
      if (origin !== ${JSON.stringify(origin)} || data?.type !== "@statelyai.connected") return
      connected = true
      note.remove()
      waiting.splice(0).forEach(give)
    })
    const socket = new WebSocket(${JSON.stringify(socket)})
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data)
      if (connected) give(message)
      else waiting.push(message)
    }
    socket.onclose = () => document.title = "Ended: " + document.title
    frame.src = ${JSON.stringify(viewer)}`
  const html = `<!doctype html>
<meta charset="utf-8">
<title>agent-statecharts, inspected</title>
<style>html, body, iframe { height: 100%; width: 100%; margin: 0; border: 0 } p { position: absolute; margin: 1em; font: 14px sans-serif }</style>
<p>The viewer is a page of ${origin}: it needs the network.</p>
<iframe title="The viewer"></iframe>
<script nonce="${nonce}">${script.replaceAll("<", "\\u003c")}
</script>
`
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'nonce-${nonce}'`,
    `frame-src ${origin}`,
    `connect-src ${new URL(socket).origin}`,
  ]
  return { html, contentSecurityPolicy: policy.join("; ") }
}
