import type { CST, Node, Pair, Range } from "yaml"
import { isAlias, isCollection, isMap, isPair, isScalar, isSeq } from "yaml"
import { keyText } from "../../1-parse/yaml/key-text.js"
import type { SourceAnchor, SourceEntry, SourceNode, SourceText } from "./source-node.js"

/** Finds the text ranges of all values in a YAML text. `contents` is the root node of the text. */
export function yamlSource(text: string, contents: Node): SourceText {
  const anchors: SourceAnchor[] = []
  return { format: "yaml", text, root: new Reader(text, anchors).node(contents), anchors }
}

type SourceItem = CST.CollectionItem | undefined

class Reader {
  readonly #text: string
  readonly #anchors: SourceAnchor[]

  constructor(text: string, anchors: SourceAnchor[]) {
    this.#text = text
    this.#anchors = anchors
  }

  node(node: Node): SourceNode {
    const [from, end] = node.range ?? ([0, 0, 0] satisfies Range)
    if (isAlias(node)) {
      this.#anchors.push({ name: node.source, offset: from, isAlias: true })
      return { ...plain, kind: "alias", from, to: end, entries: [] }
    }
    const hasProperties = node.anchor !== undefined || node.tag !== undefined
    if (node.anchor !== undefined)
      this.#anchors.push({ name: node.anchor, offset: from, isAlias: false })
    if (!isCollection(node))
      return {
        ...plain,
        kind: "scalar",
        from,
        to: this.#contentEnd(from, end),
        hasProperties,
        entries: [],
      }
    const isFlow = node.flow === true
    const kind = isMap(node) ? "map" : "list"
    const entries = isMap(node)
      ? node.items.map((pair) => this.#field(pair))
      : isSeq(node)
        ? node.items.map((item, index) => this.#item(item, sourceItems(node)[index], isFlow))
        : []
    return {
      kind,
      from,
      to: isFlow ? end : (entries.at(-1)?.to ?? end),
      isFlow,
      hasProperties,
      entries,
    }
  }

  #field(pair: Pair<unknown, unknown>): SourceEntry {
    // In a document that was composed with source tokens, every pair has a source token.
    const item = pair.srcToken
    const key = this.#part(pair.key, startOf(item))
    const colon = item?.sep?.find(({ type }) => type === "map-value-ind")
    const valueFrom = colon === undefined ? key.to : colon.offset + 1
    const value = this.#part(pair.value, valueFrom)
    return {
      key: keyText(pair.key),
      keyRange: { from: key.from, to: key.to },
      from: startOf(item) ?? key.from,
      to: Math.max(value.to, valueFrom),
      valueFrom,
      value,
    }
  }

  #item(item: unknown, token: SourceItem, isFlow: boolean): SourceEntry {
    // In YAML, `[a: 1]` is a list with an object of one field.
    if (isPair(item)) {
      const entry = this.#field(item)
      const value = { ...plain, isFlow: true, kind: "map", entries: [entry] } as const
      return { ...entry, key: null, value: { ...value, from: entry.from, to: entry.to } }
    }
    const dash = token?.start.find(({ type }) => type === "seq-item-ind")?.offset
    const value = this.#part(item, dash === undefined ? startOf(token) : dash + 1)
    const from = isFlow ? (startOf(token) ?? value.from) : (dash ?? value.from)
    return {
      key: null,
      keyRange: { from, to: from },
      from,
      to: Math.max(value.to, dash === undefined ? from : dash + 1),
      valueFrom: dash === undefined ? from : dash + 1,
      value,
    }
  }

  /**
   * Returns the source node of a key or value. If the key or value is missing in the text, returns
   * an empty scalar at the offset `missingAt`.
   */
  #part(part: unknown, missingAt: number | undefined): SourceNode {
    if (isAlias(part) || isScalar(part) || isCollection(part)) {
      const node = this.node(part)
      // The YAML parser represents a missing value as an empty scalar, whose offset may be many
      // lines further down.
      const isMissing = isScalar(part) && node.from >= node.to && part.anchor === undefined
      return isMissing && missingAt !== undefined
        ? { ...node, from: missingAt, to: missingAt }
        : node
    }
    const index = missingAt ?? 0
    return { ...plain, kind: "scalar", from: index, to: index, entries: [] }
  }

  /**
   * Returns the end offset of a scalar. The range of a block scalar includes the line end, which is
   * excluded here.
   */
  #contentEnd(from: number, end: number): number {
    if (end <= from || this.#text[end - 1] !== "\n") return end
    return this.#text[end - 2] === "\r" ? end - 2 : end - 1
  }
}

const plain = { isFlow: false, hasProperties: false } as const

/**
 * Returns the offset of the first token of an entry that is neither white space, a comment nor a
 * comma.
 */
const startOf = (item: SourceItem): number | undefined =>
  item?.start.find(({ type }) => !["space", "newline", "comment", "comma"].includes(type))
    ?.offset ??
  item?.key?.offset ??
  undefined

const sourceItems = ({
  srcToken,
}: {
  readonly srcToken?: CST.Token | undefined
}): readonly SourceItem[] => (srcToken !== undefined && "items" in srcToken ? srcToken.items : [])
