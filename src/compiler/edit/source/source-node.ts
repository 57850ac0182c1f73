import { pointerKeys } from "../../document/json-pointer.js"

/** A value of a config with its range in the text. */
export interface SourceNode {
  readonly kind: "map" | "list" | "scalar" | "alias"
  /** Offset of the first character, after an anchor or tag. */
  readonly from: number
  /** Offset after the last character, without the line end. */
  readonly to: number
  /** Whether the value is written in brackets. False for block lists and block objects of YAML. */
  readonly isFlow: boolean
  /** Whether the value has an anchor or a tag (YAML). */
  readonly hasProperties: boolean
  /** The fields of an object or the entries of a list. */
  readonly entries: readonly SourceEntry[]
}

/** A field of an object, or an entry of a list. */
export interface SourceEntry {
  /** The name of the field. null for an entry of a list. */
  readonly key: string | null
  /** Range of the key, with quotes. Empty for an entry of a list. */
  readonly keyRange: { readonly from: number; readonly to: number }
  /** Offset of the first character: of the key, of the dash (in a YAML list), or of the value. */
  readonly from: number
  /** Offset after the last character of the value. */
  readonly to: number
  /** Offset after the colon or the dash. */
  readonly valueFrom: number
  readonly value: SourceNode
}

/**
 * An anchor of YAML (`&name`), which names a value, or an alias (`*name`), which uses that value.
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
 * Returns the field or the list entry with a key. If an object contains the key several times,
 * returns the last field.
 */
export const entryOf = ({ kind, entries }: SourceNode, key: string): SourceEntry | undefined =>
  kind === "list"
    ? entries[/^\d+$/.test(key) ? Number(key) : -1]
    : entries.findLast((entry) => entry.key === key)

/**
 * Returns the fields and list entries on the path to the value at a JSON pointer. Returns undefined
 * if the text does not contain the value there, for example because it is part of an alias.
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
