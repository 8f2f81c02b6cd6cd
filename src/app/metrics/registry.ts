import type { Metric } from 'prom-client'
import type { Family, Sample } from './family.ts'

export type Rendered = { text: string; contentType: string }
type OnFault = (family: string) => void

/**
 * Every family, and what Node tells of itself: event loop, memory, garbage collection, handles. The library is loaded
 * here only, so that a service without metrics does not pay for it.
 */
export async function createRegistry(
  families: readonly Family[],
  onFault: OnFault,
): Promise<() => Promise<Rendered>> {
  const { Registry, collectDefaultMetrics } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // All that the registry asks of a metric; its own kinds keep values, and ours are read when they are asked for.
  for (const family of families) registry.registerMetric(toMetric(family, onFault) as unknown as Metric)
  return async () => ({ text: await registry.metrics(), contentType: registry.contentType })
}

function toMetric({ name, help, type, read }: Family, onFault: OnFault) {
  const values = (): readonly Sample[] => {
    try {
      return read()
    } catch {
      onFault(name)
      return []
    }
  }
  return { name, help, type, get: async () => ({ name, help, type, values: values(), aggregator: 'sum' }) }
}
