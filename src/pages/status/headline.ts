import type { z } from 'zod'
import type { Status } from '../../products/service/status.ts'
import { partName } from './part-names.ts'

const NAMED = 4

/** Everything in one sentence. */
export function headline({ status, parts }: z.output<typeof Status>): string {
  const bad = parts.filter((part) => part.status === 'down' || part.status === 'degraded')
  if (status === 'down') return `The service is down: ${listed(bad.filter(({ needed }) => needed))}`
  if (bad.length === 0) return 'All systems are working'
  return `The service is working, with trouble in ${listed(bad)}`
}

function listed(parts: readonly { name: string }[]): string {
  const names = parts.slice(0, NAMED).map(({ name }) => partName(name))
  const rest = parts.length - names.length
  const all = rest > 0 ? [...names, `${rest} more`] : names
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
