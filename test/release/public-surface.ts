import { join } from "node:path"
import type { Node } from "typescript/unstable/ast"
import {
  isIdentifier,
  isSourceFile,
  isVariableDeclaration,
  SyntaxKind,
} from "typescript/unstable/ast"
import type { Checker, Project, Symbol as CompilerSymbol } from "typescript/unstable/sync"
import { API, SymbolFlags } from "typescript/unstable/sync"

/** An exported declaration, or a declaration to which an exported one refers. */
export interface Declared {
  readonly kind: string
  /** Its declarations without comments. Overloaded functions and merged interfaces have several. */
  readonly texts: readonly string[]
  /** The id of a declaration is the same in all entries. */
  readonly id: string
  /** The ids of other declarations of this package to which it refers. */
  readonly uses: readonly string[]
}

export interface Entry {
  readonly name: string
  /** The built file with its types, relative to the project folder. */
  readonly types: string
}

export interface Surface {
  /** The exports of each entry: the ids of declarations, by name. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly declared: ReadonlyMap<string, Declared>
  readonly names: ReadonlyMap<string, string>
}

/** Reads the exports of the entries, and all declarations to which they refer, from the built types. */
export function readSurface(root: string, entries: readonly Entry[]): Surface {
  const api = new API({ cwd: root })
  try {
    const [project] = api
      .updateSnapshot({ openProjects: [join(root, "test/release/tsconfig.json")] })
      .getProjects()
    if (project === undefined) throw new Error("The built types could not be opened.")
    return surfaceOf(project, root, entries)
  } finally {
    api.close()
  }
}

function surfaceOf(project: Project, root: string, entries: readonly Entry[]): Surface {
  const { checker, program } = project
  const declared = new Map<string, Declared>()
  const names = new Map<string, string>()
  const waiting: CompilerSymbol[] = []
  const note = (symbol: CompilerSymbol): string => {
    const id = idOf(symbol)
    if (!names.has(id)) {
      names.set(id, symbol.name)
      waiting.push(symbol)
    }
    return id
  }
  const exported = entries.map(({ name, types }) => {
    const file = program.getSourceFile(join(root, types))
    const door = file === undefined ? undefined : checker.getSymbolAtLocation(file)
    if (door === undefined) throw new Error(`${types} is not built, or exports nothing.`)
    return [
      name,
      new Map(
        checker
          .getExportsOfModule(door)
          .map((symbol) => [symbol.name, note(behind(symbol, checker))]),
      ),
    ] as const
  })
  for (let symbol = waiting.pop(); symbol !== undefined; symbol = waiting.pop()) {
    const nodes = symbol.declarations.flatMap((handle) => handle.resolve(project) ?? [])
    const isOwn = nodes.every((node) => isBuilt(node, root))
    const used = isOwn ? nodes.flatMap((node) => usedBy(node, checker, root)) : []
    declared.set(idOf(symbol), {
      kind: kindOf(nodes[0]),
      texts: isOwn
        ? nodes.map(textOf)
        : [`from ${nodes[0] === undefined ? "nowhere" : packageOf(nodes[0])}`],
      id: idOf(symbol),
      uses: [...new Set(used.map(note))],
    })
  }
  return { entries: new Map(exported), declared, names }
}

/** Returns the symbol to which an import or a re-export refers. */
const behind = (symbol: CompilerSymbol, checker: Checker): CompilerSymbol =>
  (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)

const idOf = (symbol: CompilerSymbol): string => `${symbol.id}`

const isBuilt = (node: Node, root: string): boolean =>
  node.getSourceFile().fileName.startsWith(join(root, "dist/"))

const packageOf = (node: Node): string =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(node.getSourceFile().fileName)?.[1] ??
  node.getSourceFile().fileName

/** Returns the top-level declarations of the package to which a declaration refers. */
function usedBy(node: Node, checker: Checker, root: string): readonly CompilerSymbol[] {
  const identifiers: Node[] = []
  const visit = (inner: Node): void => {
    if (isIdentifier(inner)) identifiers.push(inner)
    inner.forEachChild(visit)
  }
  visit(node)
  return checker
    .getSymbolAtLocation(identifiers)
    .flatMap((symbol) => (symbol === undefined ? [] : behind(symbol, checker)))
    .filter((symbol) => {
      const declaration = symbol.declarations[0]?.resolve()
      return declaration !== undefined && isBuilt(declaration, root) && isAtTheTop(declaration)
    })
}

const isAtTheTop = (node: Node): boolean =>
  !isSourceFile(node) &&
  isSourceFile(isVariableDeclaration(node) ? node.parent.parent.parent : node.parent)

/** Returns the text of a declaration without comments and modifiers. String literals are kept unchanged. */
function textOf(node: Node): string {
  const text = node.getText(node.getSourceFile())
  return (isVariableDeclaration(node) ? `const ${text}` : text)
    .replace(
      /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)|\/\*[^]*?\*\/|\/\/.*/g,
      (_, literal: string | undefined) => literal ?? "",
    )
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(
      /(: readonly \[)(.{120,})\]$/,
      (_, before: string, list: string) => `${before}\n    ${list.replaceAll(", ", ",\n    ")},\n]`,
    )
    .replace(/^export (default )?/, "")
    .replace(/^declare /, "")
}

function kindOf(node: Node | undefined): string {
  switch (node?.kind) {
    case SyntaxKind.FunctionDeclaration:
      return "function"
    case SyntaxKind.VariableDeclaration:
      return "const"
    case SyntaxKind.ClassDeclaration:
      return "class"
    case SyntaxKind.InterfaceDeclaration:
      return "interface"
    case SyntaxKind.TypeAliasDeclaration:
      return "type"
    default:
      return node === undefined ? "unknown" : SyntaxKind[node.kind]
  }
}
