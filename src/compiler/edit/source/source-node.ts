import { pointerKeys } from "../../document/json-pointer.js"

/** A value of a config, with its range in the text. */
export interface SourceNode {
  readonly kind: "map" | "list" | "scalar" | "alias"
  /** Offset of the first character of the value. A YAML anchor or tag is before this offset. */
  readonly from: number
  /** Offset after the last character of the value, without the line end. */
  readonly to: number
  /**
   * Whether the value is in brackets. False for block lists and block objects of YAML. True for all
   * JSON values.
   */
  readonly isFlow: boolean
  /** Whether the value has a YAML anchor or tag. */
  readonly hasProperties: boolean
  /** The fields of an object or the entries of a list. Empty for other values. */
  readonly entries: readonly SourceEntry[]
}

/** A field of an object, or an entry of a list, with its range in the text. */
export interface SourceEntry {
  /** The name of the field. Null for an entry of a list. */
  readonly key: string | null
  /** Range of the field name, including quotes. Empty for an entry of a list. */
  readonly keyRange: { readonly from: number; readonly to: number }
  /**
   * Offset of the first character of the entry. It is the start of the key, of the dash (in a YAML
   * block list), or of the value.
   */
  readonly from: number
  /** Offset after the last character of the entry's value. */
  readonly to: number
  /**
   * Offset after the colon of a field, or after the dash of an entry in a YAML block list. For an
   * entry of a list in brackets, the offset at which the value starts.
   */
  readonly valueFrom: number
  readonly value: SourceNode
}

/**
 * A YAML anchor (`&name`), which marks a value, or a YAML alias (`*name`), which refers to a marked
 * value.
 */
export interface SourceAnchor {
  readonly name: string
  readonly offset: number
  readonly isAlias: boolean
}

/** A parsed text with the ranges of its values. */
export interface SourceText {
  readonly format: "json" | "yaml"
  readonly text: string
  readonly root: SourceNode
  readonly anchors: readonly SourceAnchor[]
}

/**
 * Returns the field of an object, or the entry of a list, for a key. If an object contains the key
 * several times, returns the last field.
 */
export const entryOf = ({ kind, entries }: SourceNode, key: string): SourceEntry | undefined =>
  kind === "list"
    ? entries[/^\d+$/.test(key) ? Number(key) : -1]
    : entries.findLast((entry) => entry.key === key)

/**
 * Returns the fields and list entries on the path to the value at a JSON pointer. Returns undefined
 * if the text does not contain the value at this position, for example because it is part of an
 * alias.
 */
export function entriesTo(root: SourceNode, pointer: string): readonly SourceEntry[] | undefined {
  const entries: SourceEntry[] = []
  let node = root
  for (const key of pointerKeys(pointer)) {
    const entry = entryOf(node, key)
    if (entry === undefined) return undefined
    entries.push(entry)
    node = entry.value
  }
  return entries
}
