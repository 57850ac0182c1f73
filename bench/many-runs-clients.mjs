import { fork } from "node:child_process"
import { writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** A loop of two agents. `rounds` determines how long a run takes. */
const workflow = {
  rootAgentId: "rounds",
  agents: [
    {
      type: "LoopAgent",
      id: "rounds",
      subAgents: [{ agentId: "writer" }, { agentId: "reader" }],
      maxAgentLoopIterations: 1_000,
      loopExitCondition:
        "session_state['current_agent_loop_iteration'] + 1 >= session_state['rounds']",
    },
    ...["writer", "reader"].map((id) => ({
      type: "LlmAgent",
      id,
      outputKey: id,
      instructions: "Go on.",
      httpConfig: { url: "https://models.example.com/", method: "POST" },
    })),
  ],
}

/** Starts the server in a separate process and returns functions that clients call. */
export async function manyRuns(place) {
  writeFileSync(join(place, "workflow.json"), JSON.stringify(workflow))
  const child = fork(fileURLToPath(new URL("many-runs-server.mjs", import.meta.url)), [place])
  const heard = () =>
    new Promise((resolve, reject) => {
      const gone = (code) => reject(new Error(`the server ended with ${code}`))
      child.once("exit", gone)
      child.once("message", (message) => (child.off("exit", gone), resolve(message)))
    })
  const { url } = await heard()
  const headers = { authorization: "Bearer t" }
  const ended = new Promise((resolve) => child.on("exit", resolve))
  return {
    url,
    start(runId, { rounds, length = 20, ms = 50 }) {
      const body = JSON.stringify({
        workflow: place
          .split("/")
          .at(-1)
          .replace(/[^\w.-]+/g, "."),
        runId,
        prompt: `${length} ${ms}`,
        state: { rounds },
      })
      return new Promise((resolve, reject) => {
        request(`${url}/v1/runs`, { method: "POST", headers, agent }, (response) => {
          let said = ""
          response
            .on("data", (chunk) => (said += chunk))
            .on("end", () =>
              response.statusCode === 201
                ? resolve()
                : reject(new Error(`${response.statusCode}: ${said}`)),
            )
        })
          .on("error", reject)
          .end(body)
      })
    },
    /**
     * Reads the events of a run on a separate connection. Calls `heardEvent` with each event and
     * the time of its arrival.
     */
    read(runId, heardEvent, after) {
      let response
      const over = new Promise((resolve, reject) => {
        const asked = request(
          `${url}/v1/runs/${runId}/events`,
          {
            headers: {
              ...headers,
              ...(after === undefined ? {} : { "last-event-id": String(after) }),
            },
            agent: false,
          },
          (opened) => {
            response = opened
            let rest = ""
            opened.setEncoding("utf8")
            opened.on("data", (chunk) => {
              const at = Date.now()
              rest += chunk
              for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
                const block = rest.slice(0, end)
                rest = rest.slice(end + 2)
                if (block.startsWith("event: end")) continue
                const line = block.split("\n").find((one) => one.startsWith("data: "))
                if (line !== undefined) heardEvent(JSON.parse(line.slice(6)), at)
              }
            })
            opened.on("end", resolve)
            opened.on("close", resolve)
            opened.on("error", resolve)
          },
        )
        asked.on("error", reject).end()
      })
      return {
        over,
        pause: () => response.pause(),
        resume: () => response.resume(),
        close: () => response.destroy(),
      }
    },
    async buffers() {
      const answer = heard()
      child.send("buffers")
      return answer
    },
    async stop() {
      agent.destroy()
      child.send("stop")
      await ended
    },
  }
}
