import type { Mode } from '../config/variables/variable.ts'

/** What is simulated says so, in every reply. */
export function createSourceOf(mode: Mode): (source: string) => string {
  const prefix = mode === 'sandbox' ? 'sandbox:' : ''
  return (source) => `${prefix}${source}`
}
