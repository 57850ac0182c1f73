import type { Token, Tokens } from "marked"
import { lexer, walkTokens } from "marked"
import type { ComponentChildren, JSX } from "preact"
import { useMemo } from "preact/hooks"
import "./markdown.css"

/**
 * Component that renders Markdown as elements. HTML in the Markdown is not interpreted, but shown
 * as text. Images are shown as links, because the page loads nothing from other hosts.
 */
export function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => tokensOf(text), [text])
  return <div class="markdown">{blocks(tokens)}</div>
}

/**
 * Parses a Markdown text into tokens. Heading levels are changed so that no heading is more than
 * one level below the previous heading.
 */
function tokensOf(text: string): readonly Token[] {
  const tokens = lexer(text)
  let depth = 0
  void walkTokens(tokens, (token) => {
    if (isHeading(token)) token.depth = depth = Math.min(token.depth, depth + 1)
  })
  return tokens
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading"

const blocks = (tokens: readonly Token[]): ComponentChildren =>
  tokens.map((token, index) => <Block key={index} token={token as KnownToken} />)

/**
 * The tokens that the Markdown parser `marked` returns. This page uses no extensions of the parser,
 * which could return other tokens.
 */
type KnownToken =
  | Tokens.Blockquote
  | Tokens.Br
  | Tokens.Checkbox
  | Tokens.Code
  | Tokens.Codespan
  | Tokens.Def
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.HTML
  | Tokens.Image
  | Tokens.Link
  | Tokens.List
  | Tokens.ListItem
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Strong
  | Tokens.Table
  | Tokens.Text

function Block({ token }: { readonly token: KnownToken }): JSX.Element | null {
  switch (token.type) {
    case "heading": {
      // The name of the run has level 2, so the headings of a text begin at level 3.
      const level = Math.min(6, token.depth + 2)
      return (
        <p role="heading" aria-level={level} class={`heading of-depth-${token.depth}`}>
          {blocks(token.tokens)}
        </p>
      )
    }
    case "paragraph":
      return <p>{blocks(token.tokens)}</p>
    case "blockquote":
      return <blockquote>{blocks(token.tokens)}</blockquote>
    case "list": {
      const items = token.items.map((item, index) => <li key={index}>{blocks(item.tokens)}</li>)
      return token.ordered ? <ol start={Number(token.start)}>{items}</ol> : <ul>{items}</ul>
    }
    case "list_item":
      return <>{blocks(token.tokens)}</>
    case "table":
      return <Table table={token} />
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      )
    case "hr":
      return <hr />
    case "br":
      return <br />
    case "strong":
      return <strong>{blocks(token.tokens)}</strong>
    case "em":
      return <em>{blocks(token.tokens)}</em>
    case "del":
      return <del>{blocks(token.tokens)}</del>
    case "codespan":
      return <code>{token.text}</code>
    case "checkbox":
      return <input type="checkbox" checked={token.checked} disabled aria-label="Task" />
    case "link":
      return <SafeLink href={token.href}>{blocks(token.tokens)}</SafeLink>
    case "image":
      return <SafeLink href={token.href}>{token.text === "" ? token.href : token.text}</SafeLink>
    case "text":
      return <>{token.tokens === undefined ? token.text : blocks(token.tokens)}</>
    case "escape":
      return <>{token.text}</>
    case "html":
      return <>{token.raw}</>
    case "space":
    case "def":
      return null
  }
}

function Table({ table: { header, rows, align } }: { readonly table: Tokens.Table }) {
  const style = (column: number): { textAlign: "left" | "center" | "right" } => ({
    textAlign: align[column] ?? "left",
  })
  return (
    <div class="scrolls" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }, column) => (
              <th key={column} scope="col" style={style(column)}>
                {blocks(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map(({ tokens }, column) => (
                <td key={column} style={style(column)}>
                  {blocks(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/**
 * Link that opens in a new tab. If the address is not a web or mail address, the link is shown as
 * text.
 */
function SafeLink({
  href,
  children,
}: {
  readonly href: string
  readonly children: ComponentChildren
}) {
  return /^(https?|mailto):/i.test(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    <>
      {children} ({href})
    </>
  )
}
