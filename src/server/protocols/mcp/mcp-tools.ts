import type { Tool } from "@modelcontextprotocol/server"
import { idempotencyKey } from "../../../adapters/tool/mcp/idempotency-key.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { describeWorkflow, rootAgentOf } from "../../workflows/describe-workflow.js"
import type { ServedWorkflow } from "../../workflows/served-workflows.js"
import { resultSchema } from "./mcp-result.js"

/** A workflow as a tool. */
export interface WorkflowTool {
  readonly workflow: ServedWorkflow
  /** What the root agent takes, where that has a form: the arguments are its message then. */
  readonly inputSchema: JsonObject | null
  readonly declaration: Tool
}

export interface McpTools {
  /** As clients are told: the workflows, and the tool that goes on with a run. */
  readonly declarations: readonly Tool[]
  /** The workflow behind a name; undefined where it is none. */
  get(name: string): WorkflowTool | undefined
}

/** The tool that answers what a run waits for. */
export const answerRun = "answer_run"

export function mcpTools(workflows: readonly ServedWorkflow[]): McpTools {
  const tools = new Map<string, WorkflowTool>()
  for (const workflow of workflows) {
    const name = freeName(workflow.id, (taken) => taken === answerRun || tools.has(taken))
    const inputSchema = objectSchemaOf(workflow)
    tools.set(name, {
      workflow,
      inputSchema,
      declaration: declarationOf(name, workflow, inputSchema),
    })
  }
  const declarations = [...tools.values()].map(({ declaration }) => declaration)
  return { declarations: [...declarations, answerDeclaration], get: (name) => tools.get(name) }
}

/** Models take names of letters, digits, `_` and `-`, 64 of them at most. */
function freeName(id: string, isTaken: (name: string) => boolean): string {
  const plain = id.replace(/[^\w-]+/g, "_").slice(0, 60)
  let name = plain
  for (let n = 2; isTaken(name); n++) name = `${plain}_${n}`
  return name
}

function objectSchemaOf(workflow: ServedWorkflow): JsonObject | null {
  const root = rootAgentOf(workflow)
  const schema = root?.type === "LlmAgent" ? (root.adk?.inputSchema ?? null) : null
  return schema?.["type"] === "object" ? schema : null
}

function declarationOf(
  name: string,
  workflow: ServedWorkflow,
  inputSchema: JsonObject | null,
): Tool {
  // Just looked at: what an agent takes is an object.
  const schema = (inputSchema ?? messageSchema(workflow)) as Tool["inputSchema"]
  return {
    name,
    title: workflow.id,
    description: describeWorkflow(workflow),
    inputSchema: schema,
    outputSchema: resultSchema,
    _meta: { [idempotencyKey]: true },
  }
}

function messageSchema({ chart }: ServedWorkflow): JsonObject {
  const own = chart.input.prompt
  const description =
    own === null
      ? "What the user wants."
      : "What the user wants; unless given, the message that the workflow itself begins with."
  return {
    type: "object",
    properties: {
      prompt: { type: "string", description },
      state: { type: "object", description: "Values to begin with, by key; seldom needed." },
    },
    required: own === null ? ["prompt"] : [],
    additionalProperties: false,
  }
}

const answerDeclaration: Tool = {
  name: answerRun,
  title: "Answer a run",
  description:
    'Gives a run what it waits for, and tells what it comes to then. Use it when a workflow has answered with the status "waiting"; ask the user where a person has to decide.',
  inputSchema: {
    type: "object",
    properties: {
      runId: { type: "string", description: "Of the run, as the workflow has told it." },
      request: {
        type: "string",
        description: "Id of the pending request; may be left out where there is one.",
      },
      approved: {
        type: "boolean",
        description: "For a request of kind approval: whether the calls may be made.",
      },
      args: {
        type: "object",
        description: "With an approval: edited arguments; of several calls, by their ids.",
      },
      reason: { type: "string", description: "With a refusal: why." },
      answer: {
        description:
          'For other requests: the message or the answer; for kind auth {"secret": name}; for kind tool the result of the call.',
      },
    },
    required: ["runId"],
    additionalProperties: false,
  },
  outputSchema: resultSchema,
}
