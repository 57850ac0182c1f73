import type {
  CallToolResult,
  ElicitRequest,
  ElicitResult,
  Transport,
} from "@modelcontextprotocol/client"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { onTestFinished } from "vitest"
import { main } from "../cli/command.js"

/** Both generations of the protocol. */
export const eras = ["auto", "legacy"] as const

export type Era = (typeof eras)[number]

/** Returns the response of a person to a form. */
export type Person = (
  asked: Extract<ElicitRequest["params"], { requestedSchema: unknown }>,
) => ElicitResult

export interface ClientOptions {
  readonly era?: Era
  /** Fills in forms. Without it, the client does not support forms. */
  readonly person?: Person
}

async function connected(
  transport: Transport,
  { era = "auto", person }: ClientOptions,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: era },
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
    },
  )
  if (person !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) =>
      person(params as Parameters<Person>[0]),
    )
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** Connects the official client over HTTP. */
export const httpClient = (origin: string, options: ClientOptions = {}): Promise<Client> =>
  connected(
    new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
      requestInit: { headers: { authorization: "Bearer test-token" } },
    }),
    options,
  )

export interface StdioClient {
  readonly client: Client
  readonly pid: number
  /** Returns the text that the program has written to stderr. */
  complained(): string
}

/** Connects the official client over stdio, which starts the built command. */
export async function stdioClient(
  args: readonly string[],
  options: ClientOptions = {},
): Promise<StdioClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, "mcp", ...args],
    stderr: "pipe",
  })
  let complained = ""
  transport.stderr?.on("data", (chunk: Buffer) => (complained += chunk.toString()))
  const client = await connected(transport, options)
  return { client, pid: transport.pid ?? 0, complained: () => complained }
}

export interface ToldRun {
  readonly runId: string
  readonly status: string
  readonly text: string | null
  readonly state: Readonly<Record<string, unknown>>
  readonly pending?: readonly {
    readonly id: string
    readonly kind: string
    readonly prompt: string | null
  }[]
}

/** Returns the run in the result of a tool. */
export const told = ({ structuredContent }: CallToolResult): ToldRun => structuredContent as ToldRun

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("")
