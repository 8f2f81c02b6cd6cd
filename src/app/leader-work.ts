/** Something that runs between its start and its stop. */
export type Running = { start(): Promise<void>; stop(): Promise<void> }

/**
 * What one process of all does, as one: it starts in order when this process may lead, and what was started, also one
 * that failed to, stops in reverse order.
 */
export function createLeaderWork(parts: readonly Running[]): Running {
  const started: Running[] = []
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop()
  }
  return {
    async start() {
      for (const part of parts) {
        started.push(part)
        await part.start()
      }
    },
    stop,
  }
}
