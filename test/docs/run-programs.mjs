// Runs programs one after the other in this process: node run-programs.mjs '["one.mjs", ...]'. Starting a process for each program
// would take most of the time. A program ends when nothing keeps the process alive, as if it had its own process. The result
// of each program is sent to the parent.
import process from "node:process"
import { pathToFileURL } from "node:url"
import { inspect } from "node:util"

const waiting = JSON.parse(process.argv[2])
let current = null

for (const name of ["stdout", "stderr"])
  process[name].write = (text, ...more) => {
    if (current !== null) current[name] += String(text)
    more.find((argument) => typeof argument === "function")?.()
    return true
  }

function fail(error) {
  current.stderr += inspect(error)
  current.exitCode = 1
}

process.on("uncaughtException", fail)

// Exit code 13 of Node means that the program still awaits something, but nothing can happen any more.
process.on("beforeExit", () => {
  if (current !== null) {
    const exitCode = current.isLoaded ? (process.exitCode ?? current.exitCode) : 13
    process.send({ ...current, exitCode })
  }
  process.exitCode = undefined
  const program = waiting.shift()
  if (program === undefined) return process.exit(0)
  current = { program, isLoaded: false, exitCode: 0, stdout: "", stderr: "" }
  process.channel.unref()
  import(pathToFileURL(program)).then(
    () => (current.isLoaded = true),
    (error) => {
      current.isLoaded = true
      fail(error)
    },
  )
})
