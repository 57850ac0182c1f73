// Starts the studio and a browser for measurements.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const command = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url))

/** Starts the studio as its users start it. */
export async function startStudio(place) {
  const child = spawn(
    process.execPath,
    [command, "studio", join(place, "work"), "--journal", join(place, "runs")],
    { stdio: ["ignore", "pipe", "inherit"] },
  )
  const url = await new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("The studio has ended.")))
    child.stdout.on("data", (chunk) => {
      const [, found] = /Studio (http:\S+)/.exec(String(chunk)) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const { origin, searchParams } = new URL(url)
  return {
    url,
    pid: child.pid,
    async ask(path, body) {
      const response = await fetch(`${origin}/api${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${searchParams.get("token")}`,
          "content-type": "application/json",
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return await response.json()
    },
    async events(runId) {
      const headers = { authorization: `Bearer ${searchParams.get("token")}` }
      const response = await fetch(`${origin}/api/runs/${runId}/events`, { headers })
      const text = await response.text()
      return [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json]) => JSON.parse(json))
    },
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", resolve)
        child.kill("SIGINT")
      }),
  }
}

/**
 * Returns the CPU time of each task of the page, in milliseconds. Unlike the duration of a task, it
 * does not depend on other programs.
 */
export function tasksOf({ traceEvents }) {
  const pages = new Set(
    traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === "thread_name" && args.name === "CrRendererMain" ? [`${pid} ${tid}`] : [],
    ),
  )
  return traceEvents.flatMap(({ name, pid, tid, tdur = 0 }) =>
    name === "ThreadControllerImpl::RunTask" && pages.has(`${pid} ${tid}`) ? [tdur / 1_000] : [],
  )
}
