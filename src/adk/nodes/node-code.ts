import { AgentStatechartsError } from "../../errors.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { NodeCall, NodeQuestion, NodeResult } from "../../machines/graph/node-result.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import { applyActions } from "../context/apply-actions.js"
import type { SchemaLike } from "../common/schema.js"
import { parseWithSchema } from "../common/schema.js"
import type { Content } from "../events/content.js"
import { modelText } from "../events/content.js"
import type { Event } from "../events/event.js"
import { createEvent, isEvent } from "../events/event.js"
import { NodeContext } from "./node-context.js"
import { NodeSchemaValidationError, failureOf } from "./node-errors.js"
import { isRequestInput, questionOf } from "./request-input.js"

/** The name and the schemas of a node, which are needed to validate its input and output. */
export interface RunnableNode {
  readonly name: string
  readonly inputSchema: SchemaLike | undefined
  readonly outputSchema: SchemaLike | undefined
}

/**
 * Wraps the code of a node as a host function, which is a function that the run calls by name. The
 * code returns or yields values, events, contents and questions. The host function combines them in
 * one `NodeResult`.
 */
export const nodeCode =
  (node: RunnableNode, run: (context: NodeContext, input: never) => unknown): HostFunction =>
  async (host, given) => {
    // The machine `nodeRun` creates the input of every node with the option `returnsNodeResult`.
    const { input, ...call } = given as NodeCall
    const context = new NodeContext(host, call)
    const result = new ResultBuilder(node, context)
    try {
      const checked = isContent(input) ? input : await check(node, "input", input)
      // The node declares the type of the input that it expects.
      const returned = run(context, checked as never)
      const ended = consume(returned, result)
      // If a child interrupts the node, nothing awaits this promise, so handle its rejection here.
      ended.catch(() => {})
      await Promise.race([ended, context.children.interrupted])
      applyActions(context.actions, host)
      return result.build()
    } catch (error) {
      if (error instanceof AgentStatechartsError && isFatal(error)) throw error
      return { failure: failureOf(error) } satisfies NodeResult
    }
  }

/** Adds the values that a node returns or yields to its result. */
async function consume(returned: unknown, result: ResultBuilder): Promise<void> {
  if (isIterable(returned)) for await (const value of returned) await result.add(value)
  else await result.add(await returned)
}

const isFatal = ({ code }: AgentStatechartsError): boolean =>
  code === "nondeterministic_host_code" || code === "service_missing"

async function check(
  { name, inputSchema, outputSchema }: RunnableNode,
  direction: "input" | "output",
  value: unknown,
): Promise<unknown> {
  const schema = direction === "input" ? inputSchema : outputSchema
  if (schema === undefined) return value
  try {
    return await parseWithSchema(schema, value)
  } catch (cause) {
    throw new NodeSchemaValidationError({ nodeName: name, direction, cause })
  }
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> =>
  typeof value === "object" && value !== null && ("next" in value || Symbol.asyncIterator in value)

/** Returns whether a value is a message with parts in the format of `@google/genai`. */
const isContent = (value: unknown): value is Content =>
  isJsonObject(value) &&
  Array.isArray(value["parts"]) &&
  Object.keys(value).every((key) => key === "parts" || key === "role")

/**
 * Collects the values that the code of a node returns or yields, and combines them in one
 * `NodeResult`.
 */
class ResultBuilder {
  readonly #node: RunnableNode
  readonly #context: NodeContext
  readonly #questions: NodeQuestion[] = []
  #output: unknown
  #eventOutput: unknown
  #route: unknown
  #isShown = false

  constructor(node: RunnableNode, context: NodeContext) {
    this.#node = node
    this.#context = context
  }

  async add(value: unknown): Promise<void> {
    if (value === undefined || value === null) return
    if (isRequestInput(value)) {
      const question = questionOf(value, this.#node.name)
      this.#questions.push(question)
      this.#context.interruptIds.push(question.id)
    } else if (isEvent(value)) await this.#addEvent(value)
    else if (isContent(value)) this.#context.emit(createEvent({ content: value }))
    else {
      this.#output = await check(this.#node, "output", value)
      this.#show(this.#output)
    }
  }

  async #addEvent(event: Event): Promise<void> {
    if (event.route !== undefined) this.#route = event.route
    if (event.output === undefined) return this.#context.emit(event)
    this.#eventOutput = await check(this.#node, "output", event.output)
    this.#isShown = true
    this.#context.emit({
      ...event,
      output: this.#eventOutput,
      ...(event.content === undefined && { content: modelText(textOfOutput(this.#eventOutput)) }),
    })
  }

  #show(output: unknown): void {
    const { route } = this.#context
    this.#isShown = true
    this.#context.emit(
      createEvent({
        content: modelText(textOfOutput(output)),
        output,
        ...(route !== undefined && { route }),
      }),
    )
  }

  async build(): Promise<NodeResult> {
    const { route = this.#route, output: own } = this.#context
    const questions = [...this.#questions, ...this.#context.children.questions]
    let output = this.#eventOutput ?? this.#output
    if (output === undefined && own !== undefined && own !== null) {
      output = await check(this.#node, "output", own)
      this.#show(output)
    }
    return {
      ...(output !== undefined && { output }),
      ...(route !== undefined && { route }),
      ...(this.#isShown && { isShown: true as const }),
      ...(questions.length > 0 && { questions }),
    }
  }
}

const textOfOutput = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output) ?? "")
