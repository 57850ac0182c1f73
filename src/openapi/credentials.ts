import type { JsonObject } from "../machines/data/json-object.js"
import { isJsonObject } from "../machines/data/json-object.js"
import { resolved } from "./document-references.js"

/**
 * A credential for one security scheme of an OpenAPI document, such as an API key. The strings may
 * be `{{ }}` templates that read secrets.
 */
export type SchemeCredential = string | { readonly username: string; readonly password: string }

/**
 * The location of a credential in a request (header, query parameter or cookie), the name of this
 * header, parameter or cookie, and its value.
 */
export interface PlacedCredential {
  readonly in: "header" | "query" | "cookie"
  readonly name: string
  readonly value: string
}

/** Returns the names of the security schemes that an OpenAPI document declares. */
export function schemeNames(document: JsonObject): readonly string[] {
  const { components } = document
  const schemes = isJsonObject(components) ? components["securitySchemes"] : undefined
  return isJsonObject(schemes) ? Object.keys(schemes) : []
}

/**
 * Returns the header, query parameter or cookie that sends a credential. If the credential does not
 * fit the scheme or the scheme is not supported, returns the problem and its fix for an error
 * message.
 */
export function placeCredential(
  document: JsonObject,
  scheme: string,
  credential: SchemeCredential,
): PlacedCredential | { readonly problem: string; readonly fix: string } {
  const { components } = document
  const schemes = isJsonObject(components) ? components["securitySchemes"] : undefined
  const found = isJsonObject(schemes) && Object.hasOwn(schemes, scheme) ? schemes[scheme] : null
  const { type, in: location, name, scheme: kind } = resolved(document, found)
  const method = typeof kind === "string" ? kind.toLowerCase() : null
  if (type === "http" && method === "basic") {
    if (typeof credential === "string")
      return {
        problem: "is a string, but the scheme is HTTP basic authentication",
        fix: 'Write an object with "username" and "password".',
      }
    return { in: "header", name: "authorization", value: basicTemplate(credential) }
  }
  if (typeof credential !== "string")
    return {
      problem: "is an object, but only HTTP basic authentication has a user name and a password",
      fix: "Write the key or the token as a string.",
    }
  if (type === "apiKey" && typeof name === "string" && /^[\w.~!$'*+^`|-]+$/.test(name)) {
    if (location === "query" || location === "header" || location === "cookie")
      return { in: location, name, value: credential }
  }
  if (type === "oauth2" || type === "openIdConnect" || (type === "http" && method === "bearer"))
    return { in: "header", name: "authorization", value: `Bearer ${credential}` }
  return {
    problem: "belongs to a security scheme that is not supported",
    fix: "Remove it. The schemes apiKey, bearer, basic, oauth2 and openIdConnect are supported.",
  }
}

/**
 * Returns a template for the `Authorization` header of HTTP basic authentication. The user name and
 * the password may be templates, so they are joined and encoded when the request is sent.
 */
function basicTemplate({ username, password }: Exclude<SchemeCredential, string>): string {
  const expression = (text: string): string => {
    const [, only] = /^\s*\{\{([^]*)\}\}\s*$/.exec(text) ?? []
    return only === undefined || only.includes("{{") ? JSON.stringify(text) : `(${only.trim()})`
  }
  return `Basic {{ $base64encode(${expression(username)} & ":" & ${expression(password)}) }}`
}
