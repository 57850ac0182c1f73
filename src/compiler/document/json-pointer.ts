import { keyInToken, pointerToken } from "../../machines/data/json-pointer.js"

/**
 * Returns the JSON pointer (RFC 6901) of a child value. Diagnostics identify locations in a config
 * by such pointers. `""` is the whole config.
 */
export const childPointer = (parent: string, key: string | number): string =>
  `${parent}/${typeof key === "number" ? key : pointerToken(key)}`

export const pointerKeys = (pointer: string): readonly string[] =>
  pointer === "" ? [] : pointer.slice(1).split("/").map(keyInToken)
