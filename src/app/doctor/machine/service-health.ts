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
/** What a process says that does not serve: an engine that stands by, or one that starts. */
const Refusal = z.object({ code: z.string(), detail: z.string() })
/** `own port`: one that nobody knows here. */
export type Asked = Health | { refusal: string } | 'own port'
export type AskedConfig = Pick<Config, 'dataDir' | 'host' | 'port' | 'role'>

/** Undefined where no service runs. Only a process that does everything tells by its data directory that it does. */
export async function askHealth(
  { dataDir, host, port, role }: AskedConfig,
  signal: AbortSignal,
): Promise<Asked | undefined> {
  if (role === 'all' && !isServiceRunning(dataDir)) return undefined
  if (port === 0) return 'own port'
  const asked = askOnce(`${ownAddress(host, port)}/health`, signal)
  const answer = await (role === 'all' ? asked : asked.catch(() => undefined))
  if (!answer) return undefined
  const refusal = Refusal.safeParse(answer.json)
  return refusal.success ? { refusal: refusal.data.detail } : Health.parse(answer.json)
}
