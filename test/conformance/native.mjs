import { readFileSync } from "node:fs"
import { join } from "node:path"
import { compile } from "agent-statecharts"
import { openFolder } from "agent-statecharts/adapters/files"
import { tryCompiled } from "./play.mjs"
import { withServices } from "./stand-ins.mjs"

/** The four ways in which a vector in ADK's own form is written. */
export const forms = ["snake", "camel", "inherit", "yaml"]

export const readNative = (folder) => JSON.parse(readFileSync(join(folder, "vector.json"), "utf8"))

/** What the runner has by name, as the compiler is told it. A tool goes by its bare name in JSON, in YAML by a dotted one. */
const declared = ({ services }) => services.flatMap(({ name, kind, tool, jsonSchema, requireConfirmation, plugin }) => {
  const made = plugin && { plugin: { type: plugin, policyEngine: name } }
  const one = { name, kind, ...(jsonSchema && { jsonSchema }), ...(requireConfirmation && { requireConfirmation }), ...made }
  return kind === "tool" ? [one, { ...one, name: tool }] : [one]
})

/** Compiles one form of the vector in a folder. */
export function compileForm(folder, vector, form) {
  const options = { dialect: "adk", services: declared(vector), plugins: vector.run.plugins ?? [], defaultModel: vector.run.defaultModel }
  const file = join(folder, vector.forms[form])
  return compile(form === "yaml" ? openFolder(join(file, "..")) : JSON.parse(readFileSync(file, "utf8")), options)
}

/** The chart without what may differ from form to form: names of models, and how a service is called. */
export function likeness({ fingerprint: _, ...chart }) {
  const plain = (key, value) => (key === "model" && typeof value === "string" ? "a model" : value)
  return JSON.parse(JSON.stringify(chart, plain).replaceAll("test_services.", ""))
}

/** Plays one form and judges what came. Where one of several texts will do in an error, one of them has to. */
export async function tryNative(folder, form, interpreter) {
  const { run, services: given, forms: _, expectByForm, yamlLayout: _layout, verdict: _verdict, notes: _notes, ...vector } = readNative(folder)
  const hostLog = []
  const code = Object.fromEntries(given.filter(({ kind }) => ["callback", "agent", "plugin"].includes(kind))
    .map(({ name, behaviour, script, policy }) => [name, behaviour ?? (script ? { script } : { rules: policy })]))
  const { services } = withServices({ config: {}, services: code }, hostLog)
  const functions = Object.fromEntries(given.filter(({ kind }) => kind === "tool").flatMap(({ name, tool }) => [[name, tool], [tool, tool]]))
  const expect = { ...vector.expect, ...expectByForm[form] }
  const session = { state: run.state, ...(run.newMessage && { prompt: run.newMessage }) }
  let outcome
  for (const errorContains of choices(expect.errorContains)) {
    const wanted = { ...vector, services, session, expect: { ...expect, ...(errorContains && { errorContains }) } }
    outcome = await tryCompiled(wanted, () => compileForm(folder, readNative(folder), form), interpreter, hostLog, functions)
    if (outcome.failures?.length === 0) break
  }
  return outcome
}

/** `["a", ["b", "c"]]` is `["a", "b"]` or `["a", "c"]`. */
const choices = (texts) => texts?.reduce((all, one) => all.flatMap((before) => [one].flat().map((text) => [...before, text])), [[]]) ?? [undefined]
