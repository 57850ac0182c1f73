export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

/** Parses the subset of XML that this package writes. Throws if the source is not well formed. */
export function readXml(source: string): XmlElement {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(source))
    throw new Error("a character that XML does not allow")
  const outer: Open = { name: "", attributes: {}, children: [], text: "" }
  const open: Open[] = [outer]
  let at = 0
  while (at < source.length) {
    const here = open.at(-1) ?? outer
    const rest = source.slice(at, at + 100_000)
    const found =
      /^<\?[^?]*\?>|^<!--(?:(?!--)[^])*-->|^<\/([\w.-]+)>|^<([\w.-]+)((?:\s+[\w.:-]+="[^"<]*")*)\s*(\/?)>|^[^<]+/.exec(
        rest,
      )
    if (found === null) throw new Error(`not well formed: ${rest.slice(0, 80)}`)
    const [whole, closed, opened, given = "", alone] = found
    at += whole.length
    if (closed !== undefined) {
      if (here.name !== closed) throw new Error(`</${closed}> closes <${here.name}>`)
      open.pop()
      open.at(-1)?.children.push(here)
    } else if (opened !== undefined) {
      const pairs = [...given.matchAll(/([\w.:-]+)="([^"]*)"/g)].map(
        ([, name = "", value = ""]) => [name, decode(value)] as const,
      )
      if (new Set(pairs.map(([name]) => name)).size < pairs.length)
        throw new Error(`an attribute stands twice: ${whole}`)
      const element: Open = {
        name: opened,
        attributes: Object.fromEntries(pairs),
        children: [],
        text: "",
      }
      if (alone === "/") here.children.push(element)
      else open.push(element)
    } else if (!whole.startsWith("<")) here.text += decode(whole)
  }
  const [root, ...others] = outer.children
  if (open.length > 1 || root === undefined || others.length > 0 || outer.text.trim() !== "")
    throw new Error("not one whole element")
  return root
}

function decode(text: string): string {
  return text.replace(/&(#?\w*);?/g, (whole, name: string) => {
    const known = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }[name]
    if (known === undefined || !whole.endsWith(";")) throw new Error(`no entity: ${whole}`)
    return known
  })
}

export const elementsOf = (element: XmlElement): readonly XmlElement[] => [
  element,
  ...element.children.flatMap(elementsOf),
]
