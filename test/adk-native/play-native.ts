import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Compiled, CompileOptions } from "agent-statecharts/compiler"
import { compile } from "agent-statecharts"
import { openFolder } from "agent-statecharts/adapters/files"
import type { Interpreter, Vector } from "../conformance/play.mjs"
import { tryCompiled } from "../conformance/play.mjs"
import { withServices } from "../conformance/stand-ins.mjs"

/** The four forms of each vector. */
export const forms = ["snake", "camel", "inherit", "yaml"] as const
export type Form = (typeof forms)[number]

type Fields = Readonly<Record<string, unknown>>

interface Service {
  readonly name: string
  readonly kind: string
  readonly tool?: string
  readonly jsonSchema?: Fields
  readonly requireConfirmation?: boolean
  readonly plugin?: string
  readonly behaviour?: Fields
  readonly script?: readonly Fields[]
  readonly policy?: readonly Fields[]
}

export interface NativeVector extends Vector {
  readonly forms: Readonly<Record<Form, string>>
  readonly services: readonly Service[]
  readonly run: {
    readonly state: Fields
    readonly newMessage?: string
    readonly plugins?: readonly Fields[]
    readonly defaultModel?: string
  }
  readonly expectByForm: Readonly<Record<string, Fields>>
}

export const readNative = (folder: string): NativeVector =>
  JSON.parse(readFileSync(join(folder, "vector.json"), "utf8")) as NativeVector

/**
 * Returns the services of the runner as compile options. JSON refers to a tool by its plain name, YAML by a dotted
 * name.
 */
const declared = ({ services }: NativeVector): CompileOptions["services"] =>
  services.flatMap(({ name, kind, tool, jsonSchema, requireConfirmation, plugin }) => {
    const made = plugin === undefined ? {} : { plugin: { type: plugin, policyEngine: name } }
    const one = {
      name,
      kind,
      ...(jsonSchema && { jsonSchema }),
      ...(requireConfirmation && { requireConfirmation }),
      ...made,
    }
    return (kind === "tool" ? [one, { ...one, name: tool ?? name }] : [one]) as NonNullable<
      CompileOptions["services"]
    >
  })

/** Compiles one form of the vector in a folder. */
export function compileForm(folder: string, vector: NativeVector, form: Form): Compiled {
  const { plugins = [], defaultModel } = vector.run
  const options = {
    dialect: "adk",
    services: declared(vector),
    plugins,
    ...(defaultModel === undefined ? {} : { defaultModel }),
  } as CompileOptions
  const file = join(folder, vector.forms[form])
  return compile(
    form === "yaml"
      ? openFolder(join(file, ".."))
      : (JSON.parse(readFileSync(file, "utf8")) as object),
    options,
  )
}

/**
 * Returns the chart without the parts that can differ between forms: the names of models and the prefixes of
 * services.
 */
export function likeness(chart: object): unknown {
  const { fingerprint: _, ...rest } = chart as Fields
  const plain = (key: string, value: unknown): unknown =>
    key === "model" && typeof value === "string" ? "a model" : value
  return JSON.parse(JSON.stringify(rest, plain).replaceAll("test_services.", ""))
}

/**
 * Runs one form of a vector and returns a list of failures. If an error can contain one of several texts, one of them
 * must match.
 */
export async function tryNative(
  folder: string,
  form: Form,
  interpreter: Interpreter,
): Promise<readonly string[]> {
  const {
    run,
    services: given,
    forms: _,
    expectByForm,
    yamlLayout: _layout,
    verdict: _verdict,
    notes: _notes,
    ...vector
  } = readNative(folder)
  const hostLog: string[] = []
  const code = given
    .filter(({ kind }) => ["callback", "agent", "plugin"].includes(kind))
    .map(
      ({ name, behaviour, script, policy }) =>
        [name, behaviour ?? (script === undefined ? { rules: policy } : { script })] as const,
    )
  const { services } = withServices({ config: {}, services: Object.fromEntries(code) }, hostLog)
  const tools = given.flatMap(({ kind, name, tool = name }) =>
    kind === "tool" ? [[name, tool] as const, [tool, tool] as const] : [],
  )
  const expect: Fields = { ...vector.expect, ...expectByForm[form] }
  const session = { state: run.state, ...(run.newMessage && { prompt: run.newMessage }) }
  let failures: readonly string[] = []
  for (const errorContains of choices(expect["errorContains"])) {
    const wanted: Vector = {
      ...vector,
      services,
      session,
      expect: { ...expect, ...(errorContains && { errorContains }) },
    }
    failures = await tryCompiled(
      wanted,
      () => compileForm(folder, readNative(folder), form),
      interpreter,
      hostLog,
      Object.fromEntries(tools),
    )
    if (failures.length === 0) break
  }
  return failures
}

/** Expands alternatives: `["a", ["b", "c"]]` becomes `["a", "b"]` and `["a", "c"]`. */
const choices = (texts: unknown): readonly (readonly unknown[] | undefined)[] =>
  Array.isArray(texts)
    ? texts.reduce<readonly (readonly unknown[])[]>(
        (all, one) => all.flatMap((before) => [one].flat().map((text) => [...before, text])),
        [[]],
      )
    : [undefined]
