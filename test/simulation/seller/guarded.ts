/** What a dead process waits for never comes. */
export function guarded<T>(isAlive: () => boolean, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (!isAlive()) return
    run().then(
      (value) => isAlive() && resolve(value),
      (error) => isAlive() && reject(error),
    )
  })
}
