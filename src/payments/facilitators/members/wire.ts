import { z } from 'zod'
import type { SettleReply, SupportedReply, VerifyReply } from './member.ts'

/** Longer texts are cut: they only select one of our own reasons. */
const MAX_WORDS = 200
const words = z
  .string()
  .transform((text) => text.slice(0, MAX_WORDS))
  .nullish()

const WireVerify = z.object({ isValid: z.boolean(), invalidReason: words })
const WireSettle = z.object({ success: z.boolean(), errorReason: words, transaction: z.string().nullish() })
const MAX_KINDS = 500
const WireSupported = z.object({
  kinds: z
    .array(
      z.object({
        x402Version: z.number(),
        scheme: z.string(),
        network: z.string(),
        extra: z.record(z.string(), z.unknown()).nullish(),
      }),
    )
    .max(MAX_KINDS),
  signers: z.record(z.string(), z.array(z.string()).max(MAX_KINDS)).nullish(),
})

/** Each of these throws on anything that is not the x402 shape. */
export function parseVerify(json: unknown): VerifyReply {
  const { isValid, invalidReason } = WireVerify.parse(json)
  return { isValid, reason: invalidReason ?? undefined }
}

export function parseSettle(json: unknown): SettleReply {
  const { success, errorReason, transaction } = WireSettle.parse(json)
  return { success, reason: errorReason ?? undefined, transaction: transaction || undefined }
}

/** Only what we use: v2, `exact`. The fee payer to offer comes first, other signers of the network after it. */
export function parseSupported(json: unknown): SupportedReply {
  const { kinds, signers } = WireSupported.parse(json)
  return kinds
    .filter(({ x402Version, scheme }) => x402Version === 2 && scheme === 'exact')
    .map(({ network, extra }) => {
      const offered = extra?.feePayer
      const namespace = `${network.split(':')[0]}:*`
      const signing = [...(signers?.[network] ?? []), ...(signers?.[namespace] ?? [])]
      // Only a kind that names a fee payer needs one: on EVM anybody can submit a payment.
      const feePayers = typeof offered === 'string' ? [...new Set([offered, ...signing])] : []
      return { network, feePayers }
    })
}
