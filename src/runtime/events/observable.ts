// `rxjs` exports this path in its package.json. `import "rxjs"` would load all operators. The bundle
// includes this class, because Node would load it from thirty files, which takes 6 to 10 ms more
// (test/bundles/cold-import.test.ts). The test test/runtime/observable.test.ts fails if the
// installed version of rxjs was not checked.
export { Observable } from "rxjs/internal/Observable"
export type { Subscriber } from "rxjs/internal/Subscriber"
