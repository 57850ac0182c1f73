import { keyInToken, pointerToken } from "../../machines/data/json-pointer.js"

/**
 * Returns the JSON pointer (RFC 6901) of a child value, such as `/agents/0` for the parent
 * `/agents` and the key 0. Diagnostics identify locations in a config by JSON pointers. `""` is the
 * whole config.
 */
export const childPointer = (parent: string, key: string | number): string =>
  `${parent}/${typeof key === "number" ? key : pointerToken(key)}`

export const pointerKeys = (pointer: string): readonly string[] =>
  pointer === "" ? [] : pointer.slice(1).split("/").map(keyInToken)
