import type { HttpEndpoint } from "../../../machines/contract/services.js"
import type { JsonObject } from "../../../machines/data/json-object.js"
import { scanTemplate } from "../../../template/parse/scan-template.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import { httpConfig as description } from "../../agent-types/call-settings.js"
import { withoutNulls } from "../../../machines/data/without-nulls.js"
import { describedTable, readDescribed } from "./described-table.js"
import type { Reader } from "./field-table.js"
import { objectOf, refuseType } from "./plain-values.js"
import { templateData, templateText } from "./template-text.js"

/** Parses an HTTP endpoint: `{url, method, headers?, body?}`. */
export const httpConfig: Reader<HttpEndpoint> = (value, location) => {
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, location, "an object", '{"url": "https://...", "method": "POST"}')
  const { url, method, headers, body } = readDescribed(object, table, location).values
  return url === null || method === null
    ? null
    : { url, method, ...withoutNulls({ headers, body }) }
}

/** Parses an http or https URL, which may contain `{{ }}` templates. */
export const url: Reader<string> = (value, location) => {
  const given = templateText(value, location)
  if (given === null || isAddress(given)) return given
  const suggestion = `https://${given}`
  const hint =
    !given.includes("://") &&
    /^[\w.-]+(?::\d+|\.\w{2,})(?:\/|$)/.test(given) &&
    isAddress(suggestion)
      ? `The scheme is missing. Did you mean "http://${given}" or "${suggestion}"? `
      : ""
  const fix = `${hint}Write an absolute URL that starts with http:// or https://, such as https://example.com/agent. The URL may contain {{ templates }}.`
  return report(location, {
    code: "bad_url",
    problem: `is ${describeValue(given)}, which is not an http or https URL`,
    fix,
  })
}

/**
 * Returns whether a URL can be valid after its `{{ }}` templates are filled. Accepts a URL whose
 * scheme or host is a template, although calls to it fail at run time unless the runner allows
 * them.
 */
function isAddress(given: string): boolean {
  const pieces = scanTemplate(given)
  let filled = pieces[0]?.type === "expression" ? "http://host" : ""
  pieces.forEach((piece, index) => {
    if (piece.type === "text") filled += piece.text
    else if (index > 0) filled += /:\d*$/.test(filled) ? "1" : "a"
  })
  return /^https?:\/\/[^\s]+$/i.test(filled) && URL.canParse(filled)
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

const method: Reader<string> = (value, location) => {
  const wanted = typeof value === "string" ? value.toUpperCase() : ""
  if (methods.includes(wanted)) return wanted
  const suggestion = typeof value === "string" ? location.parser.suggest(value, methods) : null
  return report(location, {
    code: "bad_method",
    problem: `is ${describeValue(value)}, which is not an HTTP method`,
    fix: `${didYouMean(suggestion)}Write one of ${methods.join(", ")}. For model services, use POST.`,
  })
}

type HeaderValue = NonNullable<HttpEndpoint["headers"]>[string]

/** Parses HTTP headers. Their values may contain `{{ }}` templates. */
export const headers: Reader<Readonly<Record<string, HeaderValue>>> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", '{"Header-Name": "text"}')
  const read = Object.entries(object).map(
    ([name, content]) => [name, header(name, content, fieldOf(location, name))] as const,
  )
  const kept = read.filter((entry): entry is [string, HeaderValue] => entry[1] !== null)
  return kept.length === read.length ? Object.fromEntries(kept) : null
}

/**
 * Parses the value of an HTTP header. Messages never contain header values, because they may be
 * secret.
 */
function header(name: string, value: unknown, location: ParserLocation): HeaderValue | null {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
    const problem = "is not a valid HTTP header name"
    return report(location, {
      code: "bad_value",
      problem,
      fix: "Use only letters, digits and hyphens in the name of the header.",
      part: "key",
    })
  }
  if (value === null)
    return report(location, {
      code: "wrong_type",
      problem: "is null",
      fix: "Write the value of the header, or remove the header.",
    })
  if (typeof value === "number" || typeof value === "boolean") return JSON.stringify(value)
  if (typeof value !== "string") {
    const written = templateData(Array.isArray(value) ? { value } : value, location)
    return Array.isArray(value) ? written && value : written
  }
  if (/[\r\n\0]/.test(value)) {
    return report(location, {
      code: "bad_value",
      problem: "contains a line break",
      fix: "Write the header value on one line.",
    })
  }
  return templateText(value, location)
}

/**
 * Parses the body of an HTTP request: an object, or a single `{{ }}` template that returns the
 * body.
 */
const body: Reader<JsonObject | string> = (value, location) => {
  if (typeof value !== "string") return templateData(value, location)
  const given = templateText(value.trim(), location)
  const [only, ...others] = given === null ? [] : scanTemplate(given)
  return given === null || (only?.type === "expression" && others.length === 0)
    ? given
    : report(location, {
        code: "wrong_type",
        problem: "must be an object or a single template, not a string",
        fix: 'Write an object in { }, or a single template that evaluates to an object, such as "{{ state.extra }}".',
      })
}

const table = describedTable(description, "graph-compose", {
  url,
  httpMethod: method,
  headers,
  httpBody: body,
})
