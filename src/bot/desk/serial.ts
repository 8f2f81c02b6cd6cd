/** Runs one task after another, in the order they come; a failed one does not hold up the next. */
export function createSerial(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    last = run.catch(() => {})
    return run
  }
}
