// Everything happens in this page: the config is compiled here and runs here as an XState actor. Only the model is elsewhere.
import { compile } from "agent-statecharts/compiler"
import { controlActor, toMachine } from "agent-statecharts/runtime"
import { createActor } from "xstate"
import { chatModel } from "./chat-model.js"
import { workflow } from "./workflow.js"

const show = (id, text) => (document.getElementById(id).textContent = text)
const form = document.querySelector("form")
const { workflow: config, prompt, endpoint, stop } = form.elements
config.value = JSON.stringify(workflow, null, 2)

/** `rounds: poet`, the innermost states that are active. */
const innermost = (value) =>
  typeof value === "string"
    ? [value]
    : Object.entries(value).flatMap(([key, inner]) =>
        innermost(inner).map((state) => `${key}: ${state}`),
      )

form.addEventListener("submit", async (event) => {
  event.preventDefault()
  for (const id of ["problems", "states", "events", "result"]) show(id, "")
  const { chart, diagnostics } = compile(config.value)
  show(
    "problems",
    diagnostics.map(({ severity, message, fix }) => `${severity}: ${message} ${fix}`).join("\n"),
  )
  if (chart === null) return

  const model = chatModel(endpoint.value)
  const told = document.getElementById("events")
  const machine = toMachine(chart, {
    models: { poet: model, critic: model },
    onEvent: ({ type, path }) =>
      told.append(Object.assign(document.createElement("li"), { textContent: `${type} ${path}` })),
  })
  const actor = createActor(machine, { input: { prompt: prompt.value } })
  const run = controlActor(actor)
  actor.subscribe(({ value }) => show("states", innermost(value).join(", ")))
  stop.disabled = false
  stop.onclick = () => run.cancel()
  actor.start()
  const { status, text, state, error } = await run.result
  stop.disabled = true
  show(
    "result",
    error === null ? `${status}: ${state.poem ?? text}` : `${status}: ${error.message}`,
  )
})
