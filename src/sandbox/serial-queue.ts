/** Runs tasks one at a time, in the order they came. A task that fails does not stop the next. */
export type SerialQueue = { run<T>(task: () => Promise<T>): Promise<T> }

export function createSerialQueue({ maxWaiting }: { maxWaiting: number }): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    async run(task) {
      if (waiting >= maxWaiting) throw new Error(`more than ${maxWaiting} tasks are waiting`)
      waiting += 1
      const result = last.then(task).finally(() => {
        waiting -= 1
      })
      last = result.catch(() => {})
      return result
    },
  }
}
