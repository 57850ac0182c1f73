import type { JsonObject } from "../../../machines/data/json-object.js"
import type { PlacedCredential, SchemeCredential } from "../../../openapi/credentials.js"
import { placeCredential, schemeNames } from "../../../openapi/credentials.js"
import type { OpenApiOperation } from "../../../openapi/read-operations.js"
import { UnsupportedOperation } from "../../../openapi/unsupported-operation.js"
import { scanTemplate } from "../../../template/parse/scan-template.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldTable, required } from "../fields/field-table.js"
import type { Reader } from "../fields/field-table.js"
import { objectOf, refuseType } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import { templateText } from "../fields/template-text.js"
import { didYouMean } from "../../../machines/data/suggest.js"

/**
 * Parses the field `auth` of an OpenAPI toolset, which contains a credential for each security
 * scheme of the document.
 */
export const openApiAuth: Reader<Readonly<Record<string, SchemeCredential>>> = (
  value,
  location,
) => {
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, location, "an object", '{"api_key": "{{ $secret(\'API_KEY\') }}"}')
  const entries = Object.entries(object).flatMap(([scheme, given]) => {
    const read = credential(given, fieldOf(location, scheme))
    return read === null ? [] : [[scheme, read] as const]
  })
  return Object.fromEntries(entries)
}

const credential: Reader<SchemeCredential> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return credentialText(value, location)
  const { username, password } = readFields(object, basicFields, location).values
  return username === null || password === null ? null : { username, password }
}

/** Parses a credential. Messages never contain the credential, because it may be secret. */
const credentialText: Reader<string> = (value, location) => {
  if (typeof value !== "string")
    return report(location, {
      code: "wrong_type",
      problem: "must be a string or an object",
      fix: 'Write a template such as "{{ $secret(\'API_KEY\') }}", or {"username": "...", "password": "..."}.',
    })
  if (value === "" || /[\r\n\0]/.test(value))
    return report(location, {
      code: "bad_value",
      problem: value === "" ? "is an empty string" : "contains a line break",
      fix: "Write the credential on one line, or remove the field.",
    })
  return templateText(value, location)
}

/**
 * Parses a user name or a password, which is either plain text or exactly one `{{ }}` template. A
 * mixture is an error, because basic authentication encodes the whole text.
 */
const wholeTemplate: Reader<string> = (value, location) => {
  const text = credentialText(value, location)
  if (text === null || !text.includes("{{")) return text
  const [only, ...others] = scanTemplate(text.trim())
  return only?.type === "expression" && others.length === 0
    ? text.trim()
    : report(location, {
        code: "bad_template",
        problem: "contains text before or after a template",
        fix: "Write plain text or a single template.",
      })
}

const basicFields = fieldTable("a credential", {
  username: required(wholeTemplate, "Add the user name."),
  password: required(wholeTemplate, "Add the password."),
})

interface PlacedCredentials {
  /**
   * Returns the credentials to send with a request of the operation. An operation may have
   * alternative security requirements. The first one for which the config has all credentials is
   * used. If there is none, reports a warning and returns an empty list.
   */
  for(operation: OpenApiOperation): readonly PlacedCredential[]
}

/**
 * Returns an object that finds the credentials for each operation of an OpenAPI document. Reports
 * credentials that do not match the document's security schemes.
 */
export function placedCredentials(
  document: JsonObject,
  auth: Readonly<Record<string, SchemeCredential>>,
  location: ParserLocation,
): PlacedCredentials {
  const known = schemeNames(document)
  const placed = new Map<string, PlacedCredential>()
  for (const [scheme, given] of Object.entries(auth)) {
    if (!known.includes(scheme)) {
      report(fieldOf(location, scheme), {
        code: "bad_value",
        problem: "is not a security scheme of the document",
        fix: `${didYouMean(location.parser.suggest(scheme, known))}${known.length === 0 ? "The document has no security schemes. Remove this field." : `Write one of ${known.slice(0, 10).map(describeValue).join(", ")}.`}`,
        part: "key",
      })
      continue
    }
    const one = credentialOrProblem(document, scheme, given)
    if ("problem" in one)
      report(fieldOf(location, scheme), { code: "bad_value", problem: one.problem, fix: one.fix })
    else placed.set(scheme, one)
  }
  const reported = new Set<string>()
  return {
    for({ security }) {
      const wanted = security.find((schemes) => schemes.every((scheme) => placed.has(scheme)))
      if (wanted !== undefined) return wanted.flatMap((scheme) => placed.get(scheme) ?? [])
      const missing = security[0] ?? []
      const key = missing.join(" ")
      if (missing.length > 0 && !reported.has(key)) {
        reported.add(key)
        report(location, {
          code: "credential_missing",
          severity: "warning",
          problem: `does not contain a credential for ${missing.map(describeValue).join(" and ")}, which operations of the document require`,
          fix: `Add "auth": {${missing.map((scheme) => `${describeValue(scheme)}: "{{ $secret('NAME') }}"`).join(", ")}}, or select operations without authentication.`,
        })
      }
      return []
    },
  }
}

function credentialOrProblem(
  document: JsonObject,
  scheme: string,
  given: SchemeCredential,
): ReturnType<typeof placeCredential> {
  try {
    return placeCredential(document, scheme, given)
  } catch (error) {
    if (!(error instanceof UnsupportedOperation)) throw error
    return {
      problem: `belongs to a security scheme that ${error.message}`,
      fix: "Correct the security scheme in the document.",
    }
  }
}
