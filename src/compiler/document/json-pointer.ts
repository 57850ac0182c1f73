/** JSON pointers (RFC 6901): how a diagnostic names a place in a config. `""` is the whole config. */
export const childPointer = (parent: string, key: string | number): string =>
  `${parent}/${typeof key === "number" ? key : key.replaceAll("~", "~0").replaceAll("/", "~1")}`

export const pointerKeys = (pointer: string): readonly string[] =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
