// `rxjs` exports this path in its package.json. `import "rxjs"` loads all operators, which takes
// about 80 ms more (test/bundles/cold-import.test.ts). test/runtime/observable.test.ts names the
// version of rxjs for which this was checked.
export { Observable } from "rxjs/internal/Observable"
export type { Subscriber } from "rxjs/internal/Subscriber"
