import { data } from "../fields/data.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { identifier } from "../fields/identifier.js"
import {
  filledText,
  flag,
  list,
  objectOf,
  oneOf,
  refuseType,
  text,
} from "../fields/plain-values.js"
import type { Reader } from "../fields/field-table.js"
import { readFields } from "../fields/read-fields.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf } from "../../diagnostics/config-location.js"
import type { KnownServices } from "../context/known-services.js"
import type { ServiceDeclaration, ServiceKind } from "../context/service-declaration.js"
import { serviceKinds } from "../context/service-declaration.js"

/**
 * Parses the compile option `services`. Reports invalid values, because the option can come from
 * untyped code.
 */
export function readServices(value: unknown, location: ParserLocation): KnownServices {
  const byName = new Map<string, ServiceDeclaration[]>()
  for (const [index, entry] of (list(value, location) ?? []).entries()) {
    const declaration = readDeclaration(entry, fieldOf(location, index))
    if (declaration === null) continue
    const others = byName.get(declaration.name)
    if (others === undefined) byName.set(declaration.name, [declaration])
    else others.push(declaration)
  }
  return {
    areKnown: true,
    find: (name, kind) =>
      byName.get(name)?.find((declaration) => alike(declaration.kind) === alike(kind)) ?? null,
    kindsOf: (name) => byName.get(name)?.map(({ kind }) => kind) ?? [],
    names: () => byName.keys(),
  }
}

/**
 * Returns the kind by which a service is looked up. A router is also a graph node, so its kind is
 * `node`.
 */
const alike = (kind: ServiceKind): ServiceKind => (kind === "router" ? "node" : kind)

function readDeclaration(entry: unknown, location: ParserLocation): ServiceDeclaration | null {
  const object = objectOf(entry)
  if (object === null)
    return refuseType(
      entry,
      location,
      "a service",
      'an object such as {"name": "search", "kind": "tool"}',
    )
  const {
    name,
    kind,
    shownAs,
    description,
    parameters,
    requireConfirmation,
    jsonSchema,
    routes,
    plugin,
  } = readFields(object, declaration, location).values
  if (name === null || kind === null) return null
  return {
    name,
    kind,
    ...(shownAs !== null && { shownAs }),
    ...(description !== null && { description }),
    ...(parameters !== null && { parameters }),
    ...(requireConfirmation !== null && { requireConfirmation }),
    ...(jsonSchema !== null && { jsonSchema }),
    ...(routes !== null && { routes }),
    ...(plugin !== null && { plugin }),
  }
}

const texts: Reader<readonly string[]> = (value, location) =>
  list(value, location)?.flatMap(
    (entry, index) => filledText(entry, fieldOf(location, index)) ?? [],
  ) ?? null

/**
 * The fields of a service declaration that the compiler reads. A declaration may also contain
 * fields that only the runner uses.
 */
const declaration = fieldTable(
  "a service",
  {
    name: required(filledText, "Add the name of the service."),
    kind: required(oneOf(serviceKinds), "Add the kind of the service."),
    shownAs: optional(identifier),
    description: optional(text),
    parameters: optional(data),
    requireConfirmation: optional(flag),
    jsonSchema: optional(data),
    routes: optional(texts),
    plugin: optional(data),
  },
  { foreign: true },
)
