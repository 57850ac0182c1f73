// The package.json of `rxjs` exports this path. `import "rxjs"` would load all operators. The
// package bundles this class, because Node would otherwise load it from thirty files, which takes 6
// to 10 ms more (test/bundles/cold-import.test.ts). The test test/runtime/observable.test.ts fails
// if the installed rxjs is not one of the checked versions.
export { Observable } from "rxjs/internal/Observable"
export type { Subscriber } from "rxjs/internal/Subscriber"
