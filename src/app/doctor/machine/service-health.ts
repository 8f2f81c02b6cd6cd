import { z } from 'zod'
import type { Config } from '../../../config/config.ts'
import { ownAddress } from '../../../config/own-address.ts'
import { isServiceRunning } from '../../../ledger/files/service-lock.ts'
import { askOnce } from '../ask-once.ts'

const Health = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  mode: z.string(),
  checks: z.array(z.object({ name: z.string(), status: z.string(), detail: z.string() })),
})
export type Health = z.infer<typeof Health>

/** Undefined where no service runs on the data directory; `own port` where it chose one that nobody knows here. */
export async function askHealth(
  { dataDir, host, port }: Pick<Config, 'dataDir' | 'host' | 'port'>,
  signal: AbortSignal,
): Promise<Health | 'own port' | undefined> {
  if (!isServiceRunning(dataDir)) return undefined
  if (port === 0) return 'own port'
  const { json } = await askOnce(`${ownAddress(host, port)}/health`, signal)
  return Health.parse(json)
}
