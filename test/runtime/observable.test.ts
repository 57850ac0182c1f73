import { Observable as PublicObservable, map } from "rxjs"
import rxjs from "rxjs/package.json" with { type: "json" }
import { expect, test } from "vitest"
import { Observable } from "../../src/runtime/events/observable.js"

// If this test fails after an update of rxjs, check that the tests below pass. Then change the version.
test("the installed version of rxjs is the version whose internal path was checked", () => {
  expect(rxjs.version).toBe("7.8.2")
})

// The bundle includes a copy of the class. test/bundles/cold-import.test.ts checks it.
test("the event stream has the class that `rxjs` exports, so its operators accept it", () => {
  expect(Observable).toBe(PublicObservable)
  const values: number[] = []
  new Observable<number>((subscriber) => subscriber.next(1))
    .pipe(map((value) => value + 1))
    .subscribe((value) => values.push(value))
  expect(values).toEqual([2])
})
