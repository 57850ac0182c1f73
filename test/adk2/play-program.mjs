import { readFileSync } from "node:fs"
import { briefEvent, compareProgram } from "./compare-program.mjs"
import { scriptedModels } from "./scripted-models.mjs"

/** Returns the expectations in the header of a program. */
export function readProgram(file) {
  const [, header] = /@expect ([^]*?) \*\//.exec(readFileSync(file, "utf8")) ?? []
  if (header === undefined) throw new Error(`${file} has no header with @expect`)
  return JSON.parse(header)
}

/**
 * Plays a program and returns how it differs from its header. `load` evaluates the module, and
 * `adk` is the package that the program imports.
 */
export async function playProgram(header, load, adk) {
  const script = scriptedModels(header.llm)
  try {
    const module = await load()
    const played =
      header.export === "main"
        ? { main: asJson(await module.main(script.models)) }
        : await playAgent(header, module, adk, script.models)
    return compareProgram(header.expect, { ...played, module, script })
  } catch (error) {
    return [`the program threw ${error.stack ?? error}`]
  }
}

async function playAgent(header, module, adk, models) {
  const { runner, rootOutput } = openRunner(header, module, adk, models)
  const owner = { appName: runner.appName, userId: "u" }
  const { id: sessionId } = await runner.sessionService.createSession({
    ...owner,
    state: header.state ?? {},
  })
  const events = []
  const problems = []
  const statusBeforeInputs = []
  const pending = []
  let open = []
  const send = async (newMessage) => {
    rootOutput.value = undefined
    const own = []
    let error = null
    try {
      const { runConfig } = header
      for await (const event of runner.runAsync({
        userId: "u",
        sessionId,
        newMessage,
        ...(runConfig && { runConfig }),
      }))
        own.push(event)
    } catch (thrown) {
      error = thrown
    }
    events.push(...own)
    const asked = own.flatMap((event) => adk.getUserInputRequests(event))
    if (error === null || asked.length > 0) open = asked
    const answered = new Set(
      own.flatMap((event) => adk.getFunctionResponses(event).map(({ id }) => id)),
    )
    const waits = own.some(({ longRunningToolIds = [] }) =>
      longRunningToolIds.some((id) => !answered.has(id)),
    )
    const failedEvent = own.findLast(({ errorCode }) => errorCode !== undefined)
    const status =
      error !== null
        ? open.length > 0
          ? "waiting"
          : "failed"
        : failedEvent !== undefined && own.at(-1) === failedEvent
          ? "failed"
          : open.length > 0 || waits
            ? "waiting"
            : "completed"
    const session = await runner.sessionService.getSession({ ...owner, sessionId })
    return {
      status,
      error:
        error === null ? (failedEvent?.errorMessage ?? null) : `${error.name}: ${error.message}`,
      session,
    }
  }
  let last = await send({ role: "user", parts: [{ text: header.prompt }] })
  for (const input of header.inputs ?? []) {
    statusBeforeInputs.push(last.status)
    pending.push(open)
    const before = JSON.stringify(last.session)
    last = await send(messageOf(input, open, last.session, adk))
    if (input.errorContains === undefined) continue
    if (!input.errorContains.every((text) => (last.error ?? "").includes(text)))
      problems.push(
        `the message is not rejected with ${JSON.stringify(input.errorContains)}, but ${last.error}`,
      )
    if (JSON.stringify(last.session) !== before)
      problems.push("the rejected message changed the session")
  }
  return {
    events: events.map((event) => asJson(briefEvent(event))),
    problems,
    status: last.status,
    error: last.error,
    state: asJson(last.session.state),
    output: asJson(rootOutput.value),
    statusBeforeInputs,
    pending,
  }
}

function openRunner(header, module, adk, models) {
  const rootOutput = { value: undefined }
  const agent = module[header.export]
  class OutputOfRoot extends adk.BasePlugin {
    constructor() {
      super("output_of_root")
    }
    async afterNodeCallback({ node, output }) {
      if (node === agent) rootOutput.value = output
      return undefined
    }
  }
  const plugins = [
    ...(header.plugins === undefined ? [] : module[header.plugins]),
    new OutputOfRoot(),
  ]
  return { runner: new adk.InMemoryRunner({ agent, appName: "app", plugins, models }), rootOutput }
}

function messageOf(input, open, session, adk) {
  if ("user" in input) return { role: "user", parts: [{ text: input.user }] }
  if ("answer" in input) {
    const id = input.id ?? open[0]?.interruptId
    const response = input.raw === true ? input.answer : { result: input.answer }
    return {
      role: "user",
      parts: [{ functionResponse: { id, name: "adk_request_input", response } }],
    }
  }
  const { name, id, response } = input.respond
  const call = session.events
    .flatMap((event) => adk.getFunctionCalls(event))
    .findLast((one) => one.name === name)
  return { role: "user", parts: [{ functionResponse: { id: id ?? call?.id, name, response } }] }
}

/** Returns the value as JSON; null for undefined. */
const asJson = (value) => JSON.parse(JSON.stringify(value ?? null))
