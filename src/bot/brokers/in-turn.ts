/** Runs tasks one at a time, in the order they came. A task that fails does not stop the next. */
export type InTurn = <T>(task: () => Promise<T>) => Promise<T>

export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }
}
