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

/** A name that others may write, or one that a name refers to. */
export interface Declared {
  readonly kind: string
  /** Its declarations without comments; more than one where functions are overloaded or interfaces are added to. */
  readonly texts: readonly string[]
  /** The same for the same declaration, whichever entry it is reached through. */
  readonly id: string
  /** Names of other declarations of this package that it cannot be understood without, by their ids. */
  readonly uses: readonly string[]
}

export interface Entry {
  readonly name: string
  /** The built file of its types, below the folder of the project. */
  readonly types: string
}

export interface Surface {
  /** For each entry what it exports by name: ids of declarations, or the package that a name is handed on from. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly declared: ReadonlyMap<string, Declared>
  readonly names: ReadonlyMap<string, string>
}

/** Reads what the entries export, and all that this refers to, from the built types. */
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

/** What an import or a re-export stands for. */
const behind = (symbol: CompilerSymbol, checker: Checker): CompilerSymbol =>
  (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)

const idOf = (symbol: CompilerSymbol): string => `${symbol.id}`

const isBuilt = (node: Node, root: string): boolean =>
  node.getSourceFile().fileName.startsWith(join(root, "dist/"))

const packageOf = (node: Node): string =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(node.getSourceFile().fileName)?.[1] ??
  node.getSourceFile().fileName

/** Declarations of the package, at the top of their files, that a declaration names. */
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

/** One declaration, without the words around it. Text in quotes is passed over, so that what looks like a comment in it stays. */
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
