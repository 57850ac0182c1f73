import { isJsonObject } from "../machines/data/json-object.js"

/**
 * Returns the URL of the first server in a list, with the defaults of its variables. Returns null
 * if the list is empty, or if the URL is relative or invalid.
 */
export function serverOf(servers: unknown): string | null {
  const [first]: readonly unknown[] = Array.isArray(servers) ? servers : []
  if (!isJsonObject(first)) return null
  const { url, variables } = first
  if (typeof url !== "string") return null
  const filled = url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = isJsonObject(variables) ? variables[name] : undefined
    const value = isJsonObject(variable) ? variable["default"] : undefined
    return typeof value === "string" ? value : whole
  })
  // A URL from the document must not contain templates, because templates could read secrets.
  const isPlain = !/[{}\s\\]/.test(filled) && /^https?:\/\//i.test(filled) && URL.canParse(filled)
  if (!isPlain) return null
  const { origin, pathname, username, search } = new URL(filled)
  return username === "" && search === "" ? `${origin}${pathname.replace(/\/+$/, "")}` : null
}
