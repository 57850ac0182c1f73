import { shortcuts } from "./drawing-shortcuts.js"

/** Component that lists the keyboard shortcuts of the drawing. */
export function ShortcutHelp() {
  return (
    <section class="shortcut-help" aria-label="Keyboard shortcuts">
      <p class="calm">These keys work while the drawing has the focus.</p>
      <dl>
        {shortcuts.map(({ does, keys, label }) => (
          <div key={does}>
            <dt>
              {keys.map((key, index) => (
                <>
                  {index > 0 && " or "}
                  <kbd>{key}</kbd>
                </>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
