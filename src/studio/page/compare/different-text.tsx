import "./different-text.css"

interface DifferentTextProps {
  readonly a: string
  readonly b: string
}

/**
 * Component that shows two texts side by side. The part between their common start and their common
 * end is highlighted.
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
 * Returns the length of the common start of two texts. The common start ends before the first word
 * that differs.
 */
function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return a.slice(0, length).search(/\S*$/)
}

/**
 * Returns the length of the common end of two texts. The common end begins after the last word that
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
