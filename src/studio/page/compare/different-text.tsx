import "./different-text.css"

interface DifferentTextProps {
  readonly a: string
  readonly b: string
}

/**
 * Shows two texts side by side and highlights where they differ: everything between the start and
 * the end that both texts have in common.
 */
export function DifferentText({ a, b }: DifferentTextProps) {
  if (a === b)
    return (
      <div class="different is-same">
        <pre tabIndex={0} aria-label="Both runs">
          {a === "" ? "–" : a}
        </pre>
      </div>
    )
  const start = commonStart(a, b)
  const end = commonEnd(a.slice(start), b.slice(start))
  return (
    <div class="different">
      <Marked name="Run A" kind="del" text={a} start={start} end={end} />
      <Marked name="Run B" kind="ins" text={b} start={start} end={end} />
    </div>
  )
}

interface MarkedProps {
  readonly name: string
  readonly kind: "del" | "ins"
  readonly text: string
  readonly start: number
  readonly end: number
}

function Marked({ name, kind: Kind, text, start, end }: MarkedProps) {
  const middle = text.slice(start, text.length - end)
  return (
    <pre tabIndex={0} aria-label={name}>
      {text === "" && <span class="calm">–</span>}
      {text.slice(0, start)}
      {middle !== "" && <Kind>{middle}</Kind>}
      {text.slice(text.length - end)}
    </pre>
  )
}

/**
 * Returns the length of the text with which both texts begin. It ends before the first word that
 * differs.
 */
function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return a.slice(0, length).search(/\S*$/)
}

/**
 * Returns the length of the text with which both texts end. It begins after the last word that
 * differs.
 */
function commonEnd(a: string, b: string): number {
  let length = 0
  while (
    length < a.length &&
    length < b.length &&
    a[a.length - 1 - length] === b[b.length - 1 - length]
  )
    length++
  const end = a.slice(a.length - length)
  const word = end.search(/\s/)
  return word === -1 ? 0 : end.length - word
}
