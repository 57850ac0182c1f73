// A step of the build: where a module makes plain objects by literals, it makes the same objects by constructors.
//
// V8 notes of every literal whether its objects outlive a collection of young ones, and puts them among the old ones from then on, from where they
// keep young ones alive. A parallel block of a thousand branches is long enough alive for that, although each of its objects dies soon: its
// branches cost half as much again. Of objects that a constructor makes V8 notes no such thing. Nothing else is different: their prototype
// is that of every object (docs/performance.md, "How cost grows").
import { RolldownMagicString } from "rolldown"
import { parseSync, Visitor } from "rolldown/utils"

/** Begins as a path does, so that it counts as a part of the package. */
const prefix = "/plain-object:"

/** A plugin of rolldown for modules by their paths in `dist`; one that does not exist is an error. Objects of the same fields have one constructor, wherever they are made. */
export function plainObjects(modules) {
  const left = new Set(modules)
  return {
    name: "plain-objects",
    resolveId: (id) => (id.startsWith(prefix) ? { id, moduleSideEffects: false } : null),
    load: (id) =>
      id.startsWith(prefix) ? constructorOf(id.slice(prefix.length).split(",")) : null,
    transform(code, id) {
      const module = modules.find((one) => id.replaceAll("\\", "/").endsWith(`/dist/${one}.js`))
      if (module === undefined) return null
      left.delete(module)
      return { code: withPlainObjects(code, id), moduleType: "js" }
    },
    buildEnd(error) {
      if (error === undefined && left.size > 0)
        throw new Error(
          `release/bundle.mjs names modules that are not there: ${[...left].join(", ")}`,
        )
    },
  }
}

const constructorOf = (names) => `export function Plain(${names.join(", ")}) {
${names.map((name) => `  this.${name} = ${name};\n`).join("")}}
Plain.prototype = Object.prototype;
`

/** The code of a module with constructors instead of the literals in its functions, as far as they are sure to mean the same. */
export function withPlainObjects(code, file = "module.js") {
  const { program, errors } = parseSync(file, code, { preserveParens: true })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  if (code.includes("$Plain")) throw new Error(`${file} uses names that begin with $Plain`)
  const text = new RolldownMagicString(code)
  const constructors = new Map()
  let functions = 0
  const enter = () => void functions++
  const leave = () => void functions--
  new Visitor({
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    // What a module makes once while it is loaded stays as it is.
    ObjectExpression(literal) {
      const names = functions === 0 ? null : fieldsOf(literal)
      if (names === null) return
      const shape = names.join(",")
      if (!constructors.has(shape)) constructors.set(shape, `$Plain${constructors.size}`)
      replace(text, literal, constructors.get(shape))
    },
  }).visit(program)
  if (constructors.size === 0) return code
  text.prepend(
    [...constructors]
      .map(([shape, name]) => `import { Plain as ${name} } from "${prefix}${shape}";\n`)
      .join(""),
  )
  return text.toString()
}

function replace(text, { start, end, properties }, name) {
  text.overwrite(start, properties[0].start, `new ${name}(`)
  for (const [index, property] of properties.entries()) {
    if (!property.shorthand) text.remove(property.start, property.value.start)
    const next = properties[index + 1]
    text.overwrite(
      property.end,
      next === undefined ? end : next.start,
      next === undefined ? ")" : ", ",
    )
  }
}

/** The names of its fields, where every one is a plain `name: value`; null where it is not so, or where a constructor would not do the same. */
function fieldsOf({ properties }) {
  const names = new Set()
  for (const property of properties) {
    if (
      property.type !== "Property" ||
      property.kind !== "init" ||
      property.computed ||
      property.method ||
      property.key.type !== "Identifier"
    )
      return null
    const { name } = property.key
    // An assignment of one that all objects have may do something else, a word of the language is no parameter, a function takes its name from its field.
    if (
      name in Object.prototype ||
      names.has(name) ||
      !isParameter(name) ||
      takesName(property.value)
    )
      return null
    names.add(name)
  }
  return names.size < 2 ? null : [...names]
}

function isParameter(name) {
  try {
    new Function(name, `"use strict"; let $ = ${name}`)
    return name !== "await"
  } catch {
    return false
  }
}

function takesName(value) {
  if (value.type === "ParenthesizedExpression") return takesName(value.expression)
  return ["FunctionExpression", "ArrowFunctionExpression", "ClassExpression"].includes(value.type)
}
