import type { McpRequestContext, Tool } from "@modelcontextprotocol/server"
import { idempotencyKey } from "../../../adapters/tool/mcp/idempotency-key.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { describeWorkflow, rootAgentOf } from "../../workflows/describe-workflow.js"
import type { ServedWorkflow } from "../../workflows/served-workflows.js"
import { resultSchema } from "./mcp-result.js"

/** A workflow that clients can call as an MCP tool. */
export interface WorkflowTool {
  readonly workflow: ServedWorkflow
  /**
   * Schema of the tool's arguments, if the root agent has an object schema as its `inputSchema`.
   * The arguments are sent to the agent as JSON. Null means that the tool accepts a prompt and a
   * state instead.
   */
  readonly inputSchema: JsonObject | null
  readonly declaration: Tool
}

export interface McpTools {
  /**
   * Returns the MCP tools that clients can list. These are one tool for each workflow, and the tool
   * `answer_run`. In the 2025 version of the protocol, each tool declares whether it can be called
   * as a task.
   */
  declarations(era: McpRequestContext["era"]): Tool[]
  /**
   * Returns the workflow tool with this name. Returns undefined for `answer_run` and unknown names.
   */
  get(name: string): WorkflowTool | undefined
}

/** Name of the MCP tool that answers the pending requests of a run. */
export const answerRun = "answer_run"

/** Creates one MCP tool for each workflow. The names of the tools are unique. */
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
  return {
    declarations: (era) => [
      ...[...tools.values()].map(({ declaration }) => ({
        ...declaration,
        ...(era === "legacy" && { execution: { taskSupport: "optional" as const } }),
      })),
      answerDeclaration,
    ],
    get: (name) => tools.get(name),
  }
}

/**
 * Returns a unique tool name for a workflow id. It contains only letters, digits, `_` and `-`, and
 * at most 64 characters, because models accept no other names.
 */
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
  // `objectSchemaOf` and `messageSchema` return only object schemas.
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
      ? "Message of the user."
      : "Message of the user. Default: the first message that the workflow defines."
  return {
    type: "object",
    properties: {
      prompt: { type: "string", description },
      state: { type: "object", description: "Initial state of the run by key. Rarely needed." },
    },
    required: own === null ? ["prompt"] : [],
    additionalProperties: false,
  }
}

const answerDeclaration: Tool = {
  name: answerRun,
  title: "Answer a run",
  description:
    'Answers a pending request of a run and returns the new status of the run. Use this tool if the result of a workflow has the status "waiting". If a person must decide, ask the user first.',
  inputSchema: {
    type: "object",
    properties: {
      runId: { type: "string", description: "Id of the run, from the result of the workflow." },
      request: {
        type: "string",
        description: "Id of the pending request. Optional if only one is pending.",
      },
      approved: {
        type: "boolean",
        description: "For a request of kind approval: whether the proposed calls may be made.",
      },
      args: {
        type: "object",
        description:
          "With approved true: arguments that replace the proposed ones. If there are several calls, arguments by call id.",
      },
      reason: {
        type: "string",
        description: "With approved false: the reason, which the model receives.",
      },
      answer: {
        description:
          'For all other kinds of requests: the message or the answer. For kind auth: {"secret": name}. For kind tool: the result of the call.',
      },
    },
    required: ["runId"],
    additionalProperties: false,
  },
  outputSchema: resultSchema,
}
