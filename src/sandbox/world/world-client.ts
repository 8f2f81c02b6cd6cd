import { z } from 'zod'
import { describeError } from '../../core/describe-error.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { SandboxWallet, Wallets } from '../wallets.ts'

const ASK_LIMIT_MS = 5_000
/** Funding waits for a block, and behind others who want to be funded. */
const FUND_LIMIT_MS = 30_000

const Named = z.object({ id: z.string() })
const Text = z.string().min(1)
const FreshWallet = z.object({
  evm: z
    .object({
      private_key: z
        .string()
        .regex(/^0x[0-9a-f]{64}$/)
        .transform((key) => key as `0x${string}`),
      address: Text,
      rpc_url: z.url(),
      usdc: Text,
      project_token: Text,
      project_tokens: z.number(),
    })
    .optional(),
  solana: z.object({ secret_key: Text, address: Text, rpc_url: z.url(), usdc: Text }).optional(),
})

/** Which run of the sandbox answers there; throws where none does. */
export async function askWorldId(url: string): Promise<string> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT_MS) })
  return Named.parse(await reply.json()).id
}

/** Play money of a sandbox that is another process. */
export function createRemoteWallets(url: string): Wallets {
  return {
    async fresh() {
      try {
        const reply = await fetch(`${url}/wallets`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
          signal: AbortSignal.timeout(FUND_LIMIT_MS),
        })
        if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
        // Optional parts of the schema are absent in JSON, never undefined.
        return FreshWallet.parse(await reply.json()) as SandboxWallet
      } catch (cause) {
        throw new ServiceError(
          'upstream_unavailable',
          `the sandbox hands out no play money now: ${describeError(cause)}`,
          { hint: 'try again in a moment; if it stays, the operator starts ./tollbook sandbox again', cause },
        )
      }
    },
  }
}
