import type { AskOptions, HostContext } from "../../src/runtime/host/host-function.js"
import type { NodeCall } from "../../src/machines/graph/node-result.js"
import type { HostService } from "../../src/runtime/host/host-service.js"
import { chosenBy, hashOf } from "./hash.js"
import { machinesOf } from "./machine-world.js"

/** Host functions that take time. The result of a function depends on its path, so it is the same if the function is executed again. */
export interface HostWorld {
  readonly services: Readonly<Record<string, HostService>>
  /** Returns the number of functions that have neither returned nor been cancelled. */
  open(): number
}

/** Resolves after a time that depends on the text, even if the run was resumed. */
export type Pause = (what: string) => Promise<void>

/** Records that the action of a step is executed. */
export type NoteStep = (step: string) => void

type Doing = (context: HostContext, roll: string, input: unknown, noteStep: NoteStep) => unknown

const look: Doing = (context, roll, _input, noteStep) =>
  context.step("look", () => {
    noteStep(`${context.idempotencyKey} ${roll}`)
    return { seen: context.agent }
  })

const texts = ["done", "ok", "well", ""] as const

/** The possible actions of a callback, a function tool or a node. */
const deeds: readonly [Doing, ...Doing[]] = [
  () => undefined,
  () => undefined,
  () => undefined,
  () => undefined,
  () => null,
  () => ({ seen: true }),
  (_context, roll) => ({ content: chosenBy(`${roll} text`, texts) }),
  (_context, roll) => chosenBy(`${roll} route`, ["left", "right", "left"]),
  () => ({ route: "right", output: { n: 1 } }),
  () => ["left", "right"],
  (context, roll) =>
    void context.state.set(chosenBy(`${roll} key`, ["shared", "host", "__proto__", "a1_text"]), {
      by: context.agent,
      n: hashOf(roll) % 9,
    }),
  (context) => void context.state.delete("shared"),
  (context) => void context.emit("note", { at: context.path }),
  (context) => void context.escalate(),
  (context) => void (context.actions.transferToAgent = "nobody"),
  (context) => ((context.actions.skipSummarization = true), "that is all"),
  (_context, _roll, input) => input,
  () => ({ pending: true }),
  () => ({ toolCalls: [{ function_name: "calc", function_args: { n: 1 } }] }),
  () => 12n,
  () => () => 1,
  (context) => void context.emit("note", { big: 1n }),
  (context) => void context.state.set("bad", () => 1),
  (context) => context.saveArtifact("note.md", "kept"),
  () => {
    throw new Error("no")
  },
  () => Promise.reject(undefined),
  look,
  (context) => context.step("fail", () => Promise.reject(new Error("not found"))),
  (context, roll) =>
    context.ask(
      "sure?",
      { of: context.agent },
      chosenBy<AskOptions>(`${roll} ask`, [
        {},
        { expiresIn: 400 },
        { expiresIn: 400, onExpiry: "continue" },
        { expiresIn: 300, onExpiry: "fail" },
      ]),
    ),
]

const outcomes = [
  undefined,
  { outcome: "ALLOW" },
  { outcome: "ALLOW" },
  { outcome: "CONFIRM", reason: "it is much" },
  { outcome: "CONFIRM" },
  { outcome: "DENY" },
  { outcome: "deny" },
  null,
] as const

const question = { id: "", message: "which?", payload: { n: 1 }, responseSchema: null }

/** Results of a node with the option `returnsNodeResult`. */
const nodeResults = [
  { questions: [question] },
  { questions: [question, { ...question, message: "and which?" }] },
  { questions: [{ ...question, responseSchema: { type: "object" } }] },
  { output: { n: 1 } },
  { output: [1, 2, 3], isShown: true },
  { route: ["left", 2] },
  { failure: { name: "TypeError", message: "no" } },
  {},
] as const

export function hostWorld(seed: number, pause: Pause, noteStep: NoteStep): HostWorld {
  const open = new Set<HostContext>()
  const carry =
    (name: string, act: Doing) =>
    async (context: HostContext, input: unknown): Promise<unknown> => {
      const roll = `${seed} ${name} ${context.path}`
      open.add(context)
      try {
        await pause(roll)
        return await act(context, roll, input, noteStep)
      } finally {
        open.delete(context)
      }
    }
  const deed = (name: string) =>
    carry(name, (context, roll, input) =>
      chosenBy(`${roll} deed`, deeds)(context, roll, input, noteStep),
    )
  const direct: Doing = async (context, roll) => {
    let last: unknown = null
    for (let index = 0; index < hashOf(`${roll} steps`) % 4; index++) {
      const now = `${roll} ${index}`
      try {
        if (hashOf(`${now} runs`) % 3 > 0)
          last = (
            await context.runAgent(
              `${context.agent}_${chosenBy(`${now} who`, ["one", "two", "one", "two", "one", "nobody"])}`,
            )
          ).text
        else if (hashOf(`${now} looks`) % 2 === 0) last = await look(context, now, null, noteStep)
        else last = await chosenBy(`${now} deed`, deeds)(context, now, { n: index }, noteStep)
      } catch (error) {
        if (hashOf(`${now} catches`) % 2 === 0) throw error
      }
      await pause(now)
    }
    return last === null ? undefined : { content: typeof last === "string" ? last : "something" }
  }
  return {
    services: {
      ...machinesOf(seed, pause),
      asker: carry("asker", (_context, roll, input) => {
        // The machine `nodeRun` creates the input of a node with the option `returnsNodeResult`.
        const { answers } = input as NodeCall
        return Object.keys(answers).length > 0
          ? { output: answers }
          : chosenBy(`${roll} result`, nodeResults)
      }),
      director: carry("director", direct),
      hook: deed("hook"),
      calc: deed("calc"),
      ship: deed("ship"),
      node: carry("node", (context, roll, input) =>
        hashOf(`${roll} acts`) % 6 === 0
          ? chosenBy(`${roll} deed`, deeds)(context, roll, input, noteStep)
          : { n: hashOf(roll) % 5 },
      ),
      choose: carry("choose", (_context, roll) =>
        chosenBy(`${roll} route`, ["left", "right", "nowhere", "nowhere", "nowhere"]),
      ),
      judge: carry("judge", (_context, roll) => chosenBy(`${roll} outcome`, outcomes)),
      tell: carry("tell", (_context, roll) => chosenBy(`${roll} told`, ["Be kind.", "", null, 3])),
      audit: { beforeModel: deed("audit"), afterAgent: deed("audit after") },
      box: {
        list: carry("list", (_context, roll) =>
          chosenBy(`${roll} list`, [
            [{ name: "dig" }],
            [{ name: "dig" }, { name: "find" }, { name: "dig" }],
            [],
            "no list",
            [null, { name: "" }],
          ]),
        ) as never,
        call: (context: HostContext, name: string, args: Record<string, unknown>) =>
          deed(`box ${name}`)(context, args),
      },
    },
    open: () => [...open].filter(({ signal }) => !signal.aborted).length,
  }
}
