import type { Inspect } from "../../runtime/events/inspect-run.js"
import type { Terminal } from "../terminal/terminal.js"
import { untilInterrupted } from "../terminal/until-interrupted.js"

/**
 * An open relay, which sends the states of a run to external viewers such as the Stately Inspector.
 */
export interface OpenInspector {
  readonly inspect: Inspect
  /**
   * Closes the relay after all events are delivered. If `stays` is true and the terminal is
   * interactive, waits for Ctrl-C before it closes the relay.
   */
  close(stays: boolean): Promise<void>
}

/**
 * Starts the relay for external viewers and prints its address to stderr. The output of the run
 * goes to stdout.
 */
export async function openInspector(
  port: number | true,
  terminal: Terminal,
): Promise<OpenInspector> {
  const { startInspectRelay } = await import("../../adapters/inspect/relay/index.js")
  const { xstateInspectBridge } = await import("../../adapters/inspect/xstate-inspect/index.js")
  const { statelyInspector } = await import("../../adapters/inspect/stately/index.js")
  const relay = await startInspectRelay(port === true ? {} : { port })
  const stately = statelyInspector({ send: relay.stately.send })
  const bridge = xstateInspectBridge({
    send: (message) => relay.xstateInspect.send(JSON.stringify(message)),
  })
  relay.xstateInspect.onMessage(bridge.receive)
  terminal.printError(`Inspect the run at ${relay.page}`)
  terminal.printError(
    "  The page opens the hosted viewer https://stately.ai/inspect, so your browser needs internet access. The relay accepts connections from localhost only.",
  )
  terminal.printError(
    `  Viewers that support the protocol of @xstate/inspect can connect to ${relay.xstateInspect.url}`,
  )
  return {
    inspect: (event) => {
      stately.inspect.next(event)
      bridge.inspect.next(event)
    },
    async close(stays) {
      await stately.close()
      if (stays && terminal.isInteractive) {
        terminal.printError("The inspector stays open. Press Ctrl-C to close it.")
        await untilInterrupted(terminal)
      }
      await relay.close()
    },
  }
}
