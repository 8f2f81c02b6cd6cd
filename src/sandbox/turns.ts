/** Runs tasks one after another, in the order they came. A task that fails does not hold up the next. */
export type Turns = { run<T>(task: () => Promise<T>): Promise<T> }

export function createTurns({ maxWaiting }: { maxWaiting: number }): Turns {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    async run(task) {
      if (waiting >= maxWaiting) throw new Error(`more than ${maxWaiting} tasks are waiting for their turn`)
      waiting += 1
      const turn = last.then(task).finally(() => {
        waiting -= 1
      })
      last = turn.catch(() => {})
      return turn
    },
  }
}
