export type Timed<Result> = { result: Result; wallMs: number; cpuUs: number }

/** What a piece of work takes by the clock on the wall and of the processor, garbage collection included. */
export function timed<Result>(work: () => Result): Timed<Result> {
  const cpu = process.cpuUsage()
  const startMs = performance.now()
  const result = work()
  const wallMs = performance.now() - startMs
  const { user, system } = process.cpuUsage(cpu)
  return { result, wallMs, cpuUs: user + system }
}
